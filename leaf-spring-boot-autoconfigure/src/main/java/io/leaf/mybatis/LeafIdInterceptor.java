// SPDX-License-Identifier: Apache-2.0

package io.leaf.mybatis;

import java.sql.PreparedStatement;
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.LeafId;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.parameter.ParameterHandler;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Before MyBatis runs an insert, sets the properties that are marked with {@link LeafId}
 * and have no value yet. It sets them in the parameter of the statement, in the values of
 * a parameter map, and in the elements of a collection or an array. MyBatis does not know
 * the table of an object, so the annotation must name the key.
 * <p>
 * The IDs of entities that MyBatis-Plus knows are left to {@link MybatisPlusIdGenerator}.
 * Safe for use by any number of threads.
 */
@Intercepts({ @Signature(type = Executor.class, method = "update", args = { MappedStatement.class, Object.class }),
		@Signature(type = ParameterHandler.class, method = "setParameters", args = PreparedStatement.class) })
public final class LeafIdInterceptor implements Interceptor {

	private static final String MYBATIS_PLUS = "com.baomidou.mybatisplus.core.MybatisConfiguration";

	private final Supplier<IdGenerator> generator;

	/**
	 * Creates an interceptor.
	 * @param generator supplies the generator of the IDs. Not called before the first ID
	 * is needed
	 */
	public LeafIdInterceptor(Supplier<IdGenerator> generator) {
		this.generator = generator;
	}

	/**
	 * On a call of the executor, sets the missing values if the statement is an insert.
	 * On a call of the parameter handler, refuses an insert in which a value is still
	 * missing. Proceeds with the call unless the statement is refused.
	 * @param invocation the call of the executor or of the parameter handler
	 * @return the result of the call
	 * @throws IdGenerationException if an ID cannot be issued or cannot be set, or if the
	 * statement is refused
	 */
	@Override
	public @Nullable Object intercept(Invocation invocation) throws Throwable {
		if (invocation.getTarget() instanceof ParameterHandler handler) {
			BoundIds.check(handler);
			return invocation.proceed();
		}
		MappedStatement statement = (MappedStatement) invocation.getArgs()[0];
		if (statement.getSqlCommandType() == SqlCommandType.INSERT) {
			setValues(invocation.getArgs()[1], statement.getConfiguration());
		}
		return invocation.proceed();
	}

	// compared by name, because MyBatis-Plus may not be on the classpath
	private static boolean isMybatisPlus(Configuration configuration) {
		for (Class<?> type = configuration.getClass(); type != null; type = type.getSuperclass()) {
			if (type.getName().equals(MYBATIS_PLUS)) {
				return true;
			}
		}
		return false;
	}

	private void setValues(@Nullable Object parameter, Configuration configuration) {
		if (parameter instanceof Map<?, ?> map) {
			map.values().forEach((value) -> setValues(value, configuration));
		}
		else if (parameter instanceof Collection<?> collection) {
			collection.forEach((element) -> setValues(element, configuration));
		}
		else if (parameter instanceof Object[] array) {
			for (Object element : array) {
				setValues(element, configuration);
			}
		}
		else if (parameter != null) {
			LeafIdProperty.of(parameter.getClass())
				.forEach((property) -> setValue(property, configuration.newMetaObject(parameter),
						isMybatisPlus(configuration)));
		}
	}

	private void setValue(LeafIdProperty property, MetaObject object, boolean mybatisPlus) {
		if (!property.isUnset(object) || (mybatisPlus && MybatisPlusIdGenerator.issues(property))) {
			return;
		}
		if (property.key().isEmpty()) {
			throw new IdGenerationException(
					"Cannot issue an ID for %s: MyBatis does not know its table. ".formatted(property)
							+ "Name the key, as in @LeafId(\"order\")");
		}
		if (!object.hasSetter(property.name())) {
			throw new IdGenerationException(
					"Cannot set %s: it has no setter (a record has none), and MyBatis inserts the object as it is given. "
						.formatted(property) + "Add a setter, or request the ID first and create the object with it");
		}
		IdGenerator generator = this.generator.get();
		if (mybatisPlus) {
			MybatisPlusIdGenerator.reportExistingIds(generator, property);
		}
		object.setValue(property.name(), property.type().next(generator, property.key()));
	}

}
