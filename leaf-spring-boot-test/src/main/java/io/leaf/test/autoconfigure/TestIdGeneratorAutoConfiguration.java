// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.properties.IdFormatsConfiguration;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.test.TestIdGenerator;
import io.leaf.text.IdFormats;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

/**
 * Replaces Leaf's generators with a {@link TestIdGenerator}. Exclude this
 * auto-configuration from a slice ({@code excludeAutoConfiguration}) to use Leaf's own
 * generators in that slice.
 *
 * @see AutoConfigureTestIdGenerator
 */
@AutoConfiguration(before = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class,
		LeafIdGeneratorAutoConfiguration.class })
@Import(IdFormatsConfiguration.class)
public final class TestIdGeneratorAutoConfiguration {

	/**
	 * Keys with periods issue the IDs of the period that contains this day.
	 */
	private static final LocalDate PERIOD = LocalDate.of(2000, 1, 1);

	// has the same name as the bean of LeafIdGeneratorAutoConfiguration that it replaces
	@Bean
	@ConditionalOnMissingBean(IdGenerator.class)
	TestIdGenerator leafIdGenerator(LeafProperties properties, IdFormats formats) {
		Map<String, Long> firstByKey = new HashMap<>();
		properties.segmentKeys(Duration.ZERO).forEach((key, settings) -> {
			if (settings.period() != null) {
				firstByKey.put(key, settings.period().firstId(PERIOD));
			}
		});
		return new TestIdGenerator(1, firstByKey, formats);
	}

	@Bean
	StartMark leafTestIdStartMark(ObjectProvider<TestIdGenerator> generators) {
		return new StartMark(generators);
	}

	/**
	 * Marks the state of the generators when the application has started. Rows that were
	 * inserted during startup exist in every test method, so the IDs of these rows must
	 * not be issued again.
	 */
	record StartMark(ObjectProvider<TestIdGenerator> generators) {

		@EventListener(ApplicationReadyEvent.class)
		void mark() {
			this.generators.forEach(TestIdGenerator::mark);
		}

	}

}
