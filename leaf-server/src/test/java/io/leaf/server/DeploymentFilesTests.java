// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the manifests for Kubernetes and of {@code compose.yaml}: each is consistent,
 * and the server starts with the environment that it defines.
 */
class DeploymentFilesTests {

	private static final Path KUBERNETES = Repository.file("deploy/kubernetes");

	private final RestClient client = RestClient.builder()
		.defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {
		})
		.build();

	@TempDir
	Path folder;

	@Test
	void theManifestsAreConsistent() throws IOException {
		Map<String, Object> deployment = manifest("deployment");
		Object labels = at(deployment, "spec", "template", "metadata", "labels");
		assertThat(at(deployment, "spec", "replicas")).isEqualTo(3);
		assertThat(
				List.of(at(deployment, "spec", "selector", "matchLabels"), at(manifest("service"), "spec", "selector"),
						at(manifest("pod-disruption-budget"), "spec", "selector", "matchLabels"),
						at(manifest("network-policy"), "spec", "podSelector", "matchLabels")))
			.allMatch(labels::equals);
		Map<String, Object> ports = new TreeMap<>();
		maps(container(), "ports").forEach((port) -> ports.put((String) port.get("name"), port.get("containerPort")));
		assertThat(ports).isEqualTo(Map.of("api", 8080, "management", 8081));
		Map<String, Object> service = maps(map(manifest("service"), "spec"), "ports").get(0);
		assertThat(ports).containsKey((String) service.get("targetPort"));
		for (Map<String, Object> rule : maps(map(manifest("network-policy"), "spec"), "ingress")) {
			maps(rule, "ports").forEach((port) -> assertThat(ports).containsKey((String) port.get("port")));
		}
		try (Stream<Path> files = Files.list(KUBERNETES)) {
			assertThat(files.map((file) -> file.getFileName().toString()).filter((name) -> name.endsWith(".yaml")))
				.containsExactlyInAnyOrder("deployment.yaml", "service.yaml", "pod-disruption-budget.yaml",
						"network-policy.yaml");
		}
	}

	@Test
	void theServerStartsInKubernetesAndAnswersItsProbes() throws IOException {
		Map<String, Object> environment = new HashMap<>();
		for (Map<String, Object> variable : maps(container(), "env")) {
			// a variable without a value comes from a secret
			environment.put((String) variable.get("name"), variable.getOrDefault("value", "secret"));
		}
		assertThat(environment).containsKey("LEAF_SEGMENT_DATASOURCE_PASSWORD");
		environment.put("KUBERNETES_SERVICE_HOST", "10.96.0.1");
		environment.put("KUBERNETES_SERVICE_PORT", "443");
		// what Kubernetes would add for the Service if enableServiceLinks were true
		environment.put("LEAF_SERVER_SERVICE_HOST", "10.96.0.12");
		environment.put("LEAF_SERVER_SERVICE_PORT_API", "8080");
		environment.put("LEAF_SERVER_PORT", "tcp://10.96.0.12:8080");
		environment.put("LEAF_SERVER_PORT_8080_TCP_ADDR", "10.96.0.12");
		environment.put("LEAF_SEGMENT_DATASOURCE_URL", "jdbc:h2:mem:kubernetes");
		try (ConfigurableApplicationContext server = start(environment)) {
			for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
				assertThat(at(container(), probe, "httpGet", "port")).isEqualTo("management");
				assertThat(status(server, "management", (String) at(container(), probe, "httpGet", "path"), null))
					.as(probe)
					.isEqualTo(200);
			}
			assertThat(status(server, "server", "/api/segment/rows", "secret")).isEqualTo(200);
			assertThat(status(server, "server", "/api/segment/rows", "another")).isEqualTo(401);
		}
	}

	@Test
	@SuppressWarnings("unchecked") // the structure of the file
	void aServerOfTheComposeFileStarts() throws Exception {
		Map<String, Object> compose = read(Repository.file("leaf-server/compose.yaml"));
		Map<String, Object> services = map(compose, "services");
		assertThat(services).containsOnlyKeys("leaf-1", "leaf-2", "nginx", "mysql", "zookeeper");
		services.values().forEach((service) -> {
			Object dependencies = ((Map<String, Object>) service).getOrDefault("depends_on", List.of());
			assertThat((dependencies instanceof Map<?, ?> map) ? map.keySet() : (List<?>) dependencies)
				.allSatisfy((dependency) -> assertThat(services).containsKey((String) dependency));
		});
		try (TestingServer zooKeeper = new TestingServer()) {
			Map<String, Object> environment = new HashMap<>(map(map(services, "leaf-1"), "environment"));
			environment.put("LEAF_SEGMENT_DATASOURCE_URL", "jdbc:h2:mem:compose");
			environment.put("LEAF_SNOWFLAKE_ZOOKEEPER_CONNECT_STRING", zooKeeper.getConnectString());
			environment.put("LEAF_SNOWFLAKE_STATE_DIR", this.folder.resolve("state").toString());
			try (ConfigurableApplicationContext server = start(environment)) {
				String api = "http://127.0.0.1:" + server.getEnvironment().getProperty("local.server.port");
				assertThat(this.client.get().uri(api + "/api/segment/get/any").retrieve().body(String.class))
					.isEqualTo("1");
				assertThat(this.client.get().uri(api + "/api/snowflake/get/any").retrieve().body(String.class))
					.matches("\\d{19}");
				assertThat(status(server, "server", "/api/segment/rows",
						(String) environment.get("LEAF_SERVER_CLIENTS_SHOP_TOKEN")))
					.isEqualTo(200);
			}
		}
	}

	private static ConfigurableApplicationContext start(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
		return new SpringApplicationBuilder(LeafServerApplication.class).environment(environment)
			.run("--server.port=0", "--management.server.port=0");
	}

	private int status(ConfigurableApplicationContext server, String port, String path, String token) {
		String url = "http://127.0.0.1:" + server.getEnvironment().getProperty("local." + port + ".port") + path;
		return ((token != null) ? this.client.post().uri(url).header("Authorization", "Bearer " + token)
				: this.client.get().uri(url))
			.retrieve()
			.toBodilessEntity()
			.getStatusCode()
			.value();
	}

	private static Map<String, Object> container() throws IOException {
		return maps(map(map(map(manifest("deployment"), "spec"), "template"), "spec"), "containers").get(0);
	}

	private static Map<String, Object> manifest(String name) throws IOException {
		return read(KUBERNETES.resolve(name + ".yaml"));
	}

	private static Map<String, Object> read(Path file) throws IOException {
		return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
	}

	private static Object at(Map<String, Object> yaml, String... path) {
		Object value = yaml;
		for (String name : path) {
			assertThat(value).as(name).isInstanceOf(Map.class);
			value = ((Map<?, ?>) value).get(name);
		}
		return value;
	}

	@SuppressWarnings("unchecked") // the parser returns untyped values
	private static Map<String, Object> map(Map<String, Object> yaml, String name) {
		return (Map<String, Object>) yaml.get(name);
	}

	@SuppressWarnings("unchecked") // the parser returns untyped values
	private static List<Map<String, Object>> maps(Map<String, Object> yaml, String name) {
		return (List<Map<String, Object>>) yaml.get(name);
	}

}
