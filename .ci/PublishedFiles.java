// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Checks a Maven repository in a folder: it must contain the files that Maven Central
 * requires, for the published modules and no others. The arguments are the folder of the
 * sources, the folder of the repository, and the version.
 */
public class PublishedFiles {

	private static final List<String> JAR_ENDINGS = List.of(".jar", "-sources.jar", "-javadoc.jar");

	/**
	 * The elements that each POM must declare.
	 */
	private static final List<String> DECLARED = List.of("name", "description");

	/**
	 * The elements that the modules inherit from the parent.
	 */
	private static final List<String> INHERITED = List.of("url", "licenses/license/name", "licenses/license/url",
			"developers/developer/name", "scm/connection", "scm/developerConnection", "scm/url", "issueManagement/url");

	/**
	 * The application. It is never on a classpath, and its POM has no parent.
	 */
	private static final String EXECUTABLE = "leaf-server";

	private final Path license;

	private final Path group;

	private final String version;

	private final Document parent;

	private final Set<String> artifacts = new TreeSet<>();

	private final Map<String, String> artifactsByPackage = new HashMap<>();

	private final List<String> problems = new ArrayList<>();

	private PublishedFiles(Path sources, Path repository, String version) throws Exception {
		this.license = sources.resolve("LICENSE");
		this.group = repository.resolve("io/leaf");
		this.version = version;
		this.parent = xml(sources.resolve("pom.xml"));
		this.artifacts.add("leaf-parent");
		this.artifacts.addAll(texts(this.parent, "/project/modules/module"));
	}

	public static void main(String[] args) throws Exception {
		PublishedFiles files = new PublishedFiles(Path.of(args[0]), Path.of(args[1]), args[2]);
		files.check();
		if (!files.problems.isEmpty()) {
			files.problems.forEach(System.err::println);
			System.exit(1);
		}
		System.out.println("Complete: " + String.join(", ", files.artifacts));
	}

	private void check() throws Exception {
		require(names(this.group).equals(this.artifacts),
				"The published artifacts are %s, but the modules of the parent are %s", names(this.group),
				this.artifacts);
		for (String artifact : this.artifacts) {
			Path directory = this.group.resolve(artifact).resolve(this.version);
			String prefix = artifact + "-" + this.version;
			if (!Files.exists(directory.resolve(prefix + ".pom"))) {
				require(false, "%s has no POM", artifact);
				continue;
			}
			Document pom = xml(directory.resolve(prefix + ".pom"));
			checkPom(artifact, pom);
			boolean jar = !texts(pom, "/project/packaging").contains("pom");
			Set<String> files = Stream.concat(Stream.of(".pom"), jar ? JAR_ENDINGS.stream() : Stream.empty())
				.flatMap((ending) -> Stream.of("", ".md5", ".sha1").map((checksum) -> prefix + ending + checksum))
				.collect(Collectors.toCollection(TreeSet::new));
			require(names(directory).equals(files), "%s has the files %s instead of %s", artifact, names(directory),
					files);
			if (jar && names(directory).containsAll(files)) {
				checkLicenses(artifact, directory.resolve(prefix).toString());
				if (artifact.equals(EXECUTABLE)) {
					checkExecutable(artifact, directory.resolve(prefix).toString());
				}
				else {
					checkJars(artifact, directory.resolve(prefix).toString());
				}
			}
		}
	}

	private void checkPom(String artifact, Document pom) throws Exception {
		for (String element : DECLARED) {
			require(hasText(pom, element), "The POM of %s has no <%s>", artifact, element);
		}
		boolean executable = artifact.equals(EXECUTABLE);
		boolean declaresAll = artifact.equals("leaf-parent") || executable;
		for (String element : INHERITED) {
			require(hasText(pom, element) == declaresAll, "The POM of %s %s", artifact,
					declaresAll ? "has no " + element : "has " + element + ", which only the parent declares");
		}
		require(!executable || texts(pom, "//parent | //build | //profiles | //dependency[scope='test']").isEmpty(),
				"The POM of %s has a parent or describes the build or the tests", artifact);
		require(texts(pom, "//dependency/type").stream().noneMatch("test-jar"::equals),
				"The POM of %s depends on a test-jar, which is not published", artifact);
		for (String dependency : texts(pom, "//dependency[groupId='io.leaf']/artifactId")) {
			require(this.artifacts.contains(dependency), "The POM of %s depends on %s, which is not published",
					artifact, dependency);
		}
		require(texts(pom, "//version").stream().noneMatch((value) -> value.endsWith("-SNAPSHOT")),
				"The POM of %s contains the version of a snapshot", artifact);
		require(texts(pom, "//repositories | //pluginRepositories | //systemPath").isEmpty(),
				"The POM of %s names a repository or a path", artifact);
	}

