// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AggregateIds} with the collections that an aggregate may have.
 */
class AggregateIdsTests {

	private final RecordingIdGenerator generator = new RecordingIdGenerator();

	private final EntityIds ids = new EntityIds(List.of(new RelationalMappingContext()), () -> this.generator);

	@Test
	void recordsInFinalCollectionsAreReplacedInPlace() {
		FinalRoot root = new FinalRoot(new LinkedList<>(List.of(new Line(null), new Line(42L), new Line(null))),
				new HashMap<>(Map.of("a", new Line(null))), new HashSet<>(Set.of(new Line(null))));
		List<Line> lines = root.lines;
		assertThat(withIds(root)).isSameAs(root);
		assertThat(root.lines).isSameAs(lines).containsExactly(new Line(1001L), new Line(42L), new Line(1002L));
		assertThat(root.byName).isEqualTo(Map.of("a", new Line(1003L)));
		assertThat(root.set).containsExactly(new Line(1004L)).contains(new Line(1004L));
	}

	@Test
	void collectionsThatCannotBeModifiedAreReplaced() {
		Root root = new Root();
		root.lines = List.of(new Line(null));
		root.byName = Map.of("a", new Line(null));
		root.set = Collections.unmodifiableSet(new HashSet<>(Set.of(new Line(null))));
		withIds(root);
		assertThat(root.lines).containsExactly(new Line(1001L));
		assertThat(root.byName).isEqualTo(Map.of("a", new Line(1002L)));
		assertThat(root.set).containsExactly(new Line(1003L));
	}

	@Test
	void recordAsRootIsCopied() {
		RecordRoot root = new RecordRoot(null, List.of(new Line(null)));
		assertThat(withIds(root)).isEqualTo(new RecordRoot(1001L, List.of(new Line(1001L))));
	}

	@Test
	void rootWithConstructorIsRebuilt() {
		FinalRoot root = withIds(new FinalRoot(List.of(new Line(null)), Map.of("a", new Line(null)), new HashSet<>()));
		assertThat(root.lines).containsExactly(new Line(1001L));
		assertThat(root.byName).isEqualTo(Map.of("a", new Line(1002L)));
	}

