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
 * The files of the live page, with their caching and security headers.
 */
class PageResources implements WebMvcConfigurer {

	private static final Duration YEAR = Duration.ofDays(365);

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		// the files of a reproducibly built jar have the same date in every version, so a
		// browser could not see from the date that a file has changed
		registry.addResourceHandler("/page/**")
			.addResourceLocations("classpath:/page/")
			.setUseLastModified(false)
			.setCacheControl(CacheControl.noStore());
		// the path of a WebJar contains its version, so a cached file never becomes
		// outdated
		registry.addResourceHandler("/webjars/**")
			.addResourceLocations("classpath:/META-INF/resources/webjars/")
			.setCacheControl(CacheControl.maxAge(YEAR).cachePublic().immutable());
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(new Headers());
	}

	/**
	 * Forbids inline scripts and content from other servers, because a key can contain
	 * any text, even HTML.
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
