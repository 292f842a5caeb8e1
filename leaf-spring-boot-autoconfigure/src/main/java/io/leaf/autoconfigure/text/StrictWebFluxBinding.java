// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.text;

import java.util.function.Supplier;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;

/**
 * Makes the data binders of Spring WebFlux use a {@link StrictConversionService}.
 */
final class StrictWebFluxBinding implements BeanPostProcessor {

	private final Supplier<LeafTextConverter> texts;

	StrictWebFluxBinding(Supplier<LeafTextConverter> texts) {
		this.texts = texts;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof RequestMappingHandlerAdapter adapter) {
			StrictConversionService.replaceIn(adapter.getWebBindingInitializer(), this.texts);
		}
		return bean;
	}

}