	@Test
	void propertyThatCannotBeChangedIsNamed() {
		UnchangeableRoot root = new UnchangeableRoot();
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> withIds(root))
			.withMessage("Cannot set the IDs of the entities in %s.lines: the entities are immutable, and neither the "
					+ "property nor its value can be modified. Use a modifiable collection or a property that is not final, or "
					+ "set these IDs before you save", UnchangeableRoot.class.getName());
	}

	@Test
	void setFindsElementsWhoseHashCodeDependsOnTheId() {
		SetRoot root = new SetRoot();
		Child first = new Child("a");
		Child second = new Child("b");
		root.hashed.addAll(List.of(first, second));
		root.sorted.addAll(List.of(first, second));
		withIds(root);
		assertThat(root.hashed.contains(first)).isTrue();
		assertThat(root.hashed.remove(second)).isTrue();
		assertThat(root.sorted.contains(first)).isTrue();
		assertThat(this.generator.issued()).isEqualTo(Map.of("child", 2L));
	}

	@Test
	void setThatCannotBeModifiedIsKeptIfItsElementsAreMutable() {
		SetRoot root = new SetRoot();
		Child child = new Child("a");
		root.hashed = Set.of(child);
		withIds(root);
		assertThat(child.id).isEqualTo(1001);
	}

	@Test
	void arraysGetIds() {
		ArrayRoot root = new ArrayRoot();
		root.lines = new Line[] { new Line(null), new Line(7L) };
		root.fixed = Arrays.asList(new Line(null));
		withIds(root);
		assertThat(root.lines).containsExactly(new Line(1001L), new Line(7L));
		assertThat(root.fixed).containsExactly(new Line(1002L));
	}

	@Test
	void viewOfMapIsCopied() {
		Map<String, Line> map = new HashMap<>(Map.of("a", new Line(null)));
		ArrayRoot root = new ArrayRoot();
		root.view = map.values();
		withIds(root);
		assertThat(root.view).containsExactly(new Line(1001L));
		assertThat(map).containsOnlyKeys("a");
	}

	@Test
	void nothingIsIssuedForEntitiesThatAreNotSaved() {
		ReadOnlyRoot root = new ReadOnlyRoot();
		root.lines = List.of(new Line(null));
		withIds(root);
		assertThat(root.lines).containsExactly(new Line(null));
	}

	@Test
	void otherPropertiesOfTheRootGetValuesIfItIsInserted() {
		Numbered root = new Numbered(null, 0, List.of(new NumberedLine(null), new NumberedLine(7L)));
		assertThat(new AggregateIds(this.ids, this.ids::next).withIds(root, false))
			.isEqualTo(new Numbered(null, 0, List.of(new NumberedLine(1001L), new NumberedLine(7L))));
		assertThat(withIds(root))
			.isEqualTo(new Numbered(null, 1001, List.of(new NumberedLine(1002L), new NumberedLine(7L))));
	}

	@Test
	void otherPropertyWithoutKeyIsRefused() {
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> withIds(new WithoutKey(null, 0)))
			.withMessage(
					"@LeafId on %s.number names no key, and only the ID of an entity has a default key (the name of "
							+ "the table). Name the key, as in @LeafId(\"order-number\")",
					WithoutKey.class.getName());
	}

	@Test
	void otherPropertyOfUnsupportedTypeIsRefused() {
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> withIds(new OtherType(null, 0)))
			.withMessageStartingWith("The attribute %s.number is of type int, but a Leaf ID needs",
					OtherType.class.getName());
	}

	@Test
	void partOfCompositeIdIsRefused() {
		assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> withIds(new CompositeRoot(new CompositeId("acme", 0))))
			.withMessage(
					"@LeafId on %s.number has no effect: with Spring Data, Leaf sets no part of a composite ID. Remove "
							+ "@LeafId and set the value yourself",
					CompositeId.class.getName());
	}

	private <T> T withIds(T root) {
		return new AggregateIds(this.ids, this.ids::next).withIds(root, true);
	}

	record Line(@Id @LeafId("line") Long id) {
	}

	record RecordRoot(@Id @LeafId("root") Long id, List<Line> lines) {
	}

	record Numbered(@Id Long id, @LeafId("number") long number, List<NumberedLine> lines) {
	}

	record NumberedLine(@LeafId("line") Long number) {
	}

	record WithoutKey(@Id Long id, @LeafId long number) {
	}

	record OtherType(@Id Long id, @LeafId("number") int number) {
	}

	record CompositeRoot(@Id CompositeId id) {
	}

	record CompositeId(String tenant, @LeafId("number") long number) {
	}

	static class FinalRoot {

		@Id
		private Long id;

		private final List<Line> lines;

		private final Map<String, Line> byName;

		private final Set<Line> set;

		FinalRoot(List<Line> lines, Map<String, Line> byName, Set<Line> set) {
			this.lines = lines;
			this.byName = byName;
			this.set = set;
		}

	}

	static class UnchangeableRoot {

		@Id
		private Long id;

		private final List<Line> lines = List.of(new Line(null));

	}

	static class Root {

		@Id
		private Long id;

		private List<Line> lines = new ArrayList<>();

		private Map<String, Line> byName = new HashMap<>();

		private Set<Line> set = new HashSet<>();

	}

	static class SetRoot {

		@Id
		private Long id;

		private Set<Child> hashed = new HashSet<>();

		private final Set<Child> sorted = new TreeSet<>((a, b) -> a.name.compareTo(b.name));

	}

	static class ArrayRoot {

		@Id
		private Long id;

		private Line[] lines;

		private List<Line> fixed;

		private Collection<Line> view;

	}

	static class ReadOnlyRoot {

		@Id
		private Long id;

		@ReadOnlyProperty
		private List<Line> lines;

	}

	static class Child {

		@Id
		@LeafId("child")
		private Long id;

		private final String name;

		Child(String name) {
			this.name = name;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Child that && Objects.equals(this.id, that.id) && this.name.equals(that.name);
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.id, this.name);
		}

	}

}
