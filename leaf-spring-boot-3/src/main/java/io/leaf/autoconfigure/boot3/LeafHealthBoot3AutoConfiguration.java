// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.boot3;

import java.util.LinkedHashMap;
import java.util.Map;

import io.leaf.actuate.HealthReport;
import io.leaf.actuate.LeafHealth;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health contributor on Spring Boot 3. On Spring Boot 4, whose
 * health types are in another package, {@code LeafHealthAutoConfiguration} itself
 * configures the contributor.
 */
@AutoConfiguration(afterName = "io.leaf.autoconfigure.actuate.LeafHealthAutoConfiguration")
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("leaf")
@ConditionalOnBean(LeafHealth.class)
public final class LeafHealthBoot3AutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "leafHealthIndicator", "leafHealthContributor" })
	HealthContributor leafHealthContributor(LeafHealth health) {
		Map<String, HealthIndicator> parts = new LinkedHashMap<>();
		health.parts().forEach((mode, part) -> parts.put(mode, () -> health(part.get())));
		return CompositeHealthContributor.fromMap(parts);
	}

	private static Health health(HealthReport report) {
		return Health.status(new Status(report.level().name())).withDetails(report.details()).build();
	}

}
