// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the messages of tests/interop/vectors/tokens: WSS4J and Santuario sign and encrypt,
 * none of our own code. Usage: Vectors PLAIN PKI SERVER.CRT OUT
 */
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.KeyGenerator;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.util.WSTimeSource;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.apache.wss4j.dom.message.WSSecUsernameToken;
import org.apache.xml.security.signature.XMLSignature;
import org.apache.xml.security.transforms.Transforms;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

public final class Vectors {
    static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String WSA = "http://www.w3.org/2005/08/addressing";
    static final String SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
    static final String DSIG = "http://www.w3.org/2000/09/xmldsig#";
    static final String MGF1 = "http://www.w3.org/2007/05/xmldsig-more#";
    static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";
    static final int TWENTY_YEARS = 630720000;
    static final WSTimeSource CLOCK = new WSTimeSource() {
        @Override
        public Instant now() {
            return live ? Instant.now() : Instant.parse("2026-11-22T02:00:00Z");
        }
    };

    static Path plain, pki, server, out;
    /* For a gateway that runs: created now, valid for minutes, and with clients of more kinds. */
    static boolean live;

    /* A message in the making: its document, and what is to be signed of it. */
    static final class Message {
        final Document doc;
        final WSSecHeader header;
        final List<WSEncryptionPart> parts = new java.util.ArrayList<>();
        /* What is to be encrypted; nothing: the Body's content. */
        final List<WSEncryptionPart> secrets = new java.util.ArrayList<>();

        Message() throws Exception {
            DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
            f.setNamespaceAware(true);
            doc = f.newDocumentBuilder().parse(plain.toFile());
            header = new WSSecHeader(doc);
            header.insertSecurityHeader();
            parts.add(new WSEncryptionPart("Body", SOAP, ""));
        }

        Message timestamp() throws Exception {
            WSSecTimestamp ts = new WSSecTimestamp(header);
            ts.setWsTimeSource(CLOCK);
            ts.setTimeToLive(live ? 300 : TWENTY_YEARS);
            ts.build();
            parts.add(new WSEncryptionPart("Timestamp", WSConstants.WSU_NS, ""));
            return this;
        }

        Message addressing() {
            Element h = (Element) header.getSecurityHeaderElement().getParentNode();
            String[][] blocks = {{"To", "http://example.org/orders"}, {"Action", "urn:fmp:orders:submitOrder"},
                {"MessageID", "urn:uuid:5f4dcc3b-5aa7-4af1-8f0e-3f4f5c8b9d11"}};
            for (String[] b : blocks) {
                Element e = doc.createElementNS(WSA, "wsa:" + b[0]);
                e.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:wsa", WSA);
                e.setTextContent(b[1]);
                h.appendChild(e);
                parts.add(new WSEncryptionPart(b[0], WSA, ""));
            }
            return this;
        }

        Message user(String type, boolean sign) throws Exception {
            WSSecUsernameToken t = new WSSecUsernameToken(header);
            t.setWsTimeSource(CLOCK);
            t.setPasswordType(type);
            t.setUserInfo("jane", "correct horse, battery");
            if (type.equals(WSConstants.PASSWORD_TEXT)) {
                t.addNonce();
                t.addCreated();
            }
            t.build();
            if (sign)
                parts.add(new WSEncryptionPart("UsernameToken", WSConstants.WSSE_NS, ""));
            return this;
        }

        /* modifier: Element, Content or Header, as in WSS4J's encryption parts, {modifier}{namespace}name. */
        Message hide(String modifier, String namespace, String name) {
            if (secrets.isEmpty())
                secrets.add(new WSEncryptionPart("Body", SOAP, "Content"));
            secrets.add(new WSEncryptionPart(name, namespace, modifier));
            return this;
        }

        /* What was encrypted becomes what is to be signed in the place of what it was; by the Id of what is around it, too. */
        Message signHidden(boolean around) {
            for (WSEncryptionPart s : secrets) {
                if (!parts.removeIf(p -> s.getName().equals(p.getName()) && !"Body".equals(p.getName())))
                    continue;
                Element data = byId(doc.getDocumentElement(), s.getEncId());
                Element outer = (Element) data.getParentNode();
                parts.add(new WSEncryptionPart(around && "Header".equals(s.getEncModifier())
                    ? outer.getAttributeNS(WSConstants.WSU_NS, "Id") : s.getEncId()));
            }
            return this;
        }

