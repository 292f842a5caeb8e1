// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.leaf.IdGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of applications that take segments over TLS and identify themselves with a client
 * certificate.
 */
@ExtendWith(OutputCaptureExtension.class)
class RangesOverTlsTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	private Path directory;

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private ConfigurableApplicationContext server;

	@BeforeEach
	void startServer() throws Exception {
		certificate("server");
		certificate("client");
		certificate("stranger");
		trust("server", "client");
		trust("client", "server");
		trust("stranger", "server");
		String database = "jdbc:h2:mem:" + UUID.randomUUID();
		this.server = RangeServers.start(database, "--server.ssl.key-store=" + file("server"),
				"--server.ssl.key-store-password=" + PASSWORD, "--server.ssl.trust-store=" + file("server-trust"),
				"--server.ssl.trust-store-password=" + PASSWORD, "--server.ssl.client-auth=need",
				"--management.server.ssl.enabled=false");
		this.contexts.add(this.server);
		RangeServers.jdbc(database).update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
	}

	@AfterEach
	void stop() {
		for (int i = this.contexts.size() - 1; i >= 0; i--) {
			this.contexts.get(i).close();
		}
	}

	@Test
	void theLogContainsTheSchemeOfEachPort(CapturedOutput output) {
		assertThat(output).containsPattern(
				"IDs: https://127\\.0\\.0\\.1:\\d+/api/segment/get/\\[key]\\. Live page: http://127\\.0\\.0\\.1:\\d+/");
	}

	@Test
	void aClientWithATrustedCertificateIsServed() {
		assertThat(application("client").getBean(IdGenerator.class).nextId("order")).isPositive();
	}

	@Test
	void aClientWithAnUntrustedCertificateIsRefused() {
		assertThatException().isThrownBy(() -> application("stranger")).havingRootCause();
	}

	@Test
	void anApplicationRefusesAServerThatItDoesNotTrust() {
		assertThatException().isThrownBy(() -> application(null))
			.havingRootCause()
			.withMessageContaining("unable to find valid certification path");
	}

	private ConfigurableApplicationContext application(String certificate) {
		List<String> arguments = new ArrayList<>(List.of("--leaf.segment.source=server",
				"--leaf.server.urls=https://127.0.0.1:" + this.server.getEnvironment().getProperty("local.server.port"),
				"--leaf.segment.acquire-timeout=100ms"));
		if (certificate != null) {
			String bundle = "--spring.ssl.bundle.jks.leaf.";
			arguments.addAll(List.of("--leaf.server.ssl-bundle=leaf", bundle + "keystore.location=" + file(certificate),
					bundle + "keystore.password=" + PASSWORD,
					bundle + "truststore.location=" + file(certificate + "-trust"),
					bundle + "truststore.password=" + PASSWORD));
		}
		ConfigurableApplicationContext application = new SpringApplicationBuilder(RangesTests.Application.class)
			.web(WebApplicationType.NONE)
			.properties("spring.config.location=optional:classpath:none.yaml")
			.run(arguments.toArray(String[]::new));
		this.contexts.add(application);
		return application;
	}

	private Path file(String name) {
		return this.directory.resolve(name + ".p12");
	}

	private void certificate(String name) throws Exception {
		keytool("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "san=ip:127.0.0.1",
				"-keystore", file(name).toString());
		keytool("-exportcert", "-alias", name, "-file", this.directory.resolve(name + ".crt").toString(), "-keystore",
				file(name).toString());
	}

	private void trust(String name, String other) throws Exception {
		keytool("-importcert", "-noprompt", "-alias", other, "-file", this.directory.resolve(other + ".crt").toString(),
				"-keystore", file(name + "-trust").toString());
	}

	private static void keytool(String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
		command.addAll(List.of(arguments));
		command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).as(output).isZero();
	}

}
