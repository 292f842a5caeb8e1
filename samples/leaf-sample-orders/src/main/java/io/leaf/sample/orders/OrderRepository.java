// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;

/**
 * The repository of the orders.
 */
public interface OrderRepository extends JpaRepository<Order, Long> {

	Optional<Order> findByNumber(long number);

}
