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
 * Finds the {@link IdGenerator} bean through the container that Hibernate was started
 * with. Injection is no alternative: ahead-of-time processing builds the metamodel
 * without a container, and in an application processed that way nothing is injected into
 * the generators.
 */
final class IdGeneratorBean {

	private IdGeneratorBean() {
	}

	/**
	 * Finds the bean.
	 * @param session the session that asks for an ID
	 * @param key the key of the ID, for the message
	 * @return the bean
	 * @throws IdGenerationException if there is no container, no such bean, no single
	 * one, or it cannot be created
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
					+ "JPA property 'hibernate.resource.beans.container' of your own to a SpringBeanContainer");
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
	 * Asks for the bean that the application has, not for a new instance of the type.
	 */
	private enum RegisteredBean implements BeanContainer.LifecycleOptions {

		INSTANCE;

		@Override
		public boolean canUseCachedReferences() {
			// the container's cache would also keep the bean past its destruction
			return false;
		}

		@Override
		public boolean useJpaCompliantCreation() {
			return false;
		}

	}

	/**
	 * What the container turns to where it found no bean. The reason, none or too many,
	 * it keeps to itself.
	 */
	private record MissingBean(String key) implements BeanInstanceProducer {

		@Override
		public <B> B produceBeanInstance(Class<B> beanType) {
			throw new IdGenerationException("Cannot issue an ID of key '" + this.key + "': there is no bean of type "
					+ beanType.getName() + ", or there are several and none of them is primary. "
					+ "Enable 'leaf.segment.enabled' or 'leaf.snowflake.enabled', or declare one such bean; "
					+ "where there are several, mark one as @Primary");
		}

		@Override
		public <B> B produceBeanInstance(String name, Class<B> beanType) {
			return produceBeanInstance(beanType);
		}

	}

}
