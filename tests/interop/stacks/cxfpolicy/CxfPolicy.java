// SPDX-License-Identifier: GPL-2.0
// Apache CXF that takes its WS-SecurityPolicy from the WSDL, as client and as service.
//
//     CxfPolicy server PORT STORE.WSDL DIR PKI SERVER.P12 NAME...
//     CxfPolicy client URL PKI SERVER.CRT CA.CRT NAME...
//
// A name is what Policies says; "hidden": the UsernameToken is encrypted. The service of a name is at /NAME. It leaves
// its policy to the gateway in front of it, or with "own" keeps to it itself, with the keys of SERVER.P12.

import jakarta.activation.DataHandler;
import jakarta.mail.util.ByteArrayDataSource;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.soap.MTOMFeature;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.attachment.AttachmentImpl;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.ws.policy.PolicyEngine;
import org.apache.cxf.ws.security.policy.custom.DefaultAlgorithmSuiteLoader;
import org.apache.neethi.Policy;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.common.saml.SAMLCallback;
import org.apache.wss4j.common.saml.bean.AudienceRestrictionBean;
import org.apache.wss4j.common.saml.bean.AuthenticationStatementBean;
import org.apache.wss4j.common.saml.bean.ConditionsBean;
import org.apache.wss4j.common.saml.bean.KeyInfoBean;
import org.apache.wss4j.common.saml.bean.SubjectBean;
import org.apache.wss4j.common.saml.bean.Version;
import org.apache.wss4j.common.saml.builder.SAML2Constants;
import org.apache.wss4j.policy.SPConstants;

public final class CxfPolicy {
    static final String SUITE = Policies.nested("AlgorithmSuite",
        "<cxf:CustomAlgorithmSuite xmlns:cxf='http://cxf.apache.org/custom/security-policy'/>");
    static final String RSA = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
    static Path pki;

    static Merlin own(Path file) throws Exception {
        Merlin m = new Merlin();
        m.setKeyStore(Keys.store(file));
        return m;
    }

    static Merlin own(String user) throws Exception {
        return own(pki.resolve(user + ".p12"));
    }

    static Merlin trusted(Map<String, Path> files) throws Exception {
        KeyStore s = Keys.trusted(files);
        Merlin m = new Merlin();
        m.setKeyStore(s);
        m.setTrustStore(s);
        return m;
    }

