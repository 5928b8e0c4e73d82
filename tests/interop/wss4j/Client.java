// SPDX-License-Identifier: GPL-2.0
/*
 * Orders by Apache CXF, secured as a WS-SecurityPolicy says. Usage: Client WSDL PKI SERVER.CRT CA.CRT CASE=URL...
 *
 * CASE is a client of PKI and words, joined by commas, of what its policy asks for; see Policies. One
 * line for each: "CASE answered", if the answer keeps to the policy, too, or "CASE refused WHY".
 */
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.AddressingFeature;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.security.auth.callback.CallbackHandler;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.DispatchImpl;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.ws.policy.PolicyBuilder;
import org.apache.cxf.ws.policy.PolicyConstants;
import org.apache.cxf.ws.policy.PolicyInInterceptor;
import org.apache.cxf.ws.security.policy.custom.DefaultAlgorithmSuiteLoader;
import org.apache.neethi.Policy;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.policy.SPConstants;

public final class Client {
    static final String SP = "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702";
    static final String WSA = "http://www.w3.org/2005/08/addressing";
    static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
    static final String ORDER = "<submitOrder xmlns='urn:fmp:orders'><orderId>1234567</orderId>"
        + "<customer>Jane O'Neil-Smith</customer><date>2026-11-21T02:00:00Z</date>"
        + "<item><sku>ABC-000001</sku><qty>3</qty><price>1.50</price></item></submitOrder>";
    static Path wsdl, pki;
    static Merlin theirs;

    /* In the words of WS-SecurityPolicy 1.2. */
    static final class Policies {
        static String token(String role, String include, String reference) {
            return "<sp:" + role + "><wsp:Policy><sp:X509Token sp:IncludeToken='" + SP + "/IncludeToken/" + include
                + "'><wsp:Policy>" + reference + "<sp:WssX509V3Token11/></wsp:Policy></sp:X509Token></wsp:Policy></sp:"
                + role + ">";
        }

        static String initiator(Set<String> words) {
            for (String how : new String[] {"IssuerSerial", "KeyIdentifier", "Thumbprint"})
                if (words.contains(how))
                    return token("InitiatorToken", "Never", "<sp:Require" + how + "Reference/>");
            return token("InitiatorToken", "AlwaysToRecipient", "");
        }

        static String parts(String kind, String... headers) {
            String all = "<sp:Body/>";
            for (String h : headers)
                all += "<sp:Header Name='" + h + "' Namespace='" + WSA + "'/>";
            return "<sp:" + kind + ">" + all + "</sp:" + kind + ">";
        }

        static String assertion(Set<String> words, String word) {
            return words.contains(word) ? "<sp:" + word + "/>" : "";
        }

        static String user() {
            return "<sp:SignedEncryptedSupportingTokens><wsp:Policy><sp:UsernameToken sp:IncludeToken='" + SP
                + "/IncludeToken/AlwaysToRecipient'><wsp:Policy><sp:HashPassword/><sp:WssUsernameToken11/></wsp:Policy>"
                + "</sp:UsernameToken></wsp:Policy></sp:SignedEncryptedSupportingTokens>";
        }

        /* Of a request; of its answer: the gateway signs and encrypts the Body, and no signature. Unanswered: nothing. */
        static String of(Set<String> words, boolean answer) {
            if (answer && words.contains("unanswered"))
                return "<wsp:Policy xmlns:wsp='http://www.w3.org/ns/ws-policy'/>";
            boolean blocks = !answer && words.contains("blocks"), secret = words.contains("encrypted");
            return "<wsp:Policy xmlns:wsp='http://www.w3.org/ns/ws-policy' xmlns:sp='" + SP + "'><sp:AsymmetricBinding>"
                + "<wsp:Policy>" + initiator(words)
                + token("RecipientToken", "Never", "<sp:RequireIssuerSerialReference/>") + "<sp:AlgorithmSuite><wsp:Policy>"
                + "<cxf:CustomAlgorithmSuite xmlns:cxf='http://cxf.apache.org/custom/security-policy'/></wsp:Policy>"
                + "</sp:AlgorithmSuite><sp:Layout><wsp:Policy><sp:" + (words.contains("Strict") ? "Strict" : "Lax")
                + "/></wsp:Policy></sp:Layout><sp:IncludeTimestamp/>" + assertion(words, "EncryptBeforeSigning")
                + (answer ? "" : assertion(words, "EncryptSignature") + assertion(words, "ProtectTokens"))
                + "<sp:OnlySignEntireHeadersAndBody/></wsp:Policy></sp:AsymmetricBinding>"
                + (words.contains("addressing") && !answer ? parts("SignedParts", "To", "Action", "MessageID")
                                                           : parts("SignedParts"))
                + (blocks ? parts("EncryptedParts", "To", "MessageID") : secret ? parts("EncryptedParts") : "")
                + (words.contains("user") && !answer ? user() : "") + "</wsp:Policy>";
        }

        static Policy read(Bus bus, String text) throws Exception {
            return bus.getExtension(PolicyBuilder.class)
                .getPolicy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    static KeyStore empty() throws Exception {
        KeyStore s = KeyStore.getInstance("PKCS12");
        s.load(null, null);
        return s;
    }

    static KeyStore own(String user) throws Exception {
        KeyStore s = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(pki.resolve(user + ".p12"))) {
            s.load(in, "vectors".toCharArray());
        }
        return s;
    }

