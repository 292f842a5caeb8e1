// SPDX-License-Identifier: Apache-2.0

package io.leaf.mybatis;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.regex.Pattern;

import io.leaf.IdGenerationException;
import org.apache.ibatis.executor.parameter.ParameterHandler;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.mapping.ParameterMode;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.SystemMetaObject;
import org.apache.ibatis.scripting.defaults.DefaultParameterHandler;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Refuses an insert in which an ID is missing, before the statement is sent.
 * {@link LeafIdInterceptor} has not set the ID of an entity if the entity is in a
 * property of a parameter, or if the statement inserts a row but MyBatis does not treat
 * it as an insert. This class does not issue the missing ID, because {@code #{order.id}}
 * may be the ID of the inserted row or a reference to another row.
 */
final class BoundIds {

	private static final Pattern INSERT = Pattern
		.compile("(?i)^\\s*(insert|merge|replace|upsert)\\b|\\b(insert|merge|replace|upsert)\\s+(\\w+\\s+)?into\\b");

	private BoundIds() {
	}

	/**
	 * Checks the parameters of a statement.
	 * @param handler the handler that sets the parameters
	 * @throws IdGenerationException if the statement is an insert, and one of its
	 * parameters is an ID that is missing
	 */
	static void check(ParameterHandler handler) {
		Object target = handler;
		while (Proxy.isProxyClass(target.getClass())) {
			// the proxy of another interceptor
			target = SystemMetaObject.forObject(Proxy.getInvocationHandler(target)).getValue("target");
		}
		if (target instanceof DefaultParameterHandler) {
			MetaObject fields = SystemMetaObject.forObject(target);
			check((MappedStatement) fields.getValue("mappedStatement"), (BoundSql) fields.getValue("boundSql"));
		}
	}

	private static void check(MappedStatement statement, BoundSql sql) {
		for (ParameterMapping mapping : sql.getParameterMappings()) {
			String path = mapping.getProperty();
			Object owner = (mapping.getMode() != ParameterMode.OUT) ? owner(statement, sql, path) : null;
			if (owner == null || owner instanceof Map<?, ?>) {
				continue;
			}
			String name = path.substring(path.lastIndexOf('.') + 1);
			for (LeafIdProperty property : LeafIdProperty.of(owner.getClass())) {
				if (property.name().equals(name) && property.isUnset(statement.getConfiguration().newMetaObject(owner))
						&& inserts(statement, sql)) {
					throw new IdGenerationException(
							("Statement %s would insert #{%s}, but %s is not set: @LeafId applies to an entity only if "
									+ "the entity is a parameter of an <insert> or @Insert, with or without @Param, or is in a "
									+ "collection, an array or a map that is such a parameter. Pass the entity in one of these "
									+ "ways, or set the value first")
								.formatted(statement.getId(), path, property));
				}
			}
		}
	}

	private static @Nullable Object owner(MappedStatement statement, BoundSql sql, String path) {
		Object parameter = sql.getParameterObject();
		Configuration configuration = statement.getConfiguration();
		int dot = path.lastIndexOf('.');
		if (dot < 0) {
			return parameter;
		}
		String owner = path.substring(0, dot);
		if (sql.hasAdditionalParameter(owner)) {
			return sql.getAdditionalParameter(owner);
		}
		// a parameter of a simple type is itself the value to bind, whatever the path
		boolean simple = parameter == null
				|| configuration.getTypeHandlerRegistry().hasTypeHandler(parameter.getClass());
		return simple ? null : configuration.newMetaObject(parameter).getValue(owner);
	}

	private static boolean inserts(MappedStatement statement, BoundSql sql) {
		return statement.getSqlCommandType() == SqlCommandType.INSERT || INSERT.matcher(sql.getSql()).find();
	}

}