    /* What a suite of one's own consists of, and the password of every key. */
    static void suite(Map<String, Object> c) {
        String suite = "ws-security.custom.alg.suite.", xenc = "http://www.w3.org/2009/xmlenc11#";
        c.put(suite + "asymmetric.signature", RSA);
        c.put(suite + "symmetric.signature", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256");
        c.put(suite + "digest.algorithm", "http://www.w3.org/2001/04/xmlenc#sha256");
        c.put(suite + "encryption.algorithm", xenc + "aes128-gcm");
        c.put(suite + "asymmetric.key.encryption.algorithm", xenc + "rsa-oaep");
        c.put(suite + "encryption.derived.key.length", 128);
        c.put(suite + "signature.derived.key.length", 256);
        c.put(suite + "minimum.symmetric.key.length", 128);
        c.put(suite + "maximum.symmetric.key.length", 256);
        c.put(suite + "minimum.asymmetric.key.length", 2048);
        c.put(suite + "maximum.asymmetric.key.length", 4096);
        c.put("ws-security.asymmetric.signature.algorithm", RSA);
        c.put("ws-security.symmetric.signature.algorithm", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256");
        c.put("ws-security.username", "jane");
        c.put("security.callback-handler", (CallbackHandler) all -> {
            for (Callback one : all)
                if (one instanceof WSPasswordCallback p)
                    p.setPassword(p.getUsage() == WSPasswordCallback.USERNAME_TOKEN ? "correct horse" : Keys.TEXT);
        });
    }

    /* An assertion of the issuer that the gateway trusts. */
    static void assertion(SAMLCallback c, Policies words) throws Exception {
        c.setSamlVersion(Version.SAML_20);
        c.setIssuer("https://idp.example.org/");
        String method = words.has("holder") ? SAML2Constants.CONF_HOLDER_KEY
            : words.has("vouches") ? SAML2Constants.CONF_SENDER_VOUCHES : SAML2Constants.CONF_BEARER;
        SubjectBean subject = new SubjectBean("jane", "", method);
        if (words.has("holder")) {
            KeyInfoBean key = new KeyInfoBean();
            key.setCertificate((java.security.cert.X509Certificate) Keys.store(pki.resolve("rsa.p12")).getCertificate("rsa"));
            key.setCertIdentifer(KeyInfoBean.CERT_IDENTIFIER.X509_CERT);
            subject.setKeyInfo(key);
        }
        c.setSubject(subject);
        AuthenticationStatementBean how = new AuthenticationStatementBean();
        how.setAuthenticationMethod("Password");
        c.setAuthenticationStatementData(java.util.List.of(how));
        ConditionsBean conditions = new ConditionsBean();
        conditions.setTokenPeriodMinutes(5);
        AudienceRestrictionBean audience = new AudienceRestrictionBean();
        audience.setAudienceURIs(java.util.List.of("urn:example:store"));
        conditions.setAudienceRestrictions(java.util.List.of(audience));
        c.setConditions(conditions);
        c.setSignAssertion(true);
        c.setIssuerCrypto(own("idp"));
        c.setIssuerKeyName("idp");
        c.setIssuerKeyPassword(Keys.TEXT);
        c.setSignatureAlgorithm(RSA);
        c.setSignatureDigestAlgorithm("http://www.w3.org/2001/04/xmlenc#sha256");
        c.setCanonicalizationAlgorithm("http://www.w3.org/2001/10/xml-exc-c14n#");
    }

    static Bus bus() {
        Bus bus = BusFactory.newInstance().createBus();
        /* Makes its kind of suite known. */
        new DefaultAlgorithmSuiteLoader().getAlgorithmSuite(bus, SPConstants.SPVersion.SP12, new Policy());
        return bus;
    }

    /* What a service that keeps to its policy itself wants. Which property is for which purpose depends on the binding. */
    static Map<String, Object> guards(Path server) throws Exception {
        Merlin both = own(server);
        both.setTrustStore(trusted(Map.of("ca", pki.resolve("ca.crt"))).getTrustStore());
        Map<String, Object> c = new HashMap<>();
        suite(c);
        c.put("security.signature.crypto", both);
        c.put("security.signature.username", "server");
        c.put("security.encryption.crypto", both);
        c.put("security.encryption.username", "useReqSigCert");
        return c;
    }

    static void serve(String[] args) throws Exception {
        Bus leaving = bus(), keeping = bus();
        leaving.getExtension(PolicyEngine.class).setEnabled(false);
        pki = Path.of(args[4]);
        for (int i = 6; i < args.length; i++) {
            Policies words = new Policies(args[i], SUITE);
            String url = "http://127.0.0.1:" + args[1] + "/" + args[i];
            Path file = Path.of(args[3], "service-" + args[i] + ".wsdl");
            Files.writeString(file, words.wsdl(Path.of(args[2]), url));
            JaxWsServerFactoryBean f = new JaxWsServerFactoryBean();
            f.setBus(words.has("own") ? keeping : leaving);
            f.setServiceBean(new SecureStore.Servant());
            f.setWsdlLocation(file.toUri().toString());
            f.setAddress(url);
            f.setProperties(words.has("own") ? guards(Path.of(args[5])) : new HashMap<>());
            if (words.has("mtom"))
                f.getProperties().put("mtom-enabled", "true");
            f.create();
        }
        System.out.println("listening on 127.0.0.1:" + args[1]);
        Thread.sleep(Long.MAX_VALUE);
    }

    static boolean attached(SecureStore.Port port) {
        ((BindingProvider) port).getRequestContext().put(MessageContext.OUTBOUND_MESSAGE_ATTACHMENTS,
            new java.util.LinkedHashMap<>(Map.of("one@example.org", new DataHandler(new ByteArrayDataSource(SecureStore.bytes(5000), "application/octet-stream")),
                "two@example.org", new DataHandler(new ByteArrayDataSource("Grüße".getBytes(java.nio.charset.StandardCharsets.UTF_8), "text/plain; charset=UTF-8")))));
        Holder<String> user = new Holder<>();
        Holder<Integer> bytes = new Holder<>();
        port.who(user, bytes);
        return bytes.value == 5007;
    }

    /* CXF signs an attachment without the fields of the MIME header that it writes itself, so that nobody can verify it. */
    static final class NameFields extends AbstractPhaseInterceptor<Message> {
        NameFields() {
            super(Phase.POST_LOGICAL);
        }

        @Override
        public void handleMessage(Message m) {
            if (m.getAttachments() != null)
                for (Attachment one : m.getAttachments()) {
                    ((AttachmentImpl) one).setHeader("Content-Type", one.getDataHandler().getContentType());
                    ((AttachmentImpl) one).setHeader("Content-ID", "<" + one.getId() + ">");
                }
        }
    }

    static boolean call(String url, String name, Merlin theirs) throws Exception {
        Policies words = new Policies(name, SUITE);
        Service service = Service.create(new URL(url + "/" + name + "?wsdl"), new QName(SecureStore.NS, "StoreService"));
        QName portName = new QName(SecureStore.NS, "StorePort");
        SecureStore.Port port = words.has("mtom") ? service.getPort(portName, SecureStore.Port.class, new MTOMFeature(true, 512))
                                                  : service.getPort(portName, SecureStore.Port.class);
        Map<String, Object> c = ((BindingProvider) port).getRequestContext();
        suite(c);
        c.put("security.signature.crypto", own("rsa"));
        c.put("security.signature.username", "rsa");
        /* Else CXF encrypts a signed UsernameToken, whatever the policy says. */
        c.put("ws-security.username-token.always.encrypted", words.has("hidden"));
        c.put("security.encryption.crypto", theirs);
        c.put("security.encryption.username", "server");
        c.put("ws-security.saml-callback-handler", (CallbackHandler) all -> {
            for (Callback one : all)
                if (one instanceof SAMLCallback s)
                    try {
                        assertion(s, words);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
        });
        if (words.has("complete"))
            ClientProxy.getClient(port).getOutInterceptors().add(new NameFields());
        return words.has("swa") ? attached(port) : SecureStore.converse(port, words.has("mtom"));
    }

    static void ask(String[] args) throws Exception {
        pki = Path.of(args[2]);
        BusFactory.setDefaultBus(bus());
        Merlin theirs = trusted(Map.of("server", Path.of(args[3]), "server-ca", Path.of(args[4]), "ca", pki.resolve("ca.crt")));
        for (int i = 5; i < args.length; i++) {
            String name = args[i];
            SecureStore.step(name, () -> call(args[1], name, theirs));
        }
        System.exit(0);
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.apache.cxf").setLevel(System.getenv("VERBOSE") == null ? Level.SEVERE : Level.INFO);
        if (args[0].equals("server"))
            serve(args);
        ask(args);
    }
}
