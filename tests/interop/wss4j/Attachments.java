// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the messages of tests/interop/vectors/attachments: multipart/related with attachments that
 * WSS4J signs and encrypts (SwA Profile 1.1). Usage: Attachments PLAIN PKI SERVER.CRT OUT
 *
 * Their boundary is BB, their root is text/xml.
 */
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import javax.crypto.KeyGenerator;
import javax.security.auth.callback.CallbackHandler;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.Attachment;
import org.apache.wss4j.common.ext.AttachmentRequestCallback;
import org.apache.wss4j.common.ext.AttachmentResultCallback;
import org.apache.wss4j.common.util.WSTimeSource;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.w3c.dom.Document;

public final class Attachments {
    static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";
    static final int TWENTY_YEARS = 630720000;
    static final WSTimeSource CLOCK = new WSTimeSource() {
        @Override
        public Instant now() {
            return Instant.parse("2026-11-27T07:00:00Z");
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

    static final class Message {
        final Document doc;
        final WSSecHeader header;
        final List<Attachment> attachments = new ArrayList<>();
        final boolean empty;

        Message(boolean empty) throws Exception {
            DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
            f.setNamespaceAware(true);
            this.empty = empty;
            doc = empty ? f.newDocumentBuilder().parse(new ByteArrayInputStream(
                ("<s:Envelope xmlns:s='" + SOAP + "'><s:Body/></s:Envelope>").getBytes(StandardCharsets.UTF_8)))
                        : f.newDocumentBuilder().parse(plain.toFile());
            header = new WSSecHeader(doc);
            header.insertSecurityHeader();
            add("a@x", "application/gzip", "binary \0 of the first part\n");
            add("b@x", "text/xml; charset=utf-8", "<order  b='2' a='1'><item/></order>\n");
        }

        void add(String id, String type, String content) {
            Attachment a = new Attachment();
            a.setId(id);
            a.setMimeType(type);
            a.addHeader("Content-ID", "<" + id + ">");
            a.addHeader("Content-Type", type);
            a.addHeader("Content-Description", "part " + id);
            a.addHeader("X-Other", id);
            a.setSourceStream(new ByteArrayInputStream(content.getBytes(StandardCharsets.ISO_8859_1)));
            attachments.add(a);
        }

        /* Gives attachments away to be read, and takes them again, as they are afterwards or in the place of them. */
        CallbackHandler handler() {
            return callbacks -> {
                for (var c : callbacks) {
                    if (c instanceof AttachmentRequestCallback) {
                        List<Attachment> list = new ArrayList<>();
                        for (Attachment a : attachments)
                            list.add(copy(a));
                        ((AttachmentRequestCallback) c).setAttachments(list);
                    } else if (c instanceof AttachmentResultCallback) {
                        Attachment r = ((AttachmentResultCallback) c).getAttachment();
                        /* As it is sent. */
                        r.addHeader("Content-Type", r.getMimeType());
                        for (int i = 0; i < attachments.size(); i++)
                            if (attachments.get(i).getId().equals(r.getId()))
                                attachments.set(i, r);
                    }
                }
            };
        }

        static Attachment copy(Attachment a) throws java.io.IOException {
            byte[] bytes = a.getSourceStream().readAllBytes();
            Attachment b = new Attachment();
            a.setSourceStream(new ByteArrayInputStream(bytes));
            b.setId(a.getId());
            b.setMimeType(a.getMimeType());
            b.addHeaders(a.getHeaders());
            b.setSourceStream(new ByteArrayInputStream(bytes));
            return b;
        }

        /* modifier: Content or Element, which is a complete one. */
        Message sign(String modifier) throws Exception {
            WSSecTimestamp ts = new WSSecTimestamp(header);
            ts.setWsTimeSource(CLOCK);
            ts.setTimeToLive(TWENTY_YEARS);
            ts.build();
            WSSecSignature s = new WSSecSignature(header);
            s.setUserInfo("rsa", "vectors");
            s.setKeyIdentifierType(WSConstants.BST_DIRECT_REFERENCE);
            s.setSignatureAlgorithm(MORE + "rsa-sha256");
            s.setDigestAlgo(XENC + "sha256");
            s.setAttachmentCallbackHandler(handler());
            s.getParts().add(new WSEncryptionPart("Body", SOAP, ""));
            s.getParts().add(new WSEncryptionPart("Timestamp", WSConstants.WSU_NS, ""));
            s.getParts().add(new WSEncryptionPart("cid:Attachments", modifier));
            s.build(crypto("rsa"));
            return this;
        }

        Message encrypt(String cipher, String modifier) throws Exception {
            WSSecEncrypt e = new WSSecEncrypt(header);
            e.setKeyIdentifierType(WSConstants.ISSUER_SERIAL);
            e.setSymmetricEncAlgorithm(XENC11 + cipher);
            e.setKeyEncAlgo(XENC11 + "rsa-oaep");
            e.setDigestAlgorithm(XENC + "sha256");
            e.setMGFAlgorithm(XENC11 + "mgf1sha256");
            Merlin c = new Merlin();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            try (InputStream in = Files.newInputStream(server)) {
                store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(in));
            }
            c.setKeyStore(store);
            e.setUserInfo("server");
            e.setAttachmentCallbackHandler(handler());
            if (!empty)
                e.getParts().add(new WSEncryptionPart("Body", SOAP, "Content"));
            e.getParts().add(new WSEncryptionPart("cid:Attachments", modifier));
            KeyGenerator g = KeyGenerator.getInstance("AES");
            g.init(cipher.contains("256") ? 256 : 128);
            e.build(c, g.generateKey());
            return this;
        }

        void write(String name) throws Exception {
            ByteArrayOutputStream o = new ByteArrayOutputStream();
            var t = TransformerFactory.newInstance().newTransformer();
            t.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            put(o, "--BB\r\nContent-Type: text/xml; charset=utf-8\r\nContent-ID: <r@x>\r\n\r\n");
            t.transform(new DOMSource(doc), new StreamResult(o));
            for (Attachment a : attachments) {
                var fields = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
                fields.putAll(a.getHeaders());
                fields.put("Content-ID", "<" + a.getId() + ">");
                fields.put("Content-Type", a.getMimeType());
                put(o, "\r\n--BB\r\n");
                for (var f : fields.entrySet())
                    put(o, f.getKey() + ": " + f.getValue() + "\r\n");
                put(o, "\r\n");
                o.write(a.getSourceStream().readAllBytes());
            }
            put(o, "\r\n--BB--\r\n");
            Files.write(out.resolve(name + ".mime"), o.toByteArray());
        }

        static void put(ByteArrayOutputStream o, String text) {
            o.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    public static void main(String[] args) throws Exception {
        plain = Path.of(args[0]);
        pki = Path.of(args[1]);
        server = Path.of(args[2]);
        out = Path.of(args[3]);
        WSSConfig.init();

        new Message(true).sign("Content").encrypt("aes128-gcm", "Content").write("as4");
        new Message(true).sign("Element").encrypt("aes128-gcm", "Element").write("as4-complete");
        new Message(false).sign("Content").encrypt("aes256-gcm", "Content").write("body");
        new Message(false).sign("Element").encrypt("aes256-gcm", "Element").write("body-complete");
        new Message(false).encrypt("aes128-gcm", "Content").sign("Content").write("encrypted-first");
        new Message(false).encrypt("aes128-gcm", "Element").sign("Content").write("encrypted-first-complete");
        new Message(true).encrypt("aes128-gcm", "Content").sign("Element").write("encrypted-first-empty");
        new Message(false).encrypt("aes256-gcm", "Content").write("encrypted");
        new Message(false).encrypt("aes128-gcm", "Element").write("encrypted-complete");
        new Message(false).sign("Element").write("signed-complete");
        System.out.println(Files.list(out).count() + " files");
    }
}
