// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.time.Duration;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.CacheControl;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The files of the live page, and what a browser may do with them.
 */
class PageResources implements WebMvcConfigurer {

	private static final Duration YEAR = Duration.ofDays(365);

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		// the files of a jar that is built reproducibly all bear one date, so that a
		// browser could not tell those of the next version from it
		registry.addResourceHandler("/page/**")
			.addResourceLocations("classpath:/page/")
			.setUseLastModified(false)
			.setCacheControl(CacheControl.noStore());
		// their paths hold their version
		registry.addResourceHandler("/webjars/**")
			.addResourceLocations("classpath:/META-INF/resources/webjars/")
			.setCacheControl(CacheControl.maxAge(YEAR).cachePublic().immutable());
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(new Headers());
	}

	/**
	 * Keeps everything away that is not this server's: keys may hold anything.
	 */
	private static final class Headers implements HandlerInterceptor {

		@Override
		public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
			response.setHeader("Content-Security-Policy",
					"default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
			response.setHeader("X-Content-Type-Options", "nosniff");
			response.setHeader("Referrer-Policy", "no-referrer");
			return true;
		}

	}

}
