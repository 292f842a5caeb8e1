// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.testcontainers.lifecycle.Startable;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application whose database runs in a container that is a bean. Leaf needs the
 * container, but no bean dependency declares it.
 */
class ContainerBeanTests {

	private static final String URL = "jdbc:h2:mem:container-bean;DB_CLOSE_DELAY=-1";

	@Test
	void unusedNumbersAreGivenBackBeforeTheContainerStops() {
		AtomicLong atStop = new AtomicLong();
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + URL, "leaf.segment.initialize-schema=always",
					"leaf.segment.auto-create.enabled=true")
			.withBean("container", Startable.class, () -> new Container(atStop))
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1));
		assertThat(atStop).hasValue(2);
	}

	private record Container(AtomicLong atStop) implements Startable {

		@Override
		public void start() {
		}

		@Override
		public void stop() {
			try (var connection = DriverManager.getConnection(URL, "sa", "");
					var statement = connection.createStatement();
					ResultSet result = statement.executeQuery("SELECT max_id FROM leaf_alloc")) {
				result.next();
				this.atStop.set(result.getLong(1));
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
