/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.application.kotlin

import io.leaf.IdGenerator
import jakarta.persistence.EntityManager
import org.springframework.data.jpa.repository.JpaRepository
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

interface OrderRepository : JpaRepository<Order, Long>

interface PaymentRepository : JpaRepository<Payment, Long>

/**
 * Saves entities by repositories and by the entity manager, and draws IDs itself.
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
