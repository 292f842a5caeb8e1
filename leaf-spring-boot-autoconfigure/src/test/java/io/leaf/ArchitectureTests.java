// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that packages depend on each other only as the design allows, and tests coding
 * rules.
 */
class ArchitectureTests {

	/**
	 * The packages in the order of the design: a package may depend only on packages
	 * before it.
	 */
	private static final List<String> PACKAGES = List.of("io.leaf", "io.leaf.support", "io.leaf.text", "io.leaf.jdbc",
			"io.leaf.http", "io.leaf.segment", "io.leaf.segment.jdbc", "io.leaf.segment.server", "io.leaf.snowflake",
			"io.leaf.snowflake.lease", "io.leaf.snowflake.lease.zookeeper", "io.leaf.snowflake.lease.jdbc",
			"io.leaf.snowflake.lease.file", "io.leaf.snowflake.lease.server", "io.leaf.hibernate", "io.leaf.data",
			"io.leaf.mybatis", "io.leaf.json", "io.leaf.actuate", "io.leaf.autoconfigure.properties",
			"io.leaf.autoconfigure.datasource", "io.leaf.autoconfigure.segment", "io.leaf.autoconfigure.snowflake",
			"io.leaf.autoconfigure", "io.leaf.autoconfigure.persistence", "io.leaf.autoconfigure.actuate",
			"io.leaf.autoconfigure.text", "io.leaf.autoconfigure.legacy");

	private static final String[] CORE = { "io.leaf", "io.leaf.support", "io.leaf.text", "io.leaf.segment",
			"io.leaf.snowflake", "io.leaf.snowflake.lease" };

	/**
	 * The types outside of {@code io.leaf} that applications inject, implement, configure
	 * or name. Any other public type is in a package whose description says that it is
	 * internal.
	 */
	private static final Set<String> API = Set.of("text.IdFormat", "text.IdFormatSettings", "text.IdFormats",
			"text.IdSecret", "segment.KeyPeriod", "text.LeafText", "segment.KeySettings", "segment.Ordering",
			"segment.PeriodUnit", "segment.SegmentIdGenerator", "segment.SegmentRow", "segment.SegmentSettings",
			"segment.SegmentStatus", "segment.SegmentStore", "segment.SegmentStoreException", "snowflake.SnowflakeId",
			"snowflake.SnowflakeIdGenerator", "snowflake.SnowflakeLayout", "snowflake.lease.Lease",
			"snowflake.lease.LeaseRecord", "snowflake.lease.WorkerLeaseStore",
			"snowflake.lease.WorkerLeaseStoreException", "hibernate.LeafAttributeGenerator",
			"hibernate.LeafIdIntegrator", "hibernate.LeafIdentifierGenerator", "json.AsJsonString",
			"json.LeafTextJackson2Module", "json.LeafTextModule", "actuate.HealthReport", "actuate.HealthThresholds",
			"actuate.LeafEndpoint", "actuate.LeafHealth", "autoconfigure.LeafIdGeneratorAutoConfiguration",
			"autoconfigure.datasource.LeafDataSource", "autoconfigure.segment.LeafSegmentAutoConfiguration",
			"autoconfigure.snowflake.LeafSnowflakeAutoConfiguration",
			"autoconfigure.snowflake.LeafZooKeeperConnectionDetails",
			"autoconfigure.persistence.LeafDataJdbcAutoConfiguration",
			"autoconfigure.persistence.LeafDataR2dbcAutoConfiguration",
			"autoconfigure.persistence.LeafMybatisAutoConfiguration",
			"autoconfigure.persistence.LeafMybatisPlusAutoConfiguration",
			"autoconfigure.actuate.LeafEndpointAutoConfiguration", "autoconfigure.actuate.LeafHealthAutoConfiguration",
			"autoconfigure.actuate.LeafMetricsAutoConfiguration",
			"autoconfigure.actuate.LeafObservationAutoConfiguration", "autoconfigure.text.LeafTextAutoConfiguration");

	private static final DescribedPredicate<JavaClass> LEAF_ID = simpleName("LeafId");

	private static final JavaClasses classes = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.leaf");

	@Test
	void everyPackageIsInTheDesign() {
		assertThat(packages().map(JavaPackage::getName)).isSubsetOf(PACKAGES);
	}