	private void checkLicenses(String artifact, String prefix) throws IOException {
		for (String ending : JAR_ENDINGS) {
			try (JarFile jar = new JarFile(prefix + ending)) {
				JarEntry entry = jar.getJarEntry("META-INF/LICENSE");
				require(entry != null && Arrays.equals(read(jar, entry), Files.readAllBytes(this.license)),
						"%s%s does not contain the LICENSE in META-INF", artifact, ending);
			}
		}
	}

	private void checkExecutable(String artifact, String prefix) throws IOException {
		try (JarFile jar = new JarFile(prefix + ".jar");
				JarFile sources = new JarFile(prefix + "-sources.jar");
				JarFile javadoc = new JarFile(prefix + "-javadoc.jar")) {
			Attributes manifest = checkVersion(artifact, jar);
			String main = String.valueOf(manifest.getValue("Start-Class")).replace('.', '/');
			require(jar.getJarEntry("BOOT-INF/classes/" + main + ".class") != null, "%s cannot be started", artifact);
			require(sources.getJarEntry(main + ".java") != null, "The sources of %s lack %s", artifact, main);
			require(javadoc.getJarEntry(main + ".html") != null, "The javadoc of %s lacks %s", artifact, main);
			List<String> tests = jar.stream()
				.map(JarEntry::getName)
				.filter((name) -> name.matches("BOOT-INF/lib/.*(test|junit|selenium|SNAPSHOT).*"))
				.toList();
			require(tests.isEmpty(), "%s contains %s", artifact, tests);
		}
	}

	private Attributes checkVersion(String artifact, JarFile jar) throws IOException {
		Attributes manifest = jar.getManifest().getMainAttributes();
		require(this.version.equals(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION)),
				"%s has the Implementation-Version %s", artifact,
				manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
		return manifest;
	}

	private void checkJars(String artifact, String prefix) throws IOException {
		try (JarFile jar = new JarFile(prefix + ".jar");
				JarFile sources = new JarFile(prefix + "-sources.jar");
				JarFile javadoc = new JarFile(prefix + "-javadoc.jar")) {
			Attributes manifest = checkVersion(artifact, jar);
			String module = manifest.getValue("Automatic-Module-Name");
			require(module != null, "%s has no Automatic-Module-Name", artifact);
			claim("module " + module, artifact);
			Set<String> packages = jar.stream()
				.map(JarEntry::getName)
				.filter((name) -> name.endsWith(".class"))
				.map((name) -> name.substring(0, name.lastIndexOf('/')))
				.collect(Collectors.toCollection(TreeSet::new));
			for (String name : packages) {
				claim("package " + name, artifact);
				require(sources.getJarEntry(name + "/package-info.java") != null, "The sources of %s lack %s", artifact,
						name);
			}
			// a package without public types has no page
			boolean documented = javadoc.stream().anyMatch((page) -> page.getName().endsWith("/package-summary.html"));
			require(documented || packages.isEmpty(), "The javadoc of %s does not describe a package", artifact);
		}
	}

	// two jars with the same package cannot be modules of one application
	private void claim(String name, String artifact) {
		String owner = this.artifactsByPackage.putIfAbsent(name, artifact);
		require(owner == null || owner.equals(artifact), "The %s is in %s and also in %s", name, owner, artifact);
	}

	private void require(boolean condition, String problem, Object... args) {
		if (!condition) {
			this.problems.add(problem.formatted(args));
		}
	}

	private boolean hasText(Document pom, String element) throws Exception {
		return texts(pom, "/project/" + element).stream().anyMatch((text) -> !text.isBlank());
	}

	private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
		try (InputStream stream = jar.getInputStream(entry)) {
			return stream.readAllBytes();
		}
	}

	// excludes the metadata of the repository
	private static Set<String> names(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> !name.startsWith("maven-metadata"))
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	private static Document xml(Path file) throws Exception {
		return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
	}

	private static List<String> texts(Document document, String path) throws Exception {
		NodeList nodes = (NodeList) XPathFactory.newInstance()
			.newXPath()
			.evaluate(path, document, XPathConstants.NODESET);
		return IntStream.range(0, nodes.getLength()).mapToObj((i) -> nodes.item(i).getTextContent().strip()).toList();
	}

}
