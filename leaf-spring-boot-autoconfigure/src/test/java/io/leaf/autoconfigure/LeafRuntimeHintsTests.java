// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import com.baomidou.mybatisplus.core.handlers.PostInitTableInfoHandler;
import io.leaf.hibernate.LeafAttributeGenerator;
import io.leaf.hibernate.LeafIdentifierGenerator;
import org.apache.zookeeper.ClientCnxnSocketNIO;
import org.hibernate.id.IdentifierGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class LeafRuntimeHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	private void register(ClassLoader classLoader) {
		assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)).hasAtLeastOneElementOfType(LeafRuntimeHints.class);
		new LeafRuntimeHints().registerHints(this.hints, classLoader);
	}

	@ParameterizedTest
	@ValueSource(strings = { "h2", "mariadb", "mysql", "postgresql" })
	void scriptsHaveHints(String platform) {
		register(getClass().getClassLoader());
		String script = "io/leaf/segment/jdbc/schema-%s.sql".formatted(platform);
		assertThat(getClass().getClassLoader().getResource(script)).isNotNull();
		assertThat(RuntimeHintsPredicates.resource().forResource(script)).accepts(this.hints);
		assertThat(RuntimeHintsPredicates.resource().forResource("leaf.properties")).accepts(this.hints);
	}

	@Test
	void classesCreatedByNameHaveHints() throws NoSuchMethodException {
		register(getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(LeafIdentifierGenerator.class.getConstructor())).accepts(this.hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(LeafAttributeGenerator.class.getConstructor())).accepts(this.hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(ClientCnxnSocketNIO.class.getDeclaredConstructors()[0])).accepts(this.hints);
	}

	@Test
	void theProxyForMybatisPlusHasAHint() {
		register(getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(PostInitTableInfoHandler.class)).accepts(this.hints);
	}

	@Test
	void noTypeHasHintsWithoutHibernateAndZooKeeper() {
		register(new FilteredClassLoader(IdentifierGenerator.class, ClientCnxnSocketNIO.class));
		assertThat(this.hints.reflection().typeHints()).isEmpty();
	}

}
