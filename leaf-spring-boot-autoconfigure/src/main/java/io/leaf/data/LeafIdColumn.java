// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.support.LeafIdType;

import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * A property that is marked with {@link LeafId}.
 *
 * @param table the entity in whose table the property is stored
 * @param property the property
 */
record LeafIdColumn(RelationalPersistentEntity<?> table, RelationalPersistentProperty property) {

	/**
	 * Checks the property.
	 * @throws IdGenerationException if the type of the property is not supported, or if
	 * the annotation must name a key but does not
	 */
	void check() {
		type();
		if (!this.property.isIdProperty() && annotatedKey().isEmpty()) {
			throw new IdGenerationException(LeafIdType.keyRequired(name()));
		}
	}

	LeafIdType type() {
		return LeafIdType.of(this.property.getType())
			.orElseThrow(() -> new IdGenerationException(LeafIdType
				.unsupported(this.property.isIdProperty() ? "id" : "attribute", name(), this.property.getType())));
	}

	String key() {
		String key = annotatedKey();
		// the table name is evaluated each time, because it may be an expression whose
		// result changes
		return key.isEmpty() ? this.table.getTableName().getReference() : key;
	}

	private String annotatedKey() {
		return this.property.getRequiredAnnotation(LeafId.class).value();
	}

	private String name() {
		return this.property.getOwner().getName() + "." + this.property.getName();
	}

}
