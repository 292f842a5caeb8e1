// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.twodatasources.ledger;

import org.springframework.data.jpa.repository.JpaRepository;

public interface PostingRepository extends JpaRepository<Posting, Long> {

}
