// SPDX-License-Identifier: GPL-2.0
// phase4, as sender and as receiver of AS4 (ebMS 3.0).
//
//     As4 server PORT PKI SERVER.P12
//     As4 client URL PKI SERVER.CRT NAME...
//
// Words of a name: own (the receiver verifies and decrypts itself), sign, encrypt, clock (a wsu:Timestamp, by phase4's
// own hook for what it does not do itself), body (the payload is in the Body), two, large (attachments), receipt (a
// signal instead of a user message). What is sent for a name goes to /NAME, and a receipt comes back.

import com.helger.http.header.HttpHeaderMap;
import com.helger.mime.CMimeType;
import com.helger.phase4.attachment.AS4OutgoingAttachment;
import com.helger.phase4.attachment.EAS4CompressionMode;
import com.helger.phase4.attachment.IAS4IncomingAttachmentFactory;
import com.helger.phase4.attachment.WSS4JAttachment;
import com.helger.phase4.attachment.WSS4JAttachmentCallbackHandler;
import com.helger.phase4.client.AS4ClientReceiptMessage;
import com.helger.phase4.client.AS4ClientUserMessage;
import com.helger.phase4.client.AbstractAS4Client;
import com.helger.phase4.crypto.AS4CryptoFactoryInMemoryKeyStore;
import com.helger.phase4.crypto.ECryptoAlgorithmCrypt;
import com.helger.phase4.crypto.ECryptoAlgorithmSign;
import com.helger.phase4.crypto.ECryptoAlgorithmSignDigest;
import com.helger.phase4.crypto.ECryptoMode;
import com.helger.phase4.crypto.IAS4CryptoFactory;
import com.helger.phase4.crypto.IWSSecSignatureCustomizer;
import com.helger.phase4.ebms3header.Ebms3Messaging;
import com.helger.phase4.ebms3header.Ebms3UserMessage;
import com.helger.phase4.incoming.AS4IncomingHandler;
import com.helger.phase4.incoming.AS4IncomingMessageMetadata;
import com.helger.phase4.marshaller.Ebms3MessagingMarshaller;
import com.helger.phase4.util.AS4ResourceHelper;
import com.helger.scope.mgr.ScopeManager;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.GZIPInputStream;
import javax.security.auth.callback.Callback;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

public final class As4 {
    static final String EB = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/";
    static final String SOAP = "http://www.w3.org/2003/05/soap-envelope";
    static final String WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    static final String WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    static final Logger XMLDSIG = Logger.getLogger("org.apache.jcp.xml.dsig.internal");

    static IAS4CryptoFactory crypto(Path own, String alias, Path... trusted) throws Exception {
        Map<String, Path> trust = new TreeMap<>();
        for (Path one : trusted)
            trust.put(one.getFileName().toString(), one);
        return new AS4CryptoFactoryInMemoryKeyStore(Keys.store(own), alias, Keys.PASSWORD, Keys.trusted(trust));
    }

    /* XML, so that it may also be in a Body. */
    static byte[] payload(int size) {
        StringBuilder text = new StringBuilder("<order xmlns=\"urn:example:store\">");
        for (int i = 0; text.length() < size; i++)
            text.append("<text>Grüße ").append(i * 7919 % 1009).append("</text>");
        return text.append("</order>").toString().getBytes(StandardCharsets.UTF_8);
    }

    static int[] sizes(Set<String> words) {
        return words.contains("large") ? new int[] {1 << 20} : words.contains("two") ? new int[] {3000, 20000} : new int[] {3000};
    }

    static Document parsed(byte[] xml) throws Exception {
        DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
        f.setNamespaceAware(true);
        return f.newDocumentBuilder().parse(new ByteArrayInputStream(xml));
    }

    static Element one(Node in, String ns, String name) {
        var all = in instanceof Document d ? d.getElementsByTagNameNS(ns, name) : ((Element) in).getElementsByTagNameNS(ns, name);
        if (all.getLength() != 1)
            throw new IllegalStateException(all.getLength() + " elements " + name);
        return (Element) all.item(0);
    }

    /* ---- receiver ---- */

    static List<WSS4JAttachment> verified(Document soap, List<WSS4JAttachment> parts, IAS4CryptoFactory own, AS4ResourceHelper files, Set<String> words)
        throws Exception {
        RequestData d = new RequestData();
        var handler = new WSS4JAttachmentCallbackHandler(parts, files);
        d.setAttachmentCallbackHandler(handler);
        d.setSigVerCrypto(own.getCrypto(ECryptoMode.DECRYPT_VERIFY));
        d.setDecCrypto(own.getCrypto(ECryptoMode.DECRYPT_VERIFY));
        d.setCallbackHandler(all -> {
            for (Callback c : all)
                if (c instanceof WSPasswordCallback p)
                    p.setPassword(Keys.TEXT);
        });
        var results = new WSSecurityEngine().processSecurityHeader(soap, d).getActionResults();
        for (int action : words.contains("encrypt") ? new int[] {2, 4} : new int[] {2})
            if (!results.containsKey(action))
                throw new IllegalStateException("WSS4J found no action " + action);
        return handler.getAllResponseAttachments();
    }

