// SPDX-License-Identifier: Apache-2.0

package io.leaf.mybatis;

import java.util.function.Supplier;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;
import io.leaf.support.LeafIdType;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The ID generator of MyBatis-Plus for entities whose ID is marked with {@link LeafId}.
 * All other entities get their IDs from the wrapped generator. MyBatis-Plus calls
 * {@link #nextId(Object)} only for IDs whose {@link IdType} is {@code ASSIGN_ID}, the
 * default. Safe for use by any number of threads if the wrapped generator is.
 */
public final class MybatisPlusIdGenerator implements IdentifierGenerator {

	private final IdentifierGenerator others;

	private final Supplier<IdGenerator> generator;

	/**
	 * Creates a generator.
	 * @param others issues the IDs of entities without {@link LeafId}
	 * @param generator supplies the generator of the IDs of entities with {@link LeafId}.
	 * Not called before the first of these IDs is needed
	 */
	public MybatisPlusIdGenerator(IdentifierGenerator others, Supplier<IdGenerator> generator) {
		this.others = others;
		this.generator = generator;
	}

	/**
	 * Refuses an entity with a {@link LeafId} that cannot work.
	 * @param table the metadata of the entity
	 * @throws IdGenerationException if the entity's ID is annotated and has an
	 * {@link IdType} other than {@code ASSIGN_ID}, or if another property is annotated
	 * without a key
	 */
	public static void check(TableInfo table) {
		for (LeafIdProperty property : LeafIdProperty.of(table.getEntityType())) {
			if (!isId(property, table)) {
				if (property.key().isEmpty()) {
					throw new IdGenerationException(LeafIdType.keyRequired(property.toString()));
				}
			}
			else if (table.getIdType() != IdType.ASSIGN_ID) {
				throw new IdGenerationException(
						"@LeafId on %s has no effect: its IdType is %s, and MyBatis-Plus requests IDs only for the type ASSIGN_ID. Set @TableId(type = IdType.ASSIGN_ID), or mybatis-plus.global-config.db-config.id-type=assign_id if the type is set globally; or remove @LeafId"
							.formatted(property, table.getIdType()));
			}
		}
	}

	/**
	 * Returns whether MyBatis-Plus requests the values of a property from this class.
	 */
	static boolean issues(LeafIdProperty property) {
		TableInfo table = TableInfoHelper.getTableInfo(property.owner());
		return table != null && isId(property, table);
	}

	/**
	 * Reports to the generator the largest value of a property in the table of its
	 * entity, if the generator needs to know this value. Does nothing if the property is
	 * the ID of the entity.
	 */
	static void reportExistingIds(IdGenerator generator, LeafIdProperty property) {
		TableInfo table = TableInfoHelper.getTableInfo(property.owner());
		if (table != null) {
			table.getFieldList()
				.stream()
				.filter((field) -> field.getProperty().equals(property.name()))
				.forEach((field) -> reportExistingIds(generator, property.key(), property, table, field.getColumn()));
		}
	}

	private static void reportExistingIds(IdGenerator generator, String key, LeafIdProperty property, TableInfo table,
			String column) {
		if (ExistingIds.areNeeded(generator, key)) {
			// the query runs on the connection of Spring's transaction, if there is one
			JdbcTemplate database = new JdbcTemplate(dataSource(table));
			new ExistingIds(key, table.getTableName(), column, property.type()).report(generator,
					(query) -> database.queryForObject(query, String.class));
		}
	}

	private static boolean isId(LeafIdProperty property, TableInfo table) {
		return property.name().equals(table.getKeyProperty());
	}

	/**
	 * Returns whether MyBatis-Plus should request an ID. If the ID of an entity is marked
	 * with {@link LeafId}, zero in a {@code long} means that no ID is set, and zero in a
	 * {@link Long} is an ID. For other entities, the wrapped generator decides whether
	 * zero is an ID. This method does not know the entity, so it returns {@code true} for
	 * zero. {@link #nextId(Object)} knows the entity, and returns zero again if zero is
	 * an ID.
	 * @param idValue the entity's present ID
	 * @return whether MyBatis-Plus has to call {@link #nextId(Object)}
	 */
	@Override
	public boolean assignId(@Nullable Object idValue) {
		return isZero(idValue) || this.others.assignId(idValue);
	}

	/**
	 * Returns the ID of an entity.
	 * @param entity the entity
	 * @return the next ID of the key that {@link LeafId} names or, if it names none, of
	 * the key with the name of the table. For an entity without {@link LeafId}, the ID
	 * from the wrapped generator. Zero if the entity's ID is zero and zero counts as an
	 * ID, see {@link #assignId(Object)}
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	@Override
	public Number nextId(@Nullable Object entity) {
		TableInfo table = (entity != null) ? TableInfoHelper.getTableInfo(entity.getClass()) : null;
		if (table == null || table.getKeyProperty() == null) {
			return this.others.nextId(entity);
		}
		LeafIdProperty property = LeafIdProperty.of(table.getEntityType())
			.stream()
			.filter((candidate) -> isId(candidate, table))
			.findFirst()
			.orElse(null);
		Object present = table.getPropertyValue(entity, table.getKeyProperty());
		boolean stays = isZero(present)
				&& ((property != null) ? !property.type().isUnset(present) : !this.others.assignId(present));
		if (stays) {
			return 0L;
		}
		if (property == null) {
			return this.others.nextId(entity);
		}
		String key = property.key().isEmpty() ? nameOf(table) : property.key();
		IdGenerator generator = this.generator.get();
		reportExistingIds(generator, key, property, table, table.getKeyColumn());
		Object id = property.type().next(generator, key);
		return (id instanceof Number number) ? number : new Text((String) id);
	}

	@Override
	public String nextUUID(@Nullable Object entity) {
		return this.others.nextUUID(entity);
	}

	private static boolean isZero(@Nullable Object value) {
		return value instanceof Long number && number == 0;
	}

	// getConfiguration() is deprecated, but nothing else shows which SqlSessionFactory
	// the
	// table belongs to
	@SuppressWarnings("deprecation")
	private static DataSource dataSource(TableInfo table) {
		return table.getConfiguration().getEnvironment().getDataSource();
	}

	// the name of the table without schema and quotes
	private static String nameOf(TableInfo table) {
		String name = table.getTableName();
		return name.substring(name.lastIndexOf('.') + 1).replaceAll("[`\"\\[\\]]", "");
	}

	/**
	 * The text of an ID. This class is a {@link Number} because MyBatis-Plus requires a
	 * {@link Number}. MyBatis-Plus converts the number to the type of the ID by calling
	 * {@link #toString()}.
	 */
	private static final class Text extends Number {

		private static final long serialVersionUID = 1L;

		private final String text;

		Text(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

		@Override
		public long longValue() {
			throw new UnsupportedOperationException(
					"'%s' is the text of an ID and has no numeric value".formatted(this.text));
		}

		@Override
		public int intValue() {
			return (int) longValue();
		}

		@Override
		public float floatValue() {
			return longValue();
		}

		@Override
		public double doubleValue() {
			return longValue();
		}

	}

}
