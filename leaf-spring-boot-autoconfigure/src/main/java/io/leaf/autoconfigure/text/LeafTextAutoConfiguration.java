// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.text;

import io.leaf.autoconfigure.properties.IdFormatsConfiguration;
import io.leaf.json.LeafTextJackson2Module;
import io.leaf.json.LeafTextModule;
import io.leaf.text.IdFormats;
import tools.jackson.databind.JacksonModule;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Auto-configuration of {@link io.leaf.text.LeafText @LeafText}. Spring Boot registers
 * the Jackson modules with its JSON mappers, and the converter with the conversion
 * service of Spring MVC or WebFlux.
 */
@AutoConfiguration
@Import(IdFormatsConfiguration.class)
public final class LeafTextAutoConfiguration {

	@Bean
	LeafTextConverter leafTextConverter(IdFormats formats) {
		return new LeafTextConverter(formats);
	}

	/**
	 * Jackson 3.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JacksonModule.class)
	static class Jackson3 {

		@Bean
		@ConditionalOnMissingBean
		LeafTextModule leafTextModule(IdFormats formats) {
			return new LeafTextModule(formats);
		}

	}

	/**
	 * Jackson 2.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(com.fasterxml.jackson.databind.Module.class)
	static class Jackson2 {

		@Bean
		@ConditionalOnMissingBean
		LeafTextJackson2Module leafTextJackson2Module(IdFormats formats) {
			return new LeafTextJackson2Module(formats);
		}

	}

	/**
	 * Spring MVC.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DispatcherServlet.class)
	static class WebMvc {

		@Bean
		static StrictWebMvcBinding leafTextWebMvcBinding(ObjectProvider<LeafTextConverter> texts) {
			return new StrictWebMvcBinding(texts::getObject);
		}

	}

	/**
	 * Spring WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DispatcherHandler.class)
	static class WebFlux {

		@Bean
		static StrictWebFluxBinding leafTextWebFluxBinding(ObjectProvider<LeafTextConverter> texts) {
			return new StrictWebFluxBinding(texts::getObject);
		}

	}

}
