// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.time.Instant;
import java.time.InstantSource;

import io.leaf.IdGenerator;
import io.leaf.actuate.StoreObservations;
import io.leaf.autoconfigure.properties.BeanSelection;
import io.leaf.autoconfigure.properties.IdFormatsConfiguration;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties.Source;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;
import io.leaf.autoconfigure.segment.ClosingOrder;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.SavedLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.file.FileSavedLeaseStore;
import io.leaf.snowflake.lease.file.Machine;
import io.leaf.text.IdFormats;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of snowflake mode.
 */
@AutoConfiguration(after = LeafSegmentAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.XADataSourceAutoConfiguration" },
		beforeName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
				"org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration" })
@Conditional(OnSnowflakeModeCondition.class)
@ConditionalOnMissingBean(value = IdGenerator.class, ignored = SegmentIdGenerator.class)
@EnableConfigurationProperties({ LeafProperties.class, LeafSnowflakeProperties.class })
@Import({ ClosingOrder.class, IdFormatsConfiguration.class, WorkerLeaseStoreConfigurations.ZooKeeper.class,
		WorkerLeaseStoreConfigurations.Jdbc.class, WorkerLeaseStoreConfigurations.File.class,
		WorkerLeaseStoreConfigurations.Server.class, WorkerLeaseStoreConfigurations.Missing.class })
public final class LeafSnowflakeAutoConfiguration {

	@Bean
	ProcessLabel leafProcessLabel(LeafSnowflakeProperties properties, Environment environment) {
		return ProcessLabel.of(properties, environment);
	}

	@Bean
	SnowflakeLanes leafSnowflakeLanes(LeafSnowflakeProperties properties) {
		BeanSelection.require("leaf.snowflake.enabled", true, properties.enabled());
		SnowflakeSettings settings = properties.settings(Instant.now());
		GeneratorClock clock = new GeneratorClock(InstantSource.system(), System::nanoTime,
				properties.clock().maxDrift());
		return new SnowflakeLanes(settings, clock);
	}

	// The LeaseKeeper closes the SavedLeaseStore, so the bean has no destroy method. A
	// fixed worker ID (Source.FILE) needs no saved lease, because its lease record is
	// already a file on this machine.
	@Bean(destroyMethod = "")
	@ConditionalOnMissingBean
	@ConditionalOnWorkerSource({ Source.ZOOKEEPER, Source.JDBC, Source.SERVER })
	SavedLeaseStore leafSavedLeaseStore(LeafProperties properties, LeafSnowflakeProperties snowflake,
			ProcessLabel label, Environment environment) {
		return new FileSavedLeaseStore(snowflake.stateDirectory(), properties.nameOr(environment), label.port(),
				Machine.local(label.toString()));
	}

	@Bean(initMethod = "start")
	LeaseKeeper leafLeaseKeeper(WorkerLeaseStore store, ObjectProvider<SavedLeaseStore> savedLeases,
			SnowflakeLanes lanes, LeafProperties properties, LeafSnowflakeProperties snowflake, ProcessLabel label,
			Environment environment, ObjectProvider<StoreObservations> observations) {
		StoreObservations observing = observations.getIfAvailable();
		return new LeaseKeeper((observing != null) ? observing.observe(store) : store, savedLeases.getIfAvailable(),
				lanes, snowflake.leaseSettings(properties.nameOr(environment), label.toString()));
	}

	// the keeper is a parameter so that Spring starts it before creating the generator
	@Bean
	SnowflakeIdGenerator leafSnowflakeIdGenerator(SnowflakeLanes lanes, LeaseKeeper keeper, IdFormats formats) {
		return new SnowflakeIdGenerator(lanes, formats);
	}

}
