/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.hibernate;

import java.util.Map;
import java.util.Properties;

import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerator;
import org.hibernate.id.PersistentIdentifierGenerator;
import org.hibernate.mapping.Property;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.Type;
import org.hibernate.type.spi.TypeConfiguration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

/**
 * The generator as Hibernate 6.6 calls it: through the forms of {@code initialize} and
 * {@code configure} that Hibernate 7 replaces, and with nothing that came after 6.6.
 */
@SuppressWarnings("removal") // the forms are the subject of the tests
class Hibernate6CallsTests {

	private final LeafIdentifierGenerator generator = new LeafIdentifierGenerator();

	@Test
	void keyIsThatOfAnnotation() throws NoSuchFieldException {
		initialize("key");
		configure(Long.class, properties("\"table\""));
		assertThat(generateWith(this.generator)).isEqualTo(Map.of("key", 1L));
	}

	@Test
	void keyIsTableName() throws NoSuchFieldException {
		initialize("table");
		configure(Long.class, properties("\"table\""));
		assertThat(generateWith(this.generator)).isEqualTo(Map.of("table", 1L));
	}

	@Test
	void keyIsParameter() {
		Properties properties = properties("table");
		properties.put("key", "parameter");
		configure(Long.class, properties);
		assertThat(generateWith(this.generator)).isEqualTo(Map.of("parameter", 1L));
	}

	@Test
	void unsupportedTypeOfAnnotatedProperty() throws NoSuchFieldException {
		initialize("table");
		assertThatExceptionOfType(HibernateException.class)
			.isThrownBy(() -> configure(Integer.class, properties("table")))
			.withMessage("The id com.example.Invoice.number is of type java.lang.Integer, but a Leaf ID needs "
					+ "java.lang.Long, long or java.lang.String");
	}

	@Test
	void unsupportedTypeWithoutAnnotation() {
		assertThatExceptionOfType(HibernateException.class)
			.isThrownBy(() -> configure(byte[].class, properties("table")))
			.withMessage("The id of com.example.Invoice is of type byte[], but a Leaf ID needs java.lang.Long, long "
					+ "or java.lang.String");
	}

	private void initialize(String field) throws NoSuchFieldException {
		Property property = new Property();
		property.setName("number");
		GeneratorCreationContext context = mock((invocation) -> {
			throw new NoSuchMethodError(invocation.getMethod().toString());
		});
		doReturn(property).when(context).getProperty();
		var member = Annotated.class.getDeclaredField(field);
		this.generator.initialize(member.getAnnotation(LeafId.class), member, context);
	}

	private void configure(Class<?> idType, Properties properties) {
		Type type = new TypeConfiguration().getBasicTypeForJavaType(idType);
		this.generator.configure(type, properties, mock(ServiceRegistry.class));
	}

	private static Properties properties(String table) {
		Properties properties = new Properties();
		properties.put(IdentifierGenerator.ENTITY_NAME, "com.example.Invoice");
		properties.put(PersistentIdentifierGenerator.TABLE, table);
		return properties;
	}

	/**
	 * Generates one ID and returns how many each key has issued.
	 */
	private static Map<String, Long> generateWith(LeafIdentifierGenerator generator) {
		RecordingIdGenerator idGenerator = new RecordingIdGenerator();
		JpaApplication.runner(Plain.class).withBean(RecordingIdGenerator.class, () -> idGenerator).run((context) -> {
			Object id = JpaApplication.of(context).inTransaction((entityManager) -> {
				SharedSessionContractImplementor session = entityManager.unwrap(SharedSessionContractImplementor.class);
				return generator.generate(session, new Plain(), null, EventType.INSERT);
			});
			assertThat(id).isEqualTo(1001L);
		});
		return idGenerator.issued();
	}

	static class Annotated {

		@LeafId("key")
		Long key;

		@LeafId
		Long table;

	}

	@Entity
	static class Plain {

		@Id
		Long id;

	}

}
