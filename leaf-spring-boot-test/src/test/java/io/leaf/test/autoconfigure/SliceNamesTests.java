// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the generator is in every slice that includes Leaf, under each name of the
 * slice: Spring Boot silently ignores a file with a wrong name.
 */
class SliceNamesTests {

	@Test
	void theGeneratorIsInEverySliceOfLeaf() throws IOException {
		Set<String> expected = filesWith("io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration");
		expected.remove("org.springframework.boot.autoconfigure.AutoConfiguration.imports");
		assertThat(expected).hasSizeGreaterThan(8);
		expected.add(AutoConfigureTestIdGenerator.class.getName() + ".imports");
		assertThat(filesWith(TestIdGeneratorAutoConfiguration.class.getName())).isEqualTo(expected);
	}

	private static Set<String> filesWith(String line) throws IOException {
		return Arrays
			.stream(new PathMatchingResourcePatternResolver().getResources("classpath*:META-INF/spring/*.imports"))
			.filter((file) -> content(file).lines().anyMatch(line::equals))
			.map(Resource::getFilename)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String content(Resource file) {
		try {
			return file.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

}
