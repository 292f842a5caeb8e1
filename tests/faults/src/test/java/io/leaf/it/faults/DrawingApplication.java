// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.leaf.IdSequence;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.it.faults.Progress.ThreadProgress;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.lease.LeaseKeeper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application that draws IDs of both modes, with {@link #THREADS} threads each, until
 * it is killed or its standard input ends.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
		LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class })
class DrawingApplication {

	static final int THREADS = 2;

	static final String KEY = "order";

	/** The property with the time from one batch of a thread to the next. */
	static final String INTERVAL = "drawing.interval";

	/**
	 * Returns the file in which a thread records its IDs.
	 * @param prefix the prefix of the names of all files of the process
	 */
	static Path idFile(String prefix, IdMode mode, int thread) {
		return Path.of("%s-%s-%d.ids".formatted(prefix, mode.name().toLowerCase(), thread));
	}

	static Path progressFile(String prefix) {
		return Path.of(prefix + ".progress");
	}

	/**
	 * Runs the application.
	 * @param args the prefix of the names of its files, and properties as {@code
	 * --name=value}
	 */
	public static void main(String[] args) throws Exception {
		String prefix = args[0];
		Progress progress = new Progress(progressFile(prefix));
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(DrawingApplication.class)
			.web(WebApplicationType.NONE)
			.run(Arrays.copyOfRange(args, 1, args.length))) {
			SegmentIdGenerator segments = context.getBean(SegmentIdGenerator.class);
			LeaseKeeper leases = context.getBean(LeaseKeeper.class);
			Duration interval = context.getEnvironment().getProperty(INTERVAL, Duration.class, Duration.ofMillis(10));
			List<IdDrawer> drawers = new ArrayList<>();
			drawers.addAll(start(prefix, IdMode.SEGMENT, segments.sequence(KEY), () -> segments.status(KEY).fetches(),
					progress, interval));
			drawers.addAll(start(prefix, IdMode.SNOWFLAKE, context.getBean(SnowflakeIdGenerator.class).sequence(KEY),
					() -> horizon(leases), progress, interval));
			while (System.in.read() >= 0) {
				// the input stays empty: its end is the signal to stop
			}
			for (IdDrawer drawer : drawers) {
				drawer.end();
			}
		}
	}

	private static long horizon(LeaseKeeper leases) {
		Instant horizon = leases.status().horizon();
		return (horizon != null) ? horizon.toEpochMilli() : 0;
	}

	private static List<IdDrawer> start(String prefix, IdMode mode, IdSequence sequence, LongSupplier confirmed,
			Progress progress, Duration interval) throws IOException {
		AtomicLong highest = new AtomicLong(-1);
		List<IdDrawer> drawers = new ArrayList<>();
		for (int thread = 0; thread < THREADS; thread++) {
			IdDrawer drawer = new IdDrawer(sequence, highest, new IdRunWriter(idFile(prefix, mode, thread)),
					new ThreadProgress(progress, mode, thread), confirmed, interval);
			drawer.start();
			drawers.add(drawer);
		}
		return drawers;
	}

}
