// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.twodatasources.shop;

import org.springframework.data.jpa.repository.JpaRepository;

public interface PurchaseRepository extends JpaRepository<Purchase, Long> {

}
