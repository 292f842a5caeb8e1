// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.twodatasources;

import io.leaf.application.twodatasources.shop.Purchase;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

@SpringBootApplication
@EntityScan(basePackageClasses = Purchase.class)
@EnableJpaRepositories(basePackageClasses = Purchase.class)
class TwoDataSourcesApplication {

}
