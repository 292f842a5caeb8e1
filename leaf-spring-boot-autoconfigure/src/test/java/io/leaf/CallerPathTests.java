// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a caller enters no monitor, does not spin, and acquires no lock except that
 * of the executor's queue when it submits a task. If it has to wait, it parks. The tests
 * examine the packages that its calls pass through. Exempt code runs only on the
 * library's threads.
 */
class CallerPathTests {

	private static final String[] PACKAGES = { "io.leaf", "io.leaf.segment", "io.leaf.snowflake", "io.leaf.hibernate" };

	/**
	 * The keeper's thread replaces the clock's line under a lock. Readers take no lock.
	 */
	private static final String CLOCK = "io.leaf.snowflake.GeneratorClock";

	/**
	 * The refresh and the results of look-ups add sequences. Callers only read them.
	 */
	private static final String SEQUENCES_ARE_ADDED = "io.leaf.segment.KeyDirectory.seen(io.leaf.segment.SegmentRow)";

	private static final JavaClasses classes = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.leaf");

	@Test
	void noLock() {
		noClasses().that()
			.resideInAnyPackage(PACKAGES)
			.and()
			.doNotHaveFullyQualifiedName(CLOCK)
			.should()
			.dependOnClassesThat(resideInAPackage("java.util.concurrent.locks")
				.and(DescribedPredicate.not(equivalentTo(LockSupport.class))))
			.check(classes);
	}

	/**
	 * A thread of a {@code ForkJoinPool} that waits for a future may run other tasks of
	 * its pool in the meantime.
	 */
	@Test
	void noWaitingForAFuture() {
		noClasses().that()
			.resideInAnyPackage(PACKAGES)
			.and()
			.doNotHaveFullyQualifiedName("io.leaf.segment.SegmentIdGenerator")
			.should()
			.callMethodWhere(DescribedPredicate.describe("a thread waits for a future",
					(call) -> call.getTargetOwner().isAssignableTo(Future.class)
							&& (call.getName().startsWith("get") || call.getName().equals("join"))))
			.check(classes);
	}

	@Test
	void noTypeThatLocksOrRunsOtherTasksInternally() {
		noClasses().that()
			.resideInAnyPackage(PACKAGES)
			.should()
			.dependOnClassesThat(assignableTo(BlockingQueue.class).or(assignableTo(Semaphore.class))
				.or(assignableTo(Exchanger.class))
				.or(assignableTo(Phaser.class))
				.or(assignableTo(CyclicBarrier.class)))
			.check(classes);
	}

	@Test
	void noMonitor() {
		assertThat(classes.stream().filter((type) -> resides(type) && entersAMonitor(type)).map(JavaClass::getName))
			.isEmpty();
	}

	@Test
	void finderDetectsAMonitor() {
		assertThat(entersAMonitor(new ClassFileImporter().importClass(Monitor.class))).isTrue();
	}

	@Test
	void noWriteToAConcurrentHashMap() {
		noClasses().that()
			.resideInAnyPackage(PACKAGES)
			.should()
			.callMethodWhere(DescribedPredicate.describe("a ConcurrentHashMap is written to",
					(call) -> call.getTargetOwner().isAssignableTo(ConcurrentHashMap.class) && !isRead(call.getTarget())
							&& !call.getOrigin().getFullName().equals(SEQUENCES_ARE_ADDED)))
			.check(classes);
	}

	@Test
	void noSpinning() {
		noClasses().that()
			.resideInAnyPackage(PACKAGES)
			.should()
			.callMethodWhere(DescribedPredicate.describe("a thread spins or sleeps", CallerPathTests::spins))
			.check(classes);
	}

	private static boolean isRead(CodeUnitCallTarget target) {
		return Set.of("get", "containsKey", "values", "size").contains(target.getName());
	}

	private static boolean spins(JavaCall<?> call) {
		String name = call.getName();
		return call.getTargetOwner().isEquivalentTo(Thread.class)
				&& (name.equals("sleep") || name.equals("yield") || name.equals("onSpinWait") || name.equals("join"));
	}

	private static boolean resides(JavaClass type) {
		for (String name : PACKAGES) {
			if (type.getPackageName().equals(name)) {
				return true;
			}
		}
		return false;
	}

	private static boolean entersAMonitor(JavaClass type) {
		MonitorFinder finder = new MonitorFinder();
		try (InputStream bytes = type.getSource().orElseThrow().getUri().toURL().openStream()) {
			new ClassReader(bytes).accept(finder, 0);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		return finder.found;
	}

	private static final class MonitorFinder extends ClassVisitor {

		private boolean found;

		MonitorFinder() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			this.found |= (access & Opcodes.ACC_SYNCHRONIZED) != 0;
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {
				@Override
				public void visitInsn(int opcode) {
					MonitorFinder.this.found |= (opcode == Opcodes.MONITORENTER);
				}
			};
		}

	}

	private static final class Monitor {

		int enter() {
			synchronized (this) {
				return 1;
			}
		}

	}

}
