// SPDX-License-Identifier: GPL-2.0
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXParseException;

/**
 * Compiles the schemas of WSDLs with the JDK's Xerces, with full checking. Reads names of files
 * from standard input; writes for each: yes or no, milliseconds, the first error. Nothing is
 * fetched: a document that is not a file counts as an empty one.
 */
public class Xerces {
	static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;
	static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";

	final DocumentBuilderFactory documents = DocumentBuilderFactory.newInstance();
	final DOMImplementationLS ls;
	final Set<Path> seen = new HashSet<>();
	final List<Source> schemas = new ArrayList<>();
	String error;

	Xerces() throws Exception {
		documents.setNamespaceAware(true);
		ls = (DOMImplementationLS) DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
	}

	static boolean is(Node n, String ns, String name) {
		return n instanceof Element && ns.equals(n.getNamespaceURI()) && name.equals(n.getLocalName());
	}

	/** A schema inside a WSDL, with the namespaces that are declared around it. */
	void add(Path file, Element schema) throws Exception {
		for (Node around = schema.getParentNode(); around instanceof Element; around = around.getParentNode()) {
			NamedNodeMap all = around.getAttributes();

			for (int i = 0; i < all.getLength(); i++) {
				Attr a = (Attr) all.item(i);

				if (a.getName().startsWith("xmlns") && !schema.hasAttribute(a.getName()))
					schema.setAttribute(a.getName(), a.getValue());
			}
		}
		StringWriter text = new StringWriter();
		TransformerFactory.newInstance().newTransformer().transform(new DOMSource(schema), new StreamResult(text));
		schemas.add(new StreamSource(new StringReader(text.toString()), file.toUri() + "#" + schemas.size()));
	}

	void read(Path name) throws Exception {
		Path file = name.toRealPath();

		if (!seen.add(file))
			return;
		Document d = documents.newDocumentBuilder().parse(file.toFile());
		for (Node n = d.getDocumentElement().getFirstChild(); n != null; n = n.getNextSibling()) {
			if (is(n, WSDL, "import")) {
				String location = ((Element) n).getAttribute("location");
				Path next = location.contains(":")
						? null : file.resolveSibling(URLDecoder.decode(location, "UTF-8"));

				if (next != null && Files.exists(next))
					read(next);
			}
			for (Node s = is(n, WSDL, "types") ? n.getFirstChild() : null; s != null; s = s.getNextSibling())
				if (is(s, XSD, "schema"))
					add(file, (Element) s);
		}
	}

	LSInput empty(String ns, String id, String base) {
		LSInput in = ls.createLSInput();

		in.setSystemId(id);
		in.setBaseURI(base);
		in.setStringData("<xs:schema xmlns:xs='" + XSD + "'"
				+ (ns == null ? "" : " targetNamespace='" + ns + "'") + "/>");
		return in;
	}

	void compile() throws Exception {
		SchemaFactory f = SchemaFactory.newInstance(XSD);

		f.setFeature("http://apache.org/xml/features/validation/schema-full-checking", true);
		f.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, false);
		f.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "file");
		f.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "file");
		f.setResourceResolver((type, ns, publicId, id, base) ->
				id == null || id.matches("[a-z]+://.*") && !id.startsWith("file:") ? empty(ns, id, base) : null);
		f.setErrorHandler(new ErrorHandler() {
			public void warning(SAXParseException e) {
			}

			public void error(SAXParseException e) {
				if (error == null)
					error = e.getLineNumber() + ": " + e.getMessage();
			}

			public void fatalError(SAXParseException e) {
				error(e);
			}
		});
		f.newSchema(schemas.toArray(new Source[0]));
	}

	public static void main(String[] args) throws Exception {
		BufferedReader names = new BufferedReader(new InputStreamReader(System.in));

		for (String name; (name = names.readLine()) != null;) {
			Xerces x = new Xerces();
			long start = System.nanoTime();

			try {
				x.read(Paths.get(name));
				x.compile();
			} catch (Exception e) {
				x.error = e.toString();
			}
			System.out.printf("%s\t%d\t%s%n", x.error == null ? "yes" : "no",
					(System.nanoTime() - start) / 1000000,
					x.error == null ? "" : x.error.replaceAll("\\s+", " "));
		}
	}
}