        WSSecSignature signer(String name, int keyIdentifier, String method, String digest) {
            WSSecSignature s = new WSSecSignature(header);
            s.setUserInfo(name, "vectors");
            s.setKeyIdentifierType(keyIdentifier);
            s.setSignatureAlgorithm(method);
            s.setDigestAlgo(digest);
            s.getParts().addAll(parts);
            return s;
        }

        Message sign(String name, int keyIdentifier, String method, String digest) throws Exception {
            signer(name, keyIdentifier, method, digest).build(crypto(name));
            return this;
        }

        /* The signature's key is the one that the assertion confirms. */
        Message signBySaml(String name, String assertion) throws Exception {
            WSSecSignature s = signer(name, WSConstants.CUSTOM_KEY_IDENTIFIER, MORE + "rsa-sha256", XENC + "sha256");
            s.setCustomTokenValueType(WSConstants.WSS_SAML2_KI_VALUE_TYPE);
            s.setCustomTokenId(assertion);
            s.build(crypto(name));
            return this;
        }

        Message encrypt(String cipher, String transport, String digest, String mgf) throws Exception {
            WSSecEncrypt e = new WSSecEncrypt(header);
            e.setKeyIdentifierType(WSConstants.ISSUER_SERIAL);
            e.setSymmetricEncAlgorithm(cipher);
            e.setKeyEncAlgo(transport);
            e.setDigestAlgorithm(digest);
            e.setMGFAlgorithm(mgf);
            Merlin c = new Merlin();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            try (InputStream in = Files.newInputStream(server)) {
                store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(in));
            }
            c.setKeyStore(store);
            e.setUserInfo("server");
            e.getParts().addAll(secrets);
            KeyGenerator g = KeyGenerator.getInstance("AES");
            g.init(cipher.contains("256") ? 256 : 128);
            e.build(c, g.generateKey());
            return this;
        }

        Message saml(String id, String method, String holder) throws Exception {
            header.getSecurityHeaderElement().appendChild(assertion(doc, id, method, holder));
            return this;
        }