    static Merlin trusted(Path... files) throws Exception {
        KeyStore s = empty();
        for (Path file : files)
            try (InputStream in = Files.newInputStream(file)) {
                s.setCertificateEntry(file.getFileName().toString().equals("server.crt") ? "server" : file.toString(),
                    CertificateFactory.getInstance("X.509").generateCertificate(in));
            }
        Merlin m = new Merlin();
        m.setKeyStore(s);
        m.setTrustStore(s);
        return m;
    }

    static void secure(Map<String, Object> c, String user, Set<String> words) throws Exception {
        String suite = "ws-security.custom.alg.suite.", method = MORE + (user.startsWith("ec") ? "ecdsa" : "rsa") + "-sha256";
        int bits = words.contains("aes256") ? 256 : 128;
        Merlin mine = new Merlin();
        mine.setKeyStore(own(user));
        c.put("security.signature.crypto", mine);
        c.put("security.signature.username", user);
        c.put("security.encryption.crypto", theirs);
        c.put("security.encryption.username", "server");
        c.put("ws-security.asymmetric.signature.algorithm", method);
        c.put(suite + "asymmetric.signature", method);
        c.put(suite + "digest.algorithm", "http://www.w3.org/2001/04/xmlenc#sha256");
        c.put(suite + "encryption.algorithm", "http://www.w3.org/2009/xmlenc11#aes" + bits + "-gcm");
        c.put(suite + "asymmetric.key.encryption.algorithm", "http://www.w3.org/2009/xmlenc11#rsa-oaep");
        c.put(suite + "encryption.derived.key.length", bits);
        c.put(suite + "signature.derived.key.length", bits);
        c.put(suite + "minimum.symmetric.key.length", 128);
        c.put(suite + "maximum.symmetric.key.length", 256);
        c.put(suite + "minimum.asymmetric.key.length", user.startsWith("ec") ? 256 : 2048);
        c.put(suite + "maximum.asymmetric.key.length", 4096);
        c.put("ws-security.username", "jane");
        c.put("security.callback-handler", (CallbackHandler) callbacks -> {
            for (var b : callbacks) {
                WSPasswordCallback p = (WSPasswordCallback) b;
                p.setPassword(p.getUsage() == WSPasswordCallback.USERNAME_TOKEN ? "correct horse, battery" : "vectors");
            }
        });
    }

    static Dispatch<Source> dispatch(Set<String> words) throws Exception {
        Service service = Service.create(wsdl.toUri().toURL(), new QName("urn:fmp:orders:svc", "Orders"));
        QName port = new QName("urn:fmp:orders:svc", "OrdersPort");
        if (!words.contains("addressing"))
            return service.createDispatch(port, Source.class, Service.Mode.PAYLOAD);
        /* Required: all of its blocks must be understood. */
        return service.createDispatch(port, Source.class, Service.Mode.PAYLOAD, new AddressingFeature(true, true));
    }

    static void answerBy(Policy policy, Dispatch<Source> d) {
        var first = new AbstractPhaseInterceptor<Message>(Phase.RECEIVE) {
            @Override
            public void handleMessage(Message m) {
                m.put(PolicyConstants.POLICY_OVERRIDE, policy);
            }
        };
        first.addBefore(PolicyInInterceptor.class.getName());
        ((DispatchImpl<Source>) d).getClient().getInInterceptors().add(first);
    }

    static String ask(Bus bus, String name, String url) throws Exception {
        String user = name.split(",")[0];
        Set<String> words = Set.of(name.split(","));
        Dispatch<Source> d = dispatch(words);
        Map<String, Object> c = d.getRequestContext();
        c.put("jakarta.xml.ws.service.endpoint.address", url);
        c.put(PolicyConstants.POLICY_OVERRIDE, Policies.read(bus, Policies.of(words, false)));
        secure(c, user, words);
        answerBy(Policies.read(bus, Policies.of(words, true)), d);
        StringWriter out = new StringWriter();
        TransformerFactory.newInstance().newTransformer()
            .transform(d.invoke(new StreamSource(new StringReader(ORDER))), new StreamResult(out));
        return out.toString().contains("total>4.50<") ? "answered" : "refused " + out;
    }

    static String why(Throwable e) {
        while (e.getCause() != null)
            e = e.getCause();
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.apache.cxf").setLevel(Level.SEVERE);
        wsdl = Path.of(args[0]);
        pki = Path.of(args[1]);
        theirs = trusted(Path.of(args[2]), Path.of(args[3]), pki.resolve("ca.crt"));
        Bus bus = BusFactory.getDefaultBus();
        /* Makes its kind of suite known. */
        new DefaultAlgorithmSuiteLoader().getAlgorithmSuite(bus, SPConstants.SPVersion.SP12, new Policy());
        for (int i = 4; i < args.length; i++) {
            String[] one = args[i].split("=", 2);
            try {
                System.out.println(one[0] + " " + ask(bus, one[0], one[1]));
            } catch (Exception e) {
                System.out.println(one[0] + " refused " + why(e));
            }
        }
        System.exit(0);
    }
}
