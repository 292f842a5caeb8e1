// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import org.springframework.data.jpa.repository.JpaRepository;

/**
 * The repository of the payments.
 */
public interface PaymentRepository extends JpaRepository<Payment, Long> {

}
