// SPDX-License-Identifier: GPL-2.0
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipFile;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Source;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.DOMException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.xml.sax.InputSource;

/**
 * Changes legal documents of the built-in schemas at random, and lets the JDK's Xerces judge them by
 * the official schemas.
 *
 * Usage: java Mutants.java LIST SEEDS OUT COUNT [NAME...]; writes OUT/NAME/probe.xsd, whose imports load the
 * built-in schemas, OUT/NAME/N.xml, a SOAP message with a document, and OUT/NAME.verdicts: the
 * message, yes or no, what was changed, the first error. The same COUNT gives the same documents.
 */
public class Mutants {
	static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;
	static final String PROBE = "urn:fmp:probe";
	static final String[] VALUES = { "", "AAAA", "5", "-1", "0", "a b", "urn:x", "2026-01-01T00:00:00Z", "Permit",
			"==", "x", "1.5", "false", "P1D", "literal", "o:q" };

	/** An official schema. */
	static class Official {
		String text, namespace;
		String[] others;
	}

	final Map<String, Official> all = new LinkedHashMap<>();
	final Map<String, Official> byNamespace = new HashMap<>();
	final DocumentBuilderFactory documents = DocumentBuilderFactory.newInstance();
	final DOMImplementationLS ls;
	final Path seeds, out;

	Mutants(Path list, Path seeds, Path out) throws Exception {
		this.seeds = seeds;
		this.out = out;
		documents.setNamespaceAware(true);
		ls = (DOMImplementationLS) DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
		for (String line : Files.readAllLines(list)) {
			String[] field = line.split("\t");

			if (!line.startsWith("#"))
				add(field[0], field[1], Paths.get(Files.readString(Paths.get("build", field[2])).strip(), field[3]), field[4]);
		}
	}

	/** A package is a directory if it was unpacked. */
	void add(String name, String others, Path archive, String path) throws Exception {
		Official o = new Official();

		if (Files.isDirectory(archive)) {
			o.text = Files.readString(archive.resolve(path));
		} else {
			try (ZipFile zip = new ZipFile(archive.toFile())) {
				byte[] b = zip.getInputStream(zip.getEntry(path)).readAllBytes();

				o.text = new String(b, StandardCharsets.UTF_8);
			}
		}
		o.text = o.text.substring(o.text.indexOf('<'));
		o.namespace = parse(o.text).getDocumentElement().getAttribute("targetNamespace");
		o.others = others.equals("-") ? new String[0] : others.split(" ");
		all.put(name, o);
		byNamespace.put(o.namespace, o);
	}

	Document parse(String text) throws Exception {
		var builder = documents.newDocumentBuilder();

		builder.setEntityResolver((publicId, id) -> new InputSource(new StringReader("")));
		return builder.parse(new InputSource(new StringReader(text)));
	}

	LSInput input(String text, String id, String base) {
		LSInput in = ls.createLSInput();

		in.setSystemId(id);
		in.setBaseURI(base);
		in.setCharacterStream(new StringReader(text));
		return in;
	}

	/** Whatever a schema imports is the official schema of that namespace, or else empty. */
	LSInput resolve(String type, String namespace, String id, String base) {
		if (!type.equals(XSD))
			return input("", id, base);
		Official o = byNamespace.get(namespace);

		return input(o != null ? o.text : "<s:schema xmlns:s='" + XSD + "'"
				+ (namespace == null ? "" : " targetNamespace='" + namespace + "'") + "/>", id, base);
	}

