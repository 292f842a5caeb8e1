// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import jakarta.persistence.Entity;

@Entity
class EmailNotice extends Notice {

}
