// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.kotlinr2dbc

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.test.context.TestConstructor

/**
 * Tests of `@LeafId` on immutable data classes, which Spring Data copies.
 */
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@SpringBootTest(properties = ["spring.config.location=classpath:io/leaf/application/kotlinr2dbc/application.yaml"])
class KotlinR2dbcApplicationTests(
	private val invoices: InvoiceRepository,
	private val payments: PaymentRepository,
	private val database: DatabaseClient
) {

	@Test
	fun theReturnedObjectHasTheId() {
		val unsaved = Invoice(customer = "Ada")
		val saved = invoices.save(unsaved).block()!!
		assertThat(saved).isEqualTo(Invoice(1, "Ada"))
		assertThat(unsaved.id).isNull()
		assertThat(invoices.save(saved.copy(customer = "Ada L.")).block()).isEqualTo(Invoice(1, "Ada L."))
		assertThat(ids("invoice")).containsExactly(1)
	}

	@Test
	fun zeroIsReplacedByAnId() {
		val saved = payments.saveAll(listOf(Payment(cents = 750), Payment(cents = 250))).collectList().block()!!
		assertThat(saved).containsExactly(Payment(1, 750), Payment(2, 250))
		assertThat(ids("payment")).containsExactly(1, 2)
	}

	private fun ids(table: String): List<Long> =
		database.sql("SELECT id FROM $table ORDER BY id").map { row -> row.get(0, Long::class.javaObjectType)!! }.all().collectList()
			.block()!!

}
