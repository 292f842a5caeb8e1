// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.List;

import io.leaf.LeafId;
import io.leaf.support.LeafIdType;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.metamodel.mapping.internal.EmbeddedAttributeMapping;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.property.access.spi.Getter;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that is not an ID, and whose values Leaf issues. It belongs to an entity
 * or to an embeddable in an entity.
 *
 * @param attribute the attribute
 * @param embedded if the attribute is in an embeddable, the entity's attribute whose
 * value is the embeddable; otherwise, the attribute itself
 */
record LeafAttribute(AttributeMapping attribute, AttributeMapping embedded) {

	/**
	 * Finds the attributes for which Hibernate requests values from Leaf: attributes of
	 * the entity itself and of embeddables directly in the entity, but not of embeddables
	 * within embeddables.
	 */
	static List<LeafAttribute> of(EntityPersister persister) {
		List<LeafAttribute> attributes = new ArrayList<>();
		for (int i = 0; i < persister.getNumberOfAttributeMappings(); i++) {
			AttributeMapping mapping = persister.getAttributeMapping(i);
			if (mapping.getGenerator() instanceof LeafAttributeGenerator) {
				attributes.add(new LeafAttribute(mapping, mapping));
			}
			else if (mapping instanceof EmbeddedAttributeMapping embedded
					&& mapping.getGenerator() instanceof BeforeExecutionGenerator) {
				EmbeddableMappingType embeddable = embedded.getEmbeddableTypeDescriptor();
				for (int j = 0; j < embeddable.getNumberOfAttributeMappings(); j++) {
					LeafAttribute attribute = new LeafAttribute(embeddable.getAttributeMapping(j), mapping);
					if (attribute.annotation() != null) {
						attributes.add(attribute);
					}
				}
			}
		}
		return attributes;
	}

	/**
	 * Returns the field or method that Hibernate reads the attribute from.
	 */
	Member member() {
		return getter().getMember();
	}

	@Nullable LeafId annotation() {
		return LeafEmbeddedGenerator.annotation(member());
	}

	String name() {
		String name = this.attribute.getAttributeName();
		return (this.attribute != this.embedded) ? this.embedded.getAttributeName() + "." + name : name;
	}

	boolean isUnset(Object entity) {
		Object owner = (this.attribute != this.embedded) ? this.embedded.getValue(entity) : entity;
		return owner != null && LeafIdType.of(getter().getReturnTypeClass())
			.orElse(LeafIdType.WRAPPER)
			.isUnset(this.attribute.getValue(owner));
	}

	int position() {
		return this.embedded.getStateArrayPosition();
	}

	/**
	 * Returns the generator of the attribute. All attributes of an embeddable share one
	 * generator.
	 */
	BeforeExecutionGenerator generator() {
		return (BeforeExecutionGenerator) this.embedded.getGenerator();
	}

	private Getter getter() {
		return this.attribute.getPropertyAccess().getGetter();
	}

}