	@Test
	void packagesDependOnlyOnThoseBeforeThem() {
		for (int i = 0; i < PACKAGES.size() - 1; i++) {
			String[] later = PACKAGES.subList(i + 1, PACKAGES.size()).toArray(String[]::new);
			check(noClasses().that()
				.resideInAPackage(PACKAGES.get(i))
				.and(DescribedPredicate.not(LEAF_ID))
				.should()
				.dependOnClassesThat()
				.resideInAnyPackage(later));
		}
	}

	@Test
	void noCycles() {
		check(SlicesRuleDefinition.slices()
			.assignedFrom(new EachPackage())
			.should()
			.beFreeOfCycles()
			.ignoreDependency(LEAF_ID, resideInAPackage("io.leaf.hibernate")));
	}

	@Test
	void coreUsesNoFramework() {
		check(noClasses().that()
			.resideInAnyPackage(CORE)
			.and(DescribedPredicate.not(LEAF_ID))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework..", "java.sql..", "javax.sql..", "jakarta..", "org.hibernate..",
					"org.apache.curator..", "org.apache.zookeeper..", "com.zaxxer..", "com.fasterxml..",
					"tools.jackson.."));
	}

	@Test
	void leafIdDependsOnlyOnHibernatesAnnotation() {
		check(classes().that(LEAF_ID)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java.lang..", "io.leaf.hibernate", "org.hibernate.annotations"));
	}

	@Test
	void onlyActuateAndAutoconfigureUseSpringBoot() {
		check(noClasses().that()
			.resideOutsideOfPackages("io.leaf.actuate", "io.leaf.autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.boot.."));
	}

	@Test
	void autoConfigurationsAreFinalAndHaveNoPublicMethods() {
		check(classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration"));
		check(noMethods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic());
		check(constructors().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.haveRawParameterTypes(new Class<?>[0]));
	}

	@Test
	void beanMethodsArePackagePrivateAndHaveNoConditionalOnClass() {
		check(methods().that()
			.areAnnotatedWith(Bean.class)
			.should()
			.bePackagePrivate()
			.andShould()
			.notBeAnnotatedWith(ConditionalOnClass.class));
	}

	@Test
	void noSynchronizedMethods() {
		check(noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED));
	}

	@Test
	void everyThreadIsALibraryThread() {
		check(noClasses().that(DescribedPredicate.not(simpleName("LibraryThread")))
			.should()
			.callConstructorWhere(JavaCall.Predicates.target(HasOwner.Predicates.With.owner(type(Thread.class)))));
	}

	/**
	 * A native image finds the field of a handle only if the handle is created from
	 * constants.
	 */
	@Test
	void varHandlesAreCreatedInStaticInitializers() {
		check(noClasses().should()
			.callMethodWhere(JavaCall.Predicates.target(HasName.Predicates.name("findVarHandle"))
				.and(DescribedPredicate.describe("outside of a static initializer",
						(call) -> !call.getOrigin().getName().equals("<clinit>")))));
	}

	@Test
	void noStandardStreams() {
		check(GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(packages()).allSatisfy(
				(javaPackage) -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class)).as(javaPackage.getName())
					.isTrue());
	}

	@Test
	void publicTypesAreApiOrInAnInternalPackage() {
		Set<String> publicTypes = classes.stream()
			.filter((type) -> !type.getPackageName().equals("io.leaf"))
			.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
			.map((type) -> type.getName().substring("io.leaf.".length()))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(publicTypes).containsAll(API);
		assertThat(publicTypes).filteredOn((type) -> !API.contains(type)).allSatisfy((type) -> {
			Path folder = Path.of("src/main/java/io/leaf", type.replace('.', '/')).getParent();
			assertThat(folder.resolve("package-info.java")).content().containsIgnoringCase("internal");
		});
	}

	private static Stream<JavaPackage> packages() {
		return classes.stream().map(JavaClass::getPackage).distinct();
	}

	private static void check(ArchRule rule) {
		rule.allowEmptyShould(true).check(classes);
	}

	private static final class EachPackage implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return type.getPackageName().startsWith("io.leaf") ? SliceIdentifier.of(type.getPackageName())
					: SliceIdentifier.ignore();
		}

		@Override
		public String getDescription() {
			return "each package";
		}

	}

}
