// SPDX-License-Identifier: GPL-2.0
/*
 * What WSS4J makes of answers of the gateway. Usage: Answers PKI CA.CRT DIR
 *
 * DIR holds NAME.answer and, where its signature is to be confirmed, NAME.request. Writes a line
 * for each: "NAME accepted WHAT", WHAT as far as it is: signed encrypted confirmed related fault; or "NAME refused WHY".
 */
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import javax.security.auth.callback.CallbackHandler;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.WSDataRef;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.message.token.SignatureConfirmation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

public final class Answers {
    static final String WSA = "http://www.w3.org/2005/08/addressing";
    static Merlin trust, decrypt;

    static Merlin trusted(String... files) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String file : files) {
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                store.setCertificateEntry(file, CertificateFactory.getInstance("X.509").generateCertificate(in));
            }
        }
        Merlin m = new Merlin();
        m.setTrustStore(store);
        return m;
    }

    static Merlin owned(Path p12) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(p12)) {
            store.load(in, "vectors".toCharArray());
        }
        Merlin m = new Merlin();
        m.setKeyStore(store);
        return m;
    }

    static Document parse(Path file) throws Exception {
        DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
        f.setNamespaceAware(true);
        return f.newDocumentBuilder().parse(file.toFile());
    }

    static Element only(Document doc, String ns, String name) {
        var all = doc.getElementsByTagNameNS(ns, name);
        return all.getLength() == 1 ? (Element) all.item(0) : null;
    }

    static Element body(Document doc) {
        for (Node n = doc.getDocumentElement().getFirstChild(); n != null; n = n.getNextSibling())
            if ("Body".equals(n.getLocalName()))
                return (Element) n;
        return null;
    }

    static void require(boolean condition, String why) throws Exception {
        if (!condition)
            throw new Exception(why);
    }

    /* Everything that a client who wants signed answers would look at. */
    static String verify(Path file) throws Exception {
        Document doc = parse(file);
        RequestData data = new RequestData();
        data.setWssConfig(WSSConfig.getNewInstance());
        data.setSigVerCrypto(trust);
        data.setDecCrypto(decrypt);
        data.setCallbackHandler((CallbackHandler) callbacks -> {
            for (var c : callbacks)
                ((WSPasswordCallback) c).setPassword("vectors");
        });
        var result = new WSSecurityEngine().processSecurityHeader(doc, data);
        require(result != null, "no Security header");
        var what = new TreeSet<String>();
        var protectedElements = new java.util.ArrayList<Element>();
        SignatureConfirmation confirmation = null;
        for (WSSecurityEngineResult r : result.getResults()) {
            int action = (Integer) r.get(WSSecurityEngineResult.TAG_ACTION);
            if (action == WSConstants.SIGN) {
                what.add("signed");
                @SuppressWarnings("unchecked")
                var refs = (List<WSDataRef>) r.get(WSSecurityEngineResult.TAG_DATA_REF_URIS);
                for (WSDataRef ref : refs)
                    protectedElements.add(ref.getProtectedElement());
            } else if (action == WSConstants.ENCR) {
                what.add("encrypted");
            } else if (action == WSConstants.SC) {
                confirmation = (SignatureConfirmation) r.get(WSSecurityEngineResult.TAG_SIGNATURE_CONFIRMATION);
            }
        }
        require(!what.isEmpty(), "neither signed nor encrypted");
        if (what.contains("signed")) {
            require(protectedElements.contains(body(doc)), "the Body is not signed");
            require(protectedElements.contains(only(doc, WSConstants.WSU_NS, "Timestamp")), "the Timestamp is not signed");
        }
        Path request = Path.of(file.toString().replace(".answer", ".request"));
        if (Files.exists(request)) {
            String value = only(parse(request), WSConstants.SIG_NS, "SignatureValue").getTextContent();
            require(confirmation != null, "no SignatureConfirmation");
            require(Arrays.equals(confirmation.getSignatureValue(), Base64.getMimeDecoder().decode(value)),
                "the SignatureConfirmation is of another request");
            require(protectedElements.contains(confirmation.getElement()), "the SignatureConfirmation is not signed");
            what.add("confirmed");
        }
        Element relates = only(doc, WSA, "RelatesTo");
        if (relates != null) {
            require(protectedElements.contains(relates), "the RelatesTo is not signed");
            what.add("related");
        }
        Node payload = body(doc).getFirstChild();
        if ("Fault".equals(payload.getLocalName()))
            what.add("fault");
        else
            require("submitOrderResponse".equals(payload.getLocalName()), "it is " + payload.getLocalName());
        return String.join(" ", what);
    }

    public static void main(String[] args) throws Exception {
        WSSConfig.init();
        trust = trusted(args[0] + "/ca.crt", args[1]);
        decrypt = owned(Path.of(args[0], "rsa.p12"));
        try (var files = Files.newDirectoryStream(Path.of(args[2]), "*.answer")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".answer", "");
                try {
                    System.out.println(name + " accepted " + verify(file));
                } catch (Exception e) {
                    System.out.println(name + " refused " + String.valueOf(e.getMessage()).replace('\n', ' '));
                }
            }
        }
    }
}
