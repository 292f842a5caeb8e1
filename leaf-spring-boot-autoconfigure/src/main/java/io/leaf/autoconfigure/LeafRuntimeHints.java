// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.hibernate.LeafAttributeGenerator;
import io.leaf.hibernate.LeafIdentifierGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * Hints for native images: the scripts that create the tables, the configuration file of
 * Meituan's Leaf, a proxy for MyBatis-Plus, and classes that are instantiated by name.
 */
class LeafRuntimeHints implements RuntimeHintsRegistrar {

	private static final String IDENTIFIER_GENERATOR = "org.hibernate.id.IdentifierGenerator";

	/**
	 * The class that ZooKeeper's client instantiates by name, unless a system property
	 * names another class.
	 */
	private static final String CLIENT_SOCKET = "org.apache.zookeeper.ClientCnxnSocketNIO";

	private static final String TABLE_INFO_HANDLER = "com.baomidou.mybatisplus.core.handlers.PostInitTableInfoHandler";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/leaf/segment/jdbc/schema-*.sql");
		hints.resources().registerPattern("leaf.properties");
		if (ClassUtils.isPresent(CLIENT_SOCKET, classLoader)) {
			hints.reflection()
				.registerType(TypeReference.of(CLIENT_SOCKET), MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		}
		if (ClassUtils.isPresent(TABLE_INFO_HANDLER, classLoader)) {
			hints.proxies().registerJdkProxy(TypeReference.of(TABLE_INFO_HANDLER));
		}
		if (ClassUtils.isPresent(IDENTIFIER_GENERATOR, classLoader)) {
			hints.reflection().registerType(LeafIdentifierGenerator.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
			hints.reflection().registerType(LeafAttributeGenerator.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		}
	}

}
