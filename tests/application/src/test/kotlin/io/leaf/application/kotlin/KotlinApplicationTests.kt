// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.kotlin

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.test.context.TestConstructor

/**
 * Tests of `@LeafId` on properties, in the forms that Kotlin allows.
 */
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@SpringBootTest(properties = ["spring.config.location=classpath:io/leaf/application/kotlin/application.yaml"])
class KotlinApplicationTests(private val shop: Shop, private val database: JdbcTemplate) {

	@Test
	fun idsOfRepositoriesAndOfCallersAreConsecutive() {
		val before = shop.order("tea").id!!
		assertThat(shop.reserve(3)).containsExactly(before + 1, before + 2, before + 3)
		assertThat(shop.order("coffee").id).isEqualTo(before + 4)
		assertThat(numbers("SELECT id FROM orders ORDER BY id")).containsExactly(before, before + 4)
		assertThat(numbers("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")).containsExactly(1001L)
	}

	@Test
	fun zeroIsReplacedByAnId() {
		val saved = listOf(shop.pay(750), shop.pay(250))
		assertThat(saved.map(Payment::id)).doesNotContain(0).doesNotHaveDuplicates()
		assertThat(numbers("SELECT id FROM payment ORDER BY id")).isEqualTo(saved.map(Payment::id))
	}

	@Test
	fun everyFormOfTheAnnotationWorks() {
		val refund = Refund(cents = 100)
		val shipment = Shipment(city = "Paris")
		val customer = Customer("Ada")
		val note = Note(text = "by the door")
		listOf(refund, shipment, customer, note).forEach(shop::persist)
		assertThat(listOf(refund.id, shipment.id, customer.id, note.id)).containsExactly(1L, 1L, 1L, "1")
		for (table in listOf("refund", "shipment", "customer", "note")) {
			assertThat(numbers("SELECT id FROM $table")).containsExactly(1L)
			assertThat(numbers("SELECT max_id FROM leaf_alloc WHERE LOWER(biz_tag) = '$table'")).containsExactly(1001L)
		}
	}

	private fun numbers(query: String) = database.queryForList(query, Long::class.java)

}
