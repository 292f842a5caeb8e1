// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the manifests for Kubernetes: each is consistent, and the application starts
 * with the environment that it defines.
 */
class OrdersManifestTests {

	private static final ParameterizedTypeReference<Map<String, Object>> JSON = new ParameterizedTypeReference<>() {
	};

	private static final Path FOLDER = Path.of("../../deploy/kubernetes/application");

	/**
	 * Spring Boot's limit for the requests in progress, and the time that the two modes
	 * need to give back numbers and worker IDs if a store does not respond.
	 */
	private static final int SHUTDOWN_SECONDS = 30 + 20;

	@TempDir
	private Path folder;

	@Test
	void everyManifestIsTested() throws IOException {
		try (Stream<Path> files = Files.list(FOLDER)) {
			assertThat(files.map((file) -> file.getFileName().toString())).containsExactlyInAnyOrder("deployment.yaml",
					"statefulset.yaml");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "deployment.yaml", "statefulset.yaml" })
	void theManifestIsConsistent(String file) throws IOException {
		Map<String, Object> manifest = read(file);
		assertThat(at(manifest, "spec", "template", "metadata", "labels"))
			.isEqualTo(at(manifest, "spec", "selector", "matchLabels"));
		Map<String, Object> pod = pod(manifest);
		assertThat(pod).containsEntry("enableServiceLinks", false);
		Map<String, Object> container = container(manifest);
		int pause = (int) at(container, "lifecycle", "preStop", "sleep", "seconds");
		assertThat((int) pod.get("terminationGracePeriodSeconds")).isGreaterThanOrEqualTo(pause + SHUTDOWN_SECONDS);
		List<Object> ports = maps(container.get("ports")).stream().map((port) -> port.get("name")).toList();
		for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
			assertThat(ports).contains(at(container, probe, "httpGet", "port"));
		}
		List<Map<String, Object>> volumes = Stream.of(maps(pod.get("volumes")).stream(), claims(manifest))
			.flatMap((each) -> each)
			.toList();
		assertThat(maps(container.get("volumeMounts"))).extracting((mount) -> mount.get("name"))
			.hasSameElementsAs(volumes.stream().map((volume) -> volume.get("name")).toList());
		String stateDir = (String) environment(container).get("LEAF_SNOWFLAKE_STATE_DIR");
		assertThat(maps(container.get("volumeMounts"))).extracting((mount) -> Path.of((String) mount.get("mountPath")))
			.contains(Path.of(stateDir).getParent());
	}

	private static Stream<Map<String, Object>> claims(Map<String, Object> manifest) {
		Object templates = ((Map<?, ?>) manifest.get("spec")).get("volumeClaimTemplates");
		return (templates != null)
				? maps(templates).stream().map((claim) -> Map.of("name", at(claim, "metadata", "name")))
				: Stream.empty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "deployment.yaml", "statefulset.yaml" })
	void theApplicationStartsWithTheManifestAndAnswersItsProbes(String file) throws IOException {
		Map<String, Object> container = container(read(file));
		Map<String, Object> environment = environment(container);
		assertThat(environment).containsKeys("SPRING_DATASOURCE_URL", "LEAF_SNOWFLAKE_STATE_DIR");
		environment.put("SPRING_DATASOURCE_URL", "jdbc:h2:mem:" + file);
		environment.put("LEAF_SNOWFLAKE_STATE_DIR", this.folder.resolve("leaf").toString());
		environment.put("KUBERNETES_SERVICE_HOST", "10.96.0.1");
		environment.put("KUBERNETES_SERVICE_PORT", "443");
		try (ConfigurableApplicationContext application = start(environment)) {
			RestClient client = RestClient
				.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port"));
			for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
				String path = (String) at(container, probe, "httpGet", "path");
				assertThat(client.get().uri(path).retrieve().body(JSON)).as(probe).containsEntry("status", "UP");
			}
			Object snowflake = client.get().uri("/actuator/leaf").retrieve().body(JSON).get("snowflake");
			assertThat(at(snowflake, "source"))
				.isEqualTo(environment.getOrDefault("LEAF_SNOWFLAKE_WORKER_SOURCE", "jdbc"));
			assertThat(at(snowflake, "workerIds").toString()).isEqualTo(file.startsWith("stateful") ? "[2]" : "[0]");
		}
		assertThat(this.folder.resolve("leaf/orders")).isNotEmptyDirectory();
	}

	private static ConfigurableApplicationContext start(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
		return new SpringApplicationBuilder(OrdersApplication.class).environment(environment).run("--server.port=0");
	}

	/**
	 * Returns the environment variables. Those that have no value in the manifest get the
	 * value that they have in the third pod.
	 */
	private static Map<String, Object> environment(Map<String, Object> container) {
		Map<String, Object> fields = Map.of("metadata.name", "orders-2",
				"metadata.labels['apps.kubernetes.io/pod-index']", "2");
		Map<String, Object> environment = new HashMap<>();
		for (Map<String, Object> variable : maps(container.get("env"))) {
			Object value = variable.get("value");
			if (value == null) {
				Map<?, ?> source = (Map<?, ?>) variable.get("valueFrom");
				value = source.containsKey("fieldRef") ? fields.get(at(source, "fieldRef", "fieldPath")) : "secret";
			}
			environment.put((String) variable.get("name"), value);
		}
		return environment;
	}

	private static Map<String, Object> container(Map<String, Object> manifest) {
		return maps(pod(manifest).get("containers")).get(0);
	}

	@SuppressWarnings("unchecked") // the parser returns untyped values
	private static Map<String, Object> pod(Map<String, Object> manifest) {
		return (Map<String, Object>) at(manifest, "spec", "template", "spec");
	}

	private static Map<String, Object> read(String file) throws IOException {
		return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(FOLDER.resolve(file)));
	}

	private static Object at(Object yaml, String... path) {
		Object value = yaml;
		for (String name : path) {
			assertThat(value).as(name).isInstanceOf(Map.class);
			value = ((Map<?, ?>) value).get(name);
		}
		return value;
	}

	@SuppressWarnings("unchecked") // the parser returns untyped values
	private static List<Map<String, Object>> maps(Object yaml) {
		return (List<Map<String, Object>>) yaml;
	}

}
