// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the messages of tests/interop/vectors/symmetric: WSS4J signs and encrypts with the key of an
 * EncryptedKey, or with keys derived from it, and endorses. Usage: Symmetric PLAIN PKI SERVER.CRT OUT
 */
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.derivedKey.ConversationConstants;
import org.apache.wss4j.common.util.WSTimeSource;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.message.WSSecDKEncrypt;
import org.apache.wss4j.dom.message.WSSecDKSign;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecEncryptedKey;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.apache.wss4j.dom.message.WSSecUsernameToken;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

public final class Symmetric {
    static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String DSIG = "http://www.w3.org/2000/09/xmldsig#";
    static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";
    static final String EK = WSConstants.WSS_ENC_KEY_VALUE_TYPE;
    static final int TWENTY_YEARS = 630720000;
    static final WSTimeSource CLOCK = new WSTimeSource() {
        @Override
        public Instant now() {
            return Instant.parse("2026-11-27T03:00:00Z");
        }
    };

    static Path plain, pki, server, out;

    static Merlin crypto(String name) throws Exception {
        KeyStore s = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(pki.resolve(name + ".p12"))) {
            s.load(in, "vectors".toCharArray());
        }
        Merlin c = new Merlin();
        c.setKeyStore(s);
        return c;
    }

    /* A message with a Timestamp and an EncryptedKey for the server. */
    static final class Message {
        final Document doc;
        final WSSecHeader header;
        final List<WSEncryptionPart> parts = new ArrayList<>();
        final WSSecEncryptedKey key;
        final SecretKey secret;
        String signature;

        Message(int bits) throws Exception {
            DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
            f.setNamespaceAware(true);
            doc = f.newDocumentBuilder().parse(plain.toFile());
            header = new WSSecHeader(doc);
            header.insertSecurityHeader();
            WSSecTimestamp ts = new WSSecTimestamp(header);
            ts.setWsTimeSource(CLOCK);
            ts.setTimeToLive(TWENTY_YEARS);
            ts.build();
            parts.add(new WSEncryptionPart("Body", SOAP, ""));
            parts.add(new WSEncryptionPart("Timestamp", WSConstants.WSU_NS, ""));

            Merlin c = new Merlin();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            try (InputStream in = Files.newInputStream(server)) {
                store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(in));
            }
            c.setKeyStore(store);
            KeyGenerator g = KeyGenerator.getInstance("AES");
            g.init(bits);
            secret = g.generateKey();
            key = new WSSecEncryptedKey(header);
            key.setUserInfo("server");
            key.setKeyIdentifierType(WSConstants.THUMBPRINT_IDENTIFIER);
            key.setKeyEncAlgo(WSConstants.KEYTRANSPORT_RSAOAEP);
            key.prepare(c, secret);
        }

        Message user() throws Exception {
            WSSecUsernameToken t = new WSSecUsernameToken(header);
            t.setWsTimeSource(CLOCK);
            t.setPasswordType(WSConstants.PASSWORD_DIGEST);
            t.setUserInfo("jane", "correct horse, battery");
            t.build();
            parts.add(new WSEncryptionPart("UsernameToken", WSConstants.WSSE_NS, ""));
            return this;
        }

        Message saml(String method, String holder, boolean signed) throws Exception {
            header.getSecurityHeaderElement().appendChild(Vectors.assertion(doc, "_a", method, holder));
            if (signed)
                parts.add(new WSEncryptionPart("_a"));
            return this;
        }

        /* By the key itself; bySha1: named by EncryptedKeySHA1. */
        Message sign(String method, boolean bySha1) throws Exception {
            WSSecSignature s = new WSSecSignature(header);
            if (bySha1) {
                s.setKeyIdentifierType(WSConstants.ENCRYPTED_KEY_SHA1_IDENTIFIER);
                s.setEncrKeySha1value(key.getEncryptedKeySHA1());
            } else {
                s.setKeyIdentifierType(WSConstants.CUSTOM_SYMM_SIGNING);
                s.setCustomTokenId(key.getId());
                s.setCustomTokenValueType(EK);
            }
            s.setSecretKey(secret.getEncoded());
            s.setSignatureAlgorithm(method);
            s.setDigestAlgo(XENC + "sha256");
            s.getParts().addAll(parts);
            s.build(null);
            signature = s.getId();
            key.prependToHeader();
            return this;
        }

        /* By a derived key. */
        Message signDerived(int version, String method) throws Exception {
            WSSecDKSign s = new WSSecDKSign(header);
            s.setTokenIdentifier(key.getId());
            s.setCustomValueType(EK);
            s.setWscVersion(version);
            s.setSignatureAlgorithm(method);
            s.setDigestAlgorithm(XENC + "sha256");
            s.getParts().addAll(parts);
            s.build(secret.getEncoded());
            signature = s.getSignatureId();
            key.prependToHeader();
            return this;
        }

        /* A second signature over the first one. */
        Message endorse(String name) throws Exception {
            WSSecSignature s = new WSSecSignature(header);
            s.setUserInfo(name, "vectors");
            s.setKeyIdentifierType(WSConstants.BST_DIRECT_REFERENCE);
            s.setSignatureAlgorithm(MORE + "rsa-sha256");
            s.setDigestAlgo(XENC + "sha256");
            s.getParts().add(new WSEncryptionPart(signature));
            s.prepare(crypto(name));
            s.computeSignature(s.addReferencesToSign(s.getParts()), false, null);
            s.prependBSTElementToHeader();
            return this;
        }

        /* By the key that the assertion confirms. */
        Message endorseBySaml(String name) throws Exception {
            WSSecSignature s = new WSSecSignature(header);
            s.setUserInfo(name, "vectors");
            s.setKeyIdentifierType(WSConstants.CUSTOM_KEY_IDENTIFIER);
            s.setCustomTokenValueType(WSConstants.WSS_SAML2_KI_VALUE_TYPE);
            s.setCustomTokenId("_a");
            s.setSignatureAlgorithm(MORE + "rsa-sha256");
            s.setDigestAlgo(XENC + "sha256");
            s.getParts().add(new WSEncryptionPart(signature));
            s.prepare(crypto(name));
            s.computeSignature(s.addReferencesToSign(s.getParts()), false, null);
            return this;
        }

        /* One signature by a certificate, to be endorsed. */
        Message signAsymmetric(String name) throws Exception {
            WSSecSignature s = new WSSecSignature(header);
            s.setUserInfo(name, "vectors");
            s.setKeyIdentifierType(WSConstants.BST_DIRECT_REFERENCE);
            s.setSignatureAlgorithm(MORE + "rsa-sha256");
            s.setDigestAlgo(XENC + "sha256");
            s.getParts().addAll(parts);
            s.build(crypto(name));
            signature = s.getId();
            return this;
        }

        /* The Body, by the key itself; first: it is decrypted before the signature is verified. */
        Message encrypt(String cipher, boolean first) throws Exception {
            WSSecEncrypt e = new WSSecEncrypt(header);
            e.setEncKeyId(key.getId());
            e.setEncryptSymmKey(false);
            e.setKeyIdentifierType(WSConstants.CUSTOM_SYMM_SIGNING);
            e.setCustomReferenceValue(EK);
            e.setSymmetricEncAlgorithm(cipher);
            Element list = e.encryptForRef(null, List.of(new WSEncryptionPart("Body", SOAP, "Content")), secret);
            insert(list, first);
            return this;
        }

        Message encryptDerived(int version, String cipher, int length, boolean first) throws Exception {
            WSSecDKEncrypt e = new WSSecDKEncrypt(header);
            e.setTokenIdentifier(key.getId());
            e.setCustomValueType(EK);
            e.setWscVersion(version);
            e.setSymmetricEncAlgorithm(cipher);
            e.setDerivedKeyLength(length);
            e.prepare(secret.getEncoded());
            Element list = e.encryptForExternalRef(null, List.of(new WSEncryptionPart("Body", SOAP, "Content")));
            insert(list, first);
            header.getSecurityHeaderElement().insertBefore(e.getdktElement(), list);
            return this;
        }

        /* WS-Security 1.1, 5: what is to be undone first stands first. */
        void insert(Element list, boolean first) {
            Element security = header.getSecurityHeaderElement();
            security.insertBefore(list, first ? security.getFirstChild() : null);
        }

        Message keyFirst() {
            Element security = header.getSecurityHeaderElement();
            security.insertBefore(key.getEncryptedKeyElement(), security.getFirstChild());
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

    public static void main(String[] args) throws Exception {
        int wsc05 = ConversationConstants.VERSION_05_02, wsc13 = ConversationConstants.VERSION_05_12;
        String hmac256 = MORE + "hmac-sha256", gcm128 = XENC11 + "aes128-gcm", gcm256 = XENC11 + "aes256-gcm";

        plain = Path.of(args[0]);
        pki = Path.of(args[1]);
        server = Path.of(args[2]);
        out = Path.of(args[3]);
        WSSConfig.init();

        new Message(256).sign(hmac256, false).write("anonymous");
        new Message(256).sign(hmac256, false).endorse("rsa").write("endorsed");
        new Message(256).sign(hmac256, true).endorse("rsa").write("endorsed-by-sha1-name");
        new Message(128).sign(MORE + "hmac-sha512", false).endorse("rsa").write("endorsed-sha512-key16");
        new Message(256).sign(DSIG + "hmac-sha1", false).endorse("rsa").write("hmac-sha1");
        new Message(256).sign(hmac256, false).endorse("revoked").write("endorsed-revoked");
        new Message(256).user().sign(hmac256, false).write("user");
        new Message(256).user().signDerived(wsc13, hmac256).write("user-derived");
        new Message(256).signDerived(wsc05, hmac256).write("derived-anonymous");
        new Message(256).signDerived(wsc05, hmac256).endorse("rsa").write("derived-2005");
        new Message(256).signDerived(wsc13, hmac256).endorse("rsa").write("derived-13");
        new Message(256).signDerived(wsc13, MORE + "hmac-sha384").endorse("rsa").write("derived-sha384");
        new Message(256).signAsymmetric("rsa").endorse("rsa3072").write("asymmetric-endorsed");
        new Message(256).signAsymmetric("rsa").endorse("revoked").write("asymmetric-endorsed-revoked");

        new Message(128).sign(hmac256, false).endorse("rsa").encrypt(gcm128, true).keyFirst().write("both");
        new Message(256).sign(hmac256, false).encrypt(gcm256, true).keyFirst().write("both-anonymous");
        new Message(256).signDerived(wsc05, hmac256).endorse("rsa").encryptDerived(wsc05, gcm128, 16, true).keyFirst()
            .write("both-derived-2005");
        new Message(256).signDerived(wsc13, hmac256).endorse("rsa").encryptDerived(wsc13, gcm256, 32, true).keyFirst()
            .write("both-derived-13");
        new Message(256).encryptDerived(wsc13, gcm256, 32, false).signDerived(wsc13, hmac256).endorse("rsa").keyFirst()
            .write("encrypted-first-derived");
        new Message(128).encrypt(gcm128, false).sign(hmac256, false).endorse("rsa").keyFirst().write("encrypted-first");

        Vectors.pki = pki;
        new Message(256).saml("sender-vouches", null, true).signAsymmetric("rsa").write("vouched");
        new Message(256).saml("sender-vouches", null, false).signAsymmetric("rsa").write("vouched-unsigned");
        new Message(256).saml("sender-vouches", null, true).sign(hmac256, false).write("vouched-anonymous");
        new Message(256).saml("sender-vouches", null, true).sign(hmac256, false).endorse("rsa").write("vouched-endorsed");
        new Message(256).saml("bearer", null, true).sign(hmac256, false).write("bearer-signed");
        new Message(256).saml("bearer", null, false).sign(hmac256, false).write("bearer-unsigned");
        new Message(256).saml("holder-of-key", "rsa", false).sign(hmac256, false).endorseBySaml("rsa").write("holder-endorses");
        new Message(256).saml("holder-of-key", "rsa", false).sign(hmac256, false).endorseBySaml("rsa3072")
            .write("other-endorses");
        new Message(256).saml("holder-of-key", "rsa3072", false).signAsymmetric("rsa").endorseBySaml("rsa3072")
            .write("asymmetric-holder-endorses");
        System.out.println(Files.list(out).count() + " files");
    }
}
