// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.kotlin

import io.leaf.IdGenerator
import jakarta.persistence.EntityManager
import org.springframework.data.jpa.repository.JpaRepository
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

interface OrderRepository : JpaRepository<Order, Long>

interface PaymentRepository : JpaRepository<Payment, Long>

/**
 * Saves entities through repositories and through the entity manager, and draws IDs itself.
 */
@Service
class Shop(
	private val ids: IdGenerator,
	private val orders: OrderRepository,
	private val payments: PaymentRepository,
	private val entityManager: EntityManager
) {

	fun order(item: String): Order = orders.save(Order(item = item))

	fun pay(cents: Long): Payment = payments.save(Payment(cents = cents))

	fun reserve(count: Int): LongArray = ids.nextIds("order", count)

	@Transactional
	fun persist(entity: Any) = entityManager.persist(entity)

}
