// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link IdGenerator} bean through the bean container that Hibernate was
 * started with. The bean cannot be injected into the generators that Hibernate creates,
 * because ahead-of-time processing builds the metamodel without a bean container, and
 * because in an application that was processed ahead of time, nothing is injected into
 * these generators.
 */
final class IdGeneratorBean {

	private IdGeneratorBean() {
	}

	/**
	 * Finds the bean.
	 * @param session the session that requests an ID
	 * @param key the key of the ID, for the message
	 * @return the bean
	 * @throws IdGenerationException if there is no container, if the container does not
	 * find exactly one such bean, or if the bean cannot be created
	 */
	static IdGenerator find(SharedSessionContractImplementor session, String key) {
		@Nullable BeanContainer container = session.getFactory()
			.getServiceRegistry()
			.requireService(ManagedBeanRegistry.class)
			.getBeanContainer();
		if (container == null) {
			throw new IdGenerationException("Cannot issue an ID of key '" + key
					+ "': this SessionFactory was built without Spring's bean container, so Hibernate cannot see the "
					+ IdGenerator.class.getName()
					+ " bean. Let Spring Boot configure the EntityManagerFactory, or set the "
					+ "JPA property 'hibernate.resource.beans.container' of your EntityManagerFactory to a SpringBeanContainer");
		}
		try {
			return container.getBean(IdGenerator.class, RegisteredBean.INSTANCE, new MissingBean(key))
				.getBeanInstance();
		}
		catch (IdGenerationException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new IdGenerationException("Cannot issue an ID of key '" + key + "': the "
					+ IdGenerator.class.getName() + " bean could not be created, see the cause", ex);
		}
	}

	/**
	 * Requests the application's bean, not a new instance of the type.
	 */
	private enum RegisteredBean implements BeanContainer.LifecycleOptions {

		INSTANCE;

		@Override
		public boolean canUseCachedReferences() {
			// the container's cache would keep a reference to the bean even after the
			// bean is destroyed
			return false;
		}

		@Override
		public boolean useJpaCompliantCreation() {
			return false;
		}

	}

	/**
	 * The fallback that the container calls if it does not find exactly one bean. The
	 * container does not reveal whether there is no bean or more than one.
	 */
	private record MissingBean(String key) implements BeanInstanceProducer {

		@Override
		public <B> B produceBeanInstance(Class<B> beanType) {
			throw new IdGenerationException("Cannot issue an ID of key '" + this.key + "': there is no bean of type "
					+ beanType.getName() + ", or there are several and none of them is primary. "
					+ "Set leaf.segment.enabled=true or leaf.snowflake.enabled=true, or declare one such bean; "
					+ "if there are several, mark one as @Primary");
		}

		@Override
		public <B> B produceBeanInstance(String name, Class<B> beanType) {
			return produceBeanInstance(beanType);
		}

	}

}