        void write(String name) throws Exception {
            var t = TransformerFactory.newInstance().newTransformer();
            t.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            try (var o = Files.newOutputStream(out.resolve(name + ".xml"))) {
                t.transform(new DOMSource(doc), new StreamResult(o));
            }
        }
    }

    static KeyStore store(String name) throws Exception {
        KeyStore s = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(pki.resolve(name + ".p12"))) {
            s.load(in, "vectors".toCharArray());
        }
        return s;
    }

    static Merlin crypto(String name) throws Exception {
        Merlin c = new Merlin();
        c.setKeyStore(store(name));
        return c;
    }

    static Element byId(Element root, String id) {
        var all = root.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++)
            if (id.equals(((Element) all.item(i)).getAttribute("Id")))
                return (Element) all.item(i);
        throw new IllegalStateException("no element " + id);
    }

    static Element child(Element parent, String name, String... attributes) {
        Element e = parent.getOwnerDocument().createElementNS(SAML, "saml2:" + name);
        for (int i = 0; i < attributes.length; i += 2)
            e.setAttribute(attributes[i], attributes[i + 1]);
        parent.appendChild(e);
        return e;
    }

    /* saml-core 2.3.3, signed as 5.4 says; holder: whose key it confirms, null for bearer. */
    static Element assertion(Document doc, String id, String method, String holder) throws Exception {
        String from = "2026-11-22T01:59:00Z", until = "2046-11-22T02:00:00Z";
        Element a = doc.createElementNS(SAML, "saml2:Assertion");
        a.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:saml2", SAML);
        a.setAttribute("ID", id);
        a.setIdAttribute("ID", true);
        a.setAttribute("IssueInstant", "2026-11-22T02:00:00Z");
        a.setAttribute("Version", "2.0");
        Element issuer = child(a, "Issuer");
        issuer.setTextContent("https://idp.example.org/");
        Element subject = child(a, "Subject");
        child(subject, "NameID").setTextContent("jane");
        Element conf = child(subject, "SubjectConfirmation", "Method", "urn:oasis:names:tc:SAML:2.0:cm:" + method);
        Element data = child(conf, "SubjectConfirmationData", "NotOnOrAfter", until);
        if (holder != null) {
            X509Certificate c = (X509Certificate) store(holder).getCertificate(holder);
            String ds = DSIG;
            Element info = doc.createElementNS(ds, "ds:KeyInfo");
            info.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:ds", ds);
            Element x = doc.createElementNS(ds, "ds:X509Data"), cert = doc.createElementNS(ds, "ds:X509Certificate");
            cert.setTextContent(Base64.getEncoder().encodeToString(c.getEncoded()));
            x.appendChild(cert);
            info.appendChild(x);
            data.appendChild(info);
        }
        Element conditions = child(a, "Conditions", "NotBefore", from, "NotOnOrAfter", until);
        child(child(conditions, "AudienceRestriction"), "Audience").setTextContent("urn:fmp:orders");
        child(child(child(a, "AuthnStatement", "AuthnInstant", from), "AuthnContext"), "AuthnContextClassRef")
            .setTextContent("urn:oasis:names:tc:SAML:2.0:ac:classes:X509");

        KeyStore k = store("idp");
        XMLSignature s = new XMLSignature(doc, "", MORE + "rsa-sha256", "http://www.w3.org/2001/10/xml-exc-c14n#");
        a.insertBefore(s.getElement(), issuer.getNextSibling());
        Transforms t = new Transforms(doc);
        t.addTransform(Transforms.TRANSFORM_ENVELOPED_SIGNATURE);
        t.addTransform(Transforms.TRANSFORM_C14N_EXCL_OMIT_COMMENTS);
        s.addDocument("#" + id, t, XENC + "sha256");
        s.addKeyInfo((X509Certificate) k.getCertificate("idp"));
        /* An Id is found in a document only. */
        Element security = (Element) doc.getElementsByTagNameNS(WSConstants.WSSE_NS, "Security").item(0);
        security.appendChild(a);
        s.sign((PrivateKey) k.getKey("idp", "vectors".toCharArray()));
        return a;
    }

    static void signatures() throws Exception {
        String rsa256 = MORE + "rsa-sha256", sha256 = XENC + "sha256", sha384 = MORE + "sha384", sha512 = XENC + "sha512";
        Object[][] rows = {
            {"issuer-serial", "rsa", WSConstants.ISSUER_SERIAL, rsa256, sha256},
            {"ski", "rsa", WSConstants.SKI_KEY_IDENTIFIER, rsa256, sha256},
            {"thumbprint", "rsa", WSConstants.THUMBPRINT_IDENTIFIER, rsa256, sha256},
            {"x509-identifier", "rsa", WSConstants.X509_KEY_IDENTIFIER, rsa256, sha256},
            {"revoked", "revoked", WSConstants.BST_DIRECT_REFERENCE, rsa256, sha256},
            {"direct", "rsa", WSConstants.BST_DIRECT_REFERENCE, rsa256, sha256},
            {"rsa-sha384", "rsa", WSConstants.BST_DIRECT_REFERENCE, MORE + "rsa-sha384", sha384},
            {"rsa-sha512", "rsa", WSConstants.BST_DIRECT_REFERENCE, MORE + "rsa-sha512", sha512},
            {"pss-sha256", "rsa", WSConstants.BST_DIRECT_REFERENCE, MGF1 + "sha256-rsa-MGF1", sha256},
            {"pss-sha384", "rsa", WSConstants.THUMBPRINT_IDENTIFIER, MGF1 + "sha384-rsa-MGF1", sha384},
            {"pss-sha512", "rsa", WSConstants.BST_DIRECT_REFERENCE, MGF1 + "sha512-rsa-MGF1", sha512},
            {"pss-sha1", "rsa", WSConstants.BST_DIRECT_REFERENCE, MGF1 + "sha1-rsa-MGF1", sha256},
            {"ec384", "ec384", WSConstants.BST_DIRECT_REFERENCE, MORE + "ecdsa-sha384", sha384},
            {"ec384-ski", "ec384", WSConstants.SKI_KEY_IDENTIFIER, MORE + "ecdsa-sha256", sha256},
        };
        for (Object[] r : rows)
            new Message().timestamp().sign((String) r[1], (Integer) r[2], (String) r[3], (String) r[4])
                .write((String) r[0]);
        new Message().timestamp().addressing().sign("rsa", WSConstants.BST_DIRECT_REFERENCE, rsa256, sha256)
            .write("addressing");
        Message m = new Message().timestamp();
        m.addressing();
        m.parts.removeIf(p -> "To".equals(p.getName()));
        m.sign("rsa", WSConstants.BST_DIRECT_REFERENCE, rsa256, sha256).write("addressing-to-unsigned");
    }

    static void more() throws Exception {
        int bst = WSConstants.BST_DIRECT_REFERENCE;
        String sha256 = XENC + "sha256", oaep11 = XENC11 + "rsa-oaep", mgf = XENC11 + "mgf1sha256";

        for (String client : new String[] {"rsa", "rsa3072", "ec256"}) {
            String method = MORE + (client.startsWith("rsa") ? "rsa-sha256" : "ecdsa-sha256");
            new Message().timestamp().sign(client, bst, method, sha256).write("signed-" + client);
            new Message().timestamp().sign(client, bst, method, sha256)
                .encrypt(XENC11 + "aes128-gcm", oaep11, sha256, mgf).write("both-" + client);
        }
    }

    static void users() throws Exception {
        int bst = WSConstants.BST_DIRECT_REFERENCE;
        String rsa256 = MORE + "rsa-sha256", sha256 = XENC + "sha256";

        new Message().user(WSConstants.PASSWORD_DIGEST, false).write("user-digest");
        new Message().user(WSConstants.PASSWORD_TEXT, false).write("user-text");
        new Message().timestamp().user(WSConstants.PASSWORD_DIGEST, true).sign("rsa", bst, rsa256, sha256)
            .write("user-digest-signed");
        new Message().timestamp().user(WSConstants.PASSWORD_DIGEST, false).sign("rsa", bst, rsa256, sha256)
            .write("user-digest-beside-signature");
    }

    static void assertions() throws Exception {
        int bst = WSConstants.BST_DIRECT_REFERENCE;

        new Message().timestamp().saml("_holder", "holder-of-key", "rsa").signBySaml("rsa", "_holder")
            .write("saml-holder");
        new Message().timestamp().saml("_other", "holder-of-key", "rsa").signBySaml("revoked", "_other")
            .write("saml-other-holder");
        new Message().timestamp().saml("_bearer", "bearer", null)
            .sign("rsa", bst, MORE + "rsa-sha256", XENC + "sha256").write("saml-bearer-signed");
        new Message().saml("_bearer", "bearer", null).write("saml-bearer");
    }

    static void encryptions() throws Exception {
        String oaep11 = XENC11 + "rsa-oaep", oaep = XENC + "rsa-oaep-mgf1p", sha1 = DSIG + "sha1";
        Object[][] rows = {
            {"enc-gcm128-oaep256", XENC11 + "aes128-gcm", oaep11, XENC + "sha256", XENC11 + "mgf1sha256"},
            {"enc-gcm256-oaep512", XENC11 + "aes256-gcm", oaep11, XENC + "sha512", XENC11 + "mgf1sha512"},
            {"enc-cbc128-oaep384", XENC + "aes128-cbc", oaep11, MORE + "sha384", XENC11 + "mgf1sha384"},
            {"enc-cbc256-mgf1p-sha256", XENC + "aes256-cbc", oaep, XENC + "sha256", null},
            {"enc-gcm128-mgf1p", XENC11 + "aes128-gcm", oaep, sha1, null},
            {"enc-gcm256-oaep256-mgf1sha1", XENC11 + "aes256-gcm", oaep11, XENC + "sha256", XENC11 + "mgf1sha1"},
        };
        for (Object[] r : rows)
            new Message().encrypt((String) r[1], (String) r[2], (String) r[3], (String) r[4]).write((String) r[0]);
        new Message().timestamp().sign("rsa", WSConstants.BST_DIRECT_REFERENCE, MGF1 + "sha256-rsa-MGF1", XENC + "sha256")
            .encrypt(XENC11 + "aes256-gcm", oaep11, XENC + "sha256", XENC11 + "mgf1sha256").write("pss-then-enc");
        Message m = new Message().timestamp().encrypt(XENC11 + "aes128-gcm", oaep11, XENC + "sha256", XENC11 + "mgf1sha256");
        m.sign("ec384", WSConstants.THUMBPRINT_IDENTIFIER, MORE + "ecdsa-sha384", MORE + "sha384").write("enc-then-ec384");
    }

    /* More than the Body is encrypted. */
    static Message user() throws Exception {
        return new Message().user(WSConstants.PASSWORD_DIGEST, true).hide("Element", WSConstants.WSSE_NS, "UsernameToken");
    }

    static Message hideBlocks(Message m, String modifier) {
        return m.addressing().hide(modifier, WSA, "To").hide(modifier, WSA, "MessageID");
    }

    static void encryptedParts() throws Exception {
        int bst = WSConstants.BST_DIRECT_REFERENCE;
        String rsa256 = MORE + "rsa-sha256", sha256 = XENC + "sha256";
        String[][] rows = {
            {"gcm128", XENC11 + "aes128-gcm", XENC11 + "rsa-oaep", sha256, XENC11 + "mgf1sha256"},
            {"gcm256", XENC11 + "aes256-gcm", XENC + "rsa-oaep-mgf1p", DSIG + "sha1", null},
            {"cbc128", XENC + "aes128-cbc", XENC + "rsa-oaep-mgf1p", DSIG + "sha1", null},
            {"cbc256", XENC + "aes256-cbc", XENC11 + "rsa-oaep", sha256, XENC11 + "mgf1sha256"},
        };
        for (String[] r : rows) {
            user().encrypt(r[1], r[2], r[3], r[4]).write("hide-user-" + r[0]);
            hideBlocks(new Message(), "Header").encrypt(r[1], r[2], r[3], r[4]).write("hide-blocks-" + r[0]);
            hideBlocks(user(), "Header").timestamp().sign("rsa", bst, rsa256, sha256)
                .hide("Element", DSIG, "Signature").encrypt(r[1], r[2], r[3], r[4]).write("hide-all-" + r[0]);
            for (String key : new String[] {"rsa", "ec256"})
                hideBlocks(user(), "Header").timestamp().encrypt(r[1], r[2], r[3], r[4]).signHidden(key.equals("rsa"))
                    .sign(key, bst, key.equals("rsa") ? rsa256 : MORE + "ecdsa-sha256", sha256)
                    .write("hide-then-sign-" + key + "-" + r[0]);
        }
        String[] r = rows[0];
        hideBlocks(new Message(), "Element").encrypt(r[1], r[2], r[3], r[4]).write("hide-blocks-bare");
        hideBlocks(new Message(), "Content").encrypt(r[1], r[2], r[3], r[4]).write("hide-blocks-content");
        new Message().user(WSConstants.PASSWORD_DIGEST, true).hide("Content", WSConstants.WSSE_NS, "UsernameToken")
            .encrypt(r[1], r[2], r[3], r[4]).write("hide-user-content");
        new Message().user(WSConstants.PASSWORD_DIGEST, true).encrypt(r[1], r[2], r[3], r[4]).write("hide-none");
    }

    public static void main(String[] args) throws Exception {
        plain = Path.of(args[0]);
        pki = Path.of(args[1]);
        server = Path.of(args[2]);
        out = Path.of(args[3]);
        live = args.length > 4;
        WSSConfig.init();
        signatures();
        users();
        assertions();
        encryptions();
        if (live) {
            more();
            encryptedParts();
        }
        System.out.println(Files.list(out).count() + " files");
    }
}