    static void compare(Document soap, Ebms3UserMessage user, List<WSS4JAttachment> parts, Set<String> words) throws Exception {
        if (words.contains("body")) {
            if (!one(soap, "urn:example:store", "order").getTextContent().equals(parsed(payload(3000)).getDocumentElement().getTextContent()))
                throw new IllegalStateException("another payload in the Body");
            return;
        }
        int[] sizes = sizes(words);
        if (parts.size() != sizes.length || user.getPayloadInfo().getPartInfoCount() != sizes.length)
            throw new IllegalStateException(parts.size() + " attachments");
        for (int i = 0; i < sizes.length; i++) {
            byte[] data;
            try (InputStream in = parts.get(i).getSourceStream()) {
                data = new GZIPInputStream(in).readAllBytes();
            }
            if (!Arrays.equals(data, payload(sizes[i])))
                throw new IllegalStateException("another payload");
            if (!user.getPayloadInfo().getPartInfoAtIndex(i).getHref().equals("cid:" + parts.get(i).getId()))
                throw new IllegalStateException("another Content-ID: " + parts.get(i).getId());
        }
    }

    static void take(HttpExchange x, IAS4CryptoFactory own, ByteArrayOutputStream answer) throws Exception {
        Set<String> words = Set.of(x.getRequestURI().getPath().substring(1).split("-"));
        HttpHeaderMap fields = new HttpHeaderMap();
        x.getRequestHeaders().forEach((name, values) -> values.forEach(v -> fields.addHeader(name, v)));
        AS4ResourceHelper files = new AS4ResourceHelper();
        AS4IncomingHandler.parseAS4Message(IAS4IncomingAttachmentFactory.DEFAULT_INSTANCE, files, AS4IncomingMessageMetadata.createForRequest(),
            x.getRequestBody(), fields, (h, soap, version, parts) -> {
                try {
                    boolean secured = soap.getElementsByTagNameNS(WSSE, "Security").getLength() != 0;
                    if (secured != words.contains("own"))
                        throw new IllegalStateException("a Security header: " + secured);
                    List<WSS4JAttachment> plain = secured ? verified(soap, parts, own, files, words) : parts;
                    Ebms3Messaging messaging = new Ebms3MessagingMarshaller().read(one(soap, EB, "Messaging"));
                    if (words.contains("receipt")) {
                        if (messaging.getSignalMessageAtIndex(0).getReceipt() == null)
                            throw new IllegalStateException("no Receipt");
                        return;
                    }
                    Ebms3UserMessage user = messaging.getUserMessageAtIndex(0);
                    compare(soap, user, plain.isEmpty() ? parts : plain, words);
                    receipt(user, secured ? soap : null, own, files).getHttpEntity().writeTo(answer);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }, null);
        files.close();
    }

    static com.helger.phase4.client.AS4ClientBuiltMessage receipt(Ebms3UserMessage user, Document signed, IAS4CryptoFactory own, AS4ResourceHelper files)
        throws Exception {
        AS4ClientReceiptMessage r = new AS4ClientReceiptMessage(files);
        if (signed != null) {
            r.setNonRepudiation(true);
            r.setSoapDocument(signed);
            r.setReceiptShouldBeSigned(true);
            signs(r, own);
        }
        r.setEbms3UserMessage(user);
        r.setRefToMessageID(user.getMessageInfo().getMessageId());
        return r.buildMessage("receipt-" + System.nanoTime() + "@example.org", null);
    }

    static void serve(String[] args) throws Exception {
        IAS4CryptoFactory own = crypto(Path.of(args[3]), "server", Path.of(args[2], "ca.crt"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])), 16);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", x -> {
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            int status = 200;
            try {
                take(x, own, answer);
            } catch (Throwable t) {
                t.printStackTrace();
                status = 500;
                Throwable why = t;
                while (why.getCause() != null)
                    why = why.getCause();
                answer.reset();
                answer.writeBytes(("<e:Envelope xmlns:e='" + SOAP + "'><e:Body><e:Fault><e:Code><e:Value>e:Receiver</e:Value></e:Code><e:Reason>"
                    + "<e:Text xml:lang='en'>" + String.valueOf(why).replaceAll("[<&]", "") + "</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>").getBytes(StandardCharsets.UTF_8));
            }
            if (answer.size() != 0)
                x.getResponseHeaders().set("Content-Type", "application/soap+xml; charset=UTF-8");
            x.sendResponseHeaders(answer.size() == 0 ? 202 : status, answer.size() == 0 ? -1 : answer.size());
            if (answer.size() != 0)
                x.getResponseBody().write(answer.toByteArray());
            x.close();
        });
        server.start();
        System.out.println("listening on 127.0.0.1:" + args[1]);
        Thread.sleep(Long.MAX_VALUE);
    }

    /* ---- sender ---- */

    static void signs(AbstractAS4Client<?> m, IAS4CryptoFactory own) {
        m.setCryptoFactory(own);
        m.signingParams().setAlgorithmSign(ECryptoAlgorithmSign.RSA_SHA_256).setAlgorithmSignDigest(ECryptoAlgorithmSignDigest.DIGEST_SHA_256);
    }

    static void secure(AbstractAS4Client<?> m, IAS4CryptoFactory own, X509Certificate theirs, Set<String> words) {
        if (words.contains("sign"))
            signs(m, own);
        if (words.contains("encrypt")) {
            m.setCryptoFactory(own);
            m.cryptParams().setAlgorithmCrypt(ECryptoAlgorithmCrypt.AES_128_GCM).setCertificate(theirs);
        }
        if (words.contains("clock"))
            m.signingParams().setWSSecSignatureCustomizer(new IWSSecSignatureCustomizer() {
                private WSSecHeader header;

                @Override
                public WSSecSignature createWSSecSignature(WSSecHeader h) {
                    header = h;
                    return new WSSecSignature(h);
                }

                @Override
                public void customize(WSSecSignature s) {
                    WSSecTimestamp t = new WSSecTimestamp(header);
                    t.build();
                    s.getParts().add(new WSEncryptionPart("Timestamp", WSU, ""));
                }
            });
    }

    static AS4ClientUserMessage user(AS4ResourceHelper files, Set<String> words) throws Exception {
        AS4ClientUserMessage m = new AS4ClientUserMessage(files);
        m.setAction("urn:example:store/put").setServiceType("urn:example:services").setServiceValue("store").setConversationID("c-1");
        m.setFromRole(EB + "initiator").setFromPartyIDType("urn:example:party").setFromPartyID("rsa");
        m.setToRole(EB + "responder").setToPartyIDType("urn:example:party").setToPartyID("server");
        m.setAgreementRefValue("urn:example:agreement").setPModeID("store");
        if (words.contains("body")) {
            m.setPayload(parsed(payload(3000)).getDocumentElement());
            return m;
        }
        for (int size : sizes(words))
            m.addAttachment(WSS4JAttachment.createOutgoingFileAttachment(AS4OutgoingAttachment.builder().data(payload(size)).mimeType(CMimeType.APPLICATION_XML)
                .compression(EAS4CompressionMode.GZIP).charset(StandardCharsets.UTF_8).build(), files));
        return m;
    }

    static boolean answered(byte[] xml, String id) throws Exception {
        Document d = parsed(xml);
        if (d.getElementsByTagNameNS(SOAP, "Fault").getLength() != 0)
            throw new IllegalStateException(one(d, SOAP, "Text").getTextContent());
        return one(d, SOAP, "Body").getFirstChild() == null && one(one(d, EB, "SignalMessage"), EB, "Receipt") != null
            && one(d, EB, "RefToMessageId").getTextContent().equals(id);
    }

    static boolean send(String url, String name, IAS4CryptoFactory own, X509Certificate theirs) throws Exception {
        Set<String> words = Set.of(name.split("-"));
        try (AS4ResourceHelper files = new AS4ResourceHelper()) {
            AbstractAS4Client<?> m;
            if (words.contains("receipt")) {
                AS4ClientUserMessage about = user(files, Set.of("body"));
                Document[] soap = new Document[1];
                about.buildMessage("m-1@example.org", new com.helger.phase4.client.IAS4ClientBuildMessageCallback() {
                    @Override
                    public void onSoapDocument(Document d) {
                        soap[0] = d;
                    }
                });
                AS4ClientReceiptMessage r = new AS4ClientReceiptMessage(files);
                r.setEbms3UserMessage(new Ebms3MessagingMarshaller().read(one(soap[0], EB, "Messaging")).getUserMessageAtIndex(0));
                r.setRefToMessageID("m-1@example.org");
                r.setReceiptShouldBeSigned(true);
                m = r;
            } else
                m = user(files, words);
            secure(m, own, theirs, words);
            int[] status = new int[1];
            var sent = m.sendMessageWithRetries(url + "/" + name, answer -> {
                status[0] = answer.getCode();
                return answer.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(answer.getEntity());
            }, null, null, null);
            byte[] body = sent.getResponseContent();
            if (words.contains("receipt"))
                return status[0] == 202 && body.length == 0;
            return answered(body, sent.getBuiltMessage().getMessageID());
        }
    }

    static void ask(String[] args) throws Exception {
        IAS4CryptoFactory own = crypto(Path.of(args[2], "rsa.p12"), "rsa", Path.of(args[3]));
        X509Certificate theirs = Keys.certificate(Path.of(args[3]));
        for (String name : Arrays.copyOfRange(args, 4, args.length))
            try {
                System.out.println((send(args[1], name, own, theirs) ? "ok " : "bad ") + name);
            } catch (Throwable t) {
                Throwable why = t;
                while (why.getCause() != null)
                    why = why.getCause();
                System.out.println("bad " + name + ": " + String.valueOf(why).replaceAll("\\s+", " "));
                if (System.getenv("VERBOSE") != null)
                    t.printStackTrace();
            }
        System.exit(0);
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
        /* It warns of each attachment, which WSS4J hands to it as an empty node. */
        XMLDSIG.setLevel(Level.SEVERE);
        ScopeManager.onGlobalBegin("as4");
        if (args[0].equals("server"))
            serve(args);
        ask(args);
    }
}
