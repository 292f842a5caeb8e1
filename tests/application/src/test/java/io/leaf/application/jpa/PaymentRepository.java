// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

interface PaymentRepository extends JpaRepository<Payment, Long> {

}
