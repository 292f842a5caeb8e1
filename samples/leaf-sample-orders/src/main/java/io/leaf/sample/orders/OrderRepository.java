// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import org.springframework.data.jpa.repository.JpaRepository;

/**
 * Where orders are kept.
 */
public interface OrderRepository extends JpaRepository<Order, Long> {

}
