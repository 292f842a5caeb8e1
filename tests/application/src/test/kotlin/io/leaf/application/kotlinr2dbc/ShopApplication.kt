// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.kotlinr2dbc

import io.leaf.LeafId
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.data.annotation.Id
import org.springframework.data.r2dbc.repository.R2dbcRepository

/**
 * A shop in Kotlin, on R2DBC.
 */
@SpringBootApplication
class ShopApplication

fun main(args: Array<String>) {
	runApplication<ShopApplication>(*args)
}

data class Invoice(@Id @LeafId val id: Long? = null, val customer: String)

data class Payment(@Id @LeafId("payment") val id: Long = 0, val cents: Long)

interface InvoiceRepository : R2dbcRepository<Invoice, Long>

interface PaymentRepository : R2dbcRepository<Payment, Long>