	Schema compile(String name) throws Exception {
		SchemaFactory f = SchemaFactory.newInstance(XSD);
		List<Source> sources = new ArrayList<>();
		Path host = seeds.resolve(name + ".xsd");

		f.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "all");
		f.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "all");
		f.setResourceResolver((type, ns, publicId, id, base) -> resolve(type, ns, id, base));
		for (String other : all.get(name).others)
			sources.add(new StreamSource(new StringReader(all.get(other).text), "fmp:" + other));
		sources.add(new StreamSource(new StringReader(all.get(name).text), "fmp:" + name));
		if (Files.exists(host))
			sources.add(new StreamSource(host.toFile()));
		return f.newSchema(sources.toArray(new Source[0]));
	}

	/** A schema whose one element takes each document that the imports declare. */
	void writeProbe(String name) throws Exception {
		StringBuilder s = new StringBuilder("<xs:schema xmlns:xs='" + XSD + "' targetNamespace='" + PROBE + "'>\n");

		for (String other : all.get(name).others)
			s.append("<xs:import namespace='" + all.get(other).namespace + "'/>\n");
		s.append("<xs:import namespace='" + all.get(name).namespace + "'/>\n");
		if (Files.exists(seeds.resolve(name + ".xsd"))) {
			Files.copy(seeds.resolve(name + ".xsd"), out.resolve(name).resolve("host.xsd"));
			s.append("<xs:import namespace='urn:fmp:host' schemaLocation='host.xsd'/>\n");
		}
		s.append("<xs:element name='probe'><xs:complexType><xs:sequence><xs:any/></xs:sequence></xs:complexType></xs:element>\n");
		Files.writeString(out.resolve(name).resolve("probe.xsd"), s + "</xs:schema>\n");
	}

	static List<Element> elements(Document d) {
		NodeList n = d.getElementsByTagName("*");
		List<Element> list = new ArrayList<>();

		for (int i = 0; i < n.getLength(); i++)
			list.add((Element) n.item(i));
		return list;
	}

	static void change(Document d, Element e, Element other, int kind, int i, Random r) {
		NamedNodeMap attributes = e.getAttributes();
		Node parent = e.getParentNode();
		boolean isRoot = parent == d;
		String value = VALUES[r.nextInt(VALUES.length)];
		Node a = attributes.getLength() > 0 ? attributes.item(r.nextInt(attributes.getLength())) : null;

		if (a != null && a.getNodeName().startsWith("xmlns"))
			a = null;
		switch (kind) {
		case 0 -> {
			if (!isRoot)
				parent.removeChild(e);
		}
		case 1 -> {
			if (!isRoot)
				parent.insertBefore(e.cloneNode(true), e);
		}
		case 2 -> e.appendChild(other.cloneNode(true));
		case 3 -> {
			if (!isRoot)
				parent.insertBefore(other.cloneNode(true), e);
		}
		case 4 -> {
			if (a != null)
				attributes.removeNamedItem(a.getNodeName());
		}
		case 5 -> {
			if (a != null)
				a.setNodeValue(value);
		}
		case 6 -> {
			if (r.nextBoolean())
				e.setAttribute("Id", "z" + i);
			else
				e.setAttributeNS("urn:o", "o:n", "1");
		}
		case 7 -> e.appendChild(d.createTextNode(value));
		default -> {
			while (e.getFirstChild() != null)
				e.removeChild(e.getFirstChild());
			if (r.nextBoolean())
				e.appendChild(d.createTextNode(value));
		}
		}
	}

	/** Change one or two things. Return: what, for the report. */
	static String mutate(Document d, int i, Random r) {
		String what = "";

		for (int n = 1 + r.nextInt(2); n > 0; n--) {
			List<Element> list = elements(d);
			Element e = list.get(r.nextInt(list.size())), other = list.get(r.nextInt(list.size()));
			int kind = r.nextInt(9);

			what += (what.isEmpty() ? "" : ", ") + kind + " at " + e.getNodeName();
			try {
				change(d, e, other, kind, i, r);
			} catch (DOMException no) {
				what += " (not done)";
			}
		}
		return what;
	}

	static String verdict(Schema s, Document d) {
		try {
			s.newValidator().validate(new DOMSource(d));
			return "yes";
		} catch (Exception e) {
			return "no\t" + e.getMessage().replaceAll("\\s+", " ");
		}
	}

	void write(Document d, Path file, Transformer plain) throws Exception {
		StringWriter text = new StringWriter();

		plain.transform(new DOMSource(d), new StreamResult(text));
		Files.writeString(file, "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><p:probe xmlns:p='"
				+ PROBE + "'>" + text + "</p:probe></s:Body></s:Envelope>");
	}

	void run(String name, int count) throws Exception {
		Document seed = parse(Files.readString(seeds.resolve(name + ".xml")));
		Schema schema = compile(name);
		Transformer plain = TransformerFactory.newInstance().newTransformer();
		List<Element> roots = new ArrayList<>();
		List<String> lines = new ArrayList<>();
		Random r = new Random(name.hashCode());

		plain.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
		Files.createDirectories(out.resolve(name));
		writeProbe(name);
		for (Node n = seed.getDocumentElement().getFirstChild(); n != null; n = n.getNextSibling())
			if (n instanceof Element e)
				roots.add(e);
		for (int i = 0; i < Math.max(count, roots.size()); i++) {
			Document d = documents.newDocumentBuilder().newDocument();

			d.appendChild(d.importNode(roots.get(i % roots.size()), true));
			String what = i < roots.size() ? "unchanged" : mutate(d, i, r);
			String file = String.format("%05d.xml", i), said = verdict(schema, d);

			write(d, out.resolve(name).resolve(file), plain);
			lines.add(file + "\t" + what + "\t" + said);
		}
		Files.write(out.resolve(name + ".verdicts"), lines);
	}

	public static void main(String[] args) throws Exception {
		Mutants m = new Mutants(Paths.get(args[0]), Paths.get(args[1]), Paths.get(args[2]));

		List<String> names = List.of(args).subList(4, args.length);

		for (String name : m.all.keySet()) {
			if (!names.isEmpty() && !names.contains(name))
				continue;
			try {
				m.run(name, Integer.parseInt(args[3]));
			} catch (Exception e) {
				System.err.println(name + ": " + e);
			}
		}
	}
}
