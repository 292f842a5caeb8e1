// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.kotlin

import io.leaf.LeafId
import jakarta.persistence.Entity
import jakarta.persistence.Id
import jakarta.persistence.Table

// from docs/persistence.md
@Entity
@Table(name = "orders")
class Order(@Id @LeafId("order") val id: Long? = null, val item: String)

@Entity
data class Payment(@Id @LeafId("payment") val id: Long = 0, val cents: Long)
// end of docs/persistence.md

/**
 * An entity whose annotations name their targets.
 */
@Entity
class Refund(@field:Id @field:LeafId var id: Long? = null, var cents: Long)

/**
 * An entity with the annotations on the getter.
 */
@Entity
class Shipment(@get:Id @get:LeafId var id: Long? = null, var city: String)

/**
 * An entity whose ID is not a constructor parameter.
 */
@Entity
class Customer(val name: String) {

	@Id
	@LeafId
	var id: Long = 0
		protected set

}

/**
 * An entity whose ID is a string.
 */
@Entity
class Note(@Id @LeafId val id: String? = null, val text: String)
