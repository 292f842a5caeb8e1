// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.persistence;

import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Looks up the {@link IdGenerator} bean when the first ID is requested. The objects that
 * assign IDs to entities are created early, so they must neither require the bean nor be
 * part of a dependency cycle with it.
 */
final class LazyIdGenerator implements Supplier<IdGenerator> {

	private final ObjectProvider<IdGenerator> provider;

	/**
	 * Set without a lock, because threads that request the first ID at the same time find
	 * the same bean.
	 */
	private volatile @Nullable IdGenerator generator;

	LazyIdGenerator(ObjectProvider<IdGenerator> provider) {
		this.provider = provider;
	}

	@Override
	public IdGenerator get() {
		IdGenerator generator = this.generator;
		if (generator == null) {
			generator = find();
			this.generator = generator;
		}
		return generator;
	}

	private IdGenerator find() {
		try {
			return this.provider.getObject();
		}
		catch (BeansException ex) {
			throw new IdGenerationException("Cannot issue an ID for @LeafId: there is no usable bean of type "
					+ IdGenerator.class.getName() + " (see the cause). Set leaf.segment.enabled=true or "
					+ "leaf.snowflake.enabled=true, or declare one such bean; if there are several, "
					+ "mark one as @Primary", ex);
		}
	}

}
