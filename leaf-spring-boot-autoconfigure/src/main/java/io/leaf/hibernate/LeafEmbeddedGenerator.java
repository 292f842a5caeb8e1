// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.io.Serializable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import io.leaf.LeafId;
import jakarta.persistence.Id;
import org.hibernate.MappingException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.property.access.spi.Getter;
import org.hibernate.property.access.spi.Setter;
import org.jspecify.annotations.Nullable;

/**
 * The value generator of an embedded attribute. It replaces the generator that Hibernate
 * composes from the generators of the embeddable's attributes. Hibernate's composed
 * generator would create an embeddable if the embedded attribute is {@code null}. In
 * Hibernate 7, it would also exclude all attributes of the embeddable from updates.
 */
final class LeafEmbeddedGenerator implements BeforeExecutionGenerator {

	private static final long serialVersionUID = 1L;

	private final ArrayList<Part> parts;

	private LeafEmbeddedGenerator(ArrayList<Part> parts) {
		this.parts = parts;
	}

	/**
	 * For each embedded attribute of an entity, installs a generator if the embeddable
	 * uses {@link LeafId}. If the embeddable also has attributes with other generators,
	 * Hibernate's composed generator is not replaced.
	 * @param entity the metadata of the entity. Hibernate must not have created the
	 * entity's generators yet
	 * @throws MappingException if an embeddable that needs such a generator is a record
	 */
	static void install(PersistentClass entity) {
		for (Property property : entity.getProperties()) {
			if (property.getValueGeneratorCreator() == null && property.getValue() instanceof Component component
					&& !component.isDynamic()) {
				List<Property> generated = component.getProperties()
					.stream()
					.filter((candidate) -> candidate.getValueGeneratorCreator() != null)
					.toList();
				if (!generated.isEmpty()
						&& generated.stream().allMatch((part) -> annotation(member(part, component)) != null)) {
					generated.forEach((part) -> refuseRecord(member(part, component)));
					property.setValueGeneratorCreator((context) -> create(component, generated, context));
				}
			}
		}
	}

	/**
	 * Returns the {@link LeafId} on an attribute, or {@code null} if there is none or the
	 * attribute is an ID.
	 */
	static @Nullable LeafId annotation(@Nullable Member member) {
		return (member instanceof AnnotatedElement element && !element.isAnnotationPresent(Id.class))
				? element.getAnnotation(LeafId.class) : null;
	}

	private static Member member(Property property, Component component) {
		return property.getGetter(component.getComponentClass()).getMember();
	}

	private static void refuseRecord(Member member) {
		Class<?> owner = member.getDeclaringClass();
		if (owner.isRecord()) {
			throw LeafIdentifierGenerator
				.mistake(("@LeafId on %s.%s cannot work: Hibernate does not set the components of an embedded record. "
						+ "Make the embeddable a class, or remove @LeafId and set the value yourself")
					.formatted(owner.getName(), member.getName()));
		}
	}

	private static LeafEmbeddedGenerator create(Component component, List<Property> generated,
			GeneratorCreationContext context) {
		ArrayList<Part> parts = new ArrayList<>();
		for (Property property : generated) {
			Member member = member(property, component);
			LeafId annotation = annotation(member);
			if (annotation != null) {
				LeafAttributeGenerator generator = new LeafAttributeGenerator();
				generator.initialize(annotation, member, property, context);
				Class<?> owner = component.getComponentClass();
				parts.add(new Part(property.getGetter(owner), property.getSetter(owner), generator));
			}
		}
		return new LeafEmbeddedGenerator(parts);
	}

	@Override
	public EnumSet<EventType> getEventTypes() {
		return EventTypeSets.INSERT_ONLY;
	}

	@Override
	public boolean allowMutation() {
		return true;
	}

	@Override
	public @Nullable Object generate(SharedSessionContractImplementor session, Object owner,
			@Nullable Object currentValue, EventType eventType) {
		if (currentValue != null) {
			for (Part part : this.parts) {
				Object value = part.getter().get(currentValue);
				part.setter().set(currentValue, part.generator().generate(session, owner, value, eventType));
			}
		}
		return currentValue;
	}

	/**
	 * An attribute of the embeddable.
	 */
	private record Part(Getter getter, Setter setter, LeafAttributeGenerator generator) implements Serializable {
	}

}
