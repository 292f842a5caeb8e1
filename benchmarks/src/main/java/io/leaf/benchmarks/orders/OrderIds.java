// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.orders;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;

import com.github.f4b6a3.tsid.TsidFactory;
import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import org.hibernate.annotations.UuidGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The sources of IDs.
 */
enum OrderIds {

	IDENTITY("`IDENTITY`", IdentityOrder::new),

	SEQUENCE_50("sequence, `allocationSize` 50", Sequence50Order::new),

	SEQUENCE_1000("sequence, `allocationSize` 1000", Sequence1000Order::new),

	TABLE_50("`@TableGenerator`, `allocationSize` 50", Table50Order::new),

	TABLE_1000("`@TableGenerator`, `allocationSize` 1000", Table1000Order::new),

	SEGMENT("Leaf segment, `@LeafId`", SegmentOrder::new),

	SNOWFLAKE("Leaf snowflake, `@LeafId`", SnowflakeOrder::new),

	UUID_7("UUIDv7, `@UuidGenerator`", UuidOrder::new),

	TSID("TSID, assigned", TsidOrder::new);

	private final String title;

	private final Supplier<Order> factory;

	OrderIds(String title, Supplier<Order> factory) {
		this.title = title;
		this.factory = factory;
	}

	/**
	 * Returns the sources that a database supports.
	 * @param sequences whether the database has sequences
	 */
	static List<OrderIds> of(boolean sequences) {
		return Arrays.stream(values())
			.filter((ids) -> sequences || (ids != SEQUENCE_50 && ids != SEQUENCE_1000))
			.toList();
	}

	String title() {
		return this.title;
	}

	String table() {
		return "orders_" + name().toLowerCase(Locale.ROOT);
	}

	Order create() {
		return this.factory.get();
	}

	@Entity
	@Table(name = "orders_identity")
	static class IdentityOrder extends Order {

		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		private @Nullable Long id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_sequence_50")
	static class Sequence50Order extends Order {

		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE)
		@SequenceGenerator(sequenceName = "ids_50", allocationSize = 50)
		private @Nullable Long id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_sequence_1000")
	static class Sequence1000Order extends Order {

		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE)
		@SequenceGenerator(sequenceName = "ids_1000", allocationSize = 1000)
		private @Nullable Long id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_table_50")
	static class Table50Order extends Order {

		@Id
		@GeneratedValue(strategy = GenerationType.TABLE)
		@TableGenerator(name = "table_50", allocationSize = 50)
		private @Nullable Long id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_table_1000")
	static class Table1000Order extends Order {

		@Id
		@GeneratedValue(strategy = GenerationType.TABLE)
		@TableGenerator(name = "table_1000", allocationSize = 1000)
		private @Nullable Long id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_segment")
	static class SegmentOrder extends Order {

		@Id
		@LeafId("order")
		private @Nullable Long id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_snowflake")
	static class SnowflakeOrder extends Order {

		@Id
		@LeafId(OrdersApplication.SNOWFLAKE_KEY)
		private @Nullable Long id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_uuid_7")
	static class UuidOrder extends Order {

		@Id
		@UuidGenerator(style = UuidGenerator.Style.VERSION_7)
		private @Nullable UUID id;

		@Override
		@Nullable Object id() {
			return this.id;
		}

	}

	@Entity
	@Table(name = "orders_tsid")
	static class TsidOrder extends Order {

		private static final TsidFactory TSIDS = TsidFactory.newInstance1024(1);

		@Id
		private Long id = TSIDS.create().toLong();

		@Override
		Object id() {
			return this.id;
		}

	}

}
