// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/**
 * A shop in Kotlin, on JPA.
 */
@SpringBootApplication
class ShopApplication

fun main(args: Array<String>) {
	runApplication<ShopApplication>(*args)
}
