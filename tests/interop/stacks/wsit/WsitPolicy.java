// SPDX-License-Identifier: GPL-2.0
// Metro with WSIT that takes its WS-SecurityPolicy from the WSDL, as client and as service.
//
//     WsitPolicy server PORT STORE.WSDL DIR PKI SERVER.P12 NAME...
//     WsitPolicy client URL PKI SERVER.CRT CA.CRT NAME...
//
// A name is what Policies says. The service of a name is at /NAME: with "own" it keeps to its policy itself, with the keys
// of SERVER.P12; else it has none, and DIR/wsdl-NAME.wsdl is for the gateway in front of it.

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.AddressingFeature;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.namespace.QName;
import javax.xml.transform.stream.StreamSource;

public final class WsitPolicy {
    /* Its own attribute; HMAC is by SHA-1 all the same. */
    static final String SUITE =
        Policies.nested("AlgorithmSuite", "<sp:Basic128Sha256/>").replaceFirst("AlgorithmSuite", "AlgorithmSuite signatureAlgorithm='SHA256withRSA'");
    static final QName SERVICE = new QName(SecureStore.NS, "StoreService"), PORT = new QName(SecureStore.NS, "StorePort");

    /* An assertion of WSIT's own, which it does not show. */
    static String keys(String name, String side, Path file, String more) {
        return "<sc:" + name + " xmlns:sc='http://schemas.sun.com/2006/03/wss/" + side + "' xmlns:wspp='http://java.sun.com/xml/ns/wsit/policy'"
            + " wspp:visibility='private' type='PKCS12' storepass='" + Keys.TEXT + "' location='" + file.toAbsolutePath() + "' " + more + "/>";
    }

    static void serve(String[] args) throws Exception {
        Path dir = Path.of(args[3]);
        String own = keys("KeyStore", "server", Path.of(args[5]), "alias='server'")
            + keys("TrustStore", "server", Keys.write(Keys.trusted(Map.of("ca", Path.of(args[4], "ca.crt"))), dir.resolve("wsit-trusted.p12")), "");
        for (String name : Arrays.copyOfRange(args, 6, args.length)) {
            Policies words = new Policies(name, SUITE);
            String url = "http://127.0.0.1:" + args[1] + "/" + name, wsdl = words.wsdl(Path.of(args[2]), url);
            Path file = dir.resolve("service-" + name + ".wsdl");
            if (!words.has("own"))
                Files.writeString(dir.resolve("wsdl-" + name + ".wsdl"), wsdl);
            Files.writeString(file, words.has("own") ? wsdl.replaceFirst("<wsp:All>", "<wsp:All>" + own)
                                                     : Files.readString(Path.of(args[2])).replace("http://localhost:8080/store", url));
            Endpoint e = Endpoint.create(new SecureStore.Servant(), new AddressingFeature(words.has("addressing")));
            e.setMetadata(List.of(new StreamSource(file.toUri().toString())));
            e.setProperties(Map.of(Endpoint.WSDL_SERVICE, SERVICE, Endpoint.WSDL_PORT, PORT));
            e.publish(url);
        }
        System.out.println("listening on 127.0.0.1:" + args[1]);
        Thread.sleep(Long.MAX_VALUE);
    }

    static boolean call(String url, String name, KeyStore own, X509Certificate theirs) throws Exception {
        SecureStore.Port port = Service.create(new URL(url + "/" + name + "?wsdl"), SERVICE).getPort(PORT, SecureStore.Port.class);
        Map<String, Object> c = ((BindingProvider) port).getRequestContext();
        c.put("certificate", own.getCertificate("rsa"));
        c.put("privatekey", own.getKey("rsa", Keys.PASSWORD));
        c.put("server-certificate", theirs);
        c.put("username", "jane");
        c.put("password", "correct horse");
        return SecureStore.converse(port, false);
    }

    /* Where WSIT looks for what it trusts: a WSDL of that name beside the classes. */
    static void configure(Path ca) throws Exception {
        Path classes = Path.of(WsitPolicy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Files.writeString(classes.resolve("wsit-client.xml"),
            "<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/' xmlns:t='urn:example:store' targetNamespace='urn:example:store'>"
                + Policies.policy("client", keys("TrustStore", "client", Keys.write(Keys.trusted(Map.of("ca", ca)), classes.resolve("trusted.p12")), "")) + "<w:portType name='Store'/>"
                + "<w:binding name='StoreBinding' type='t:Store'>" + Policies.REFERENCE + "client'/></w:binding>"
                + "<w:service name='StoreService'><w:port name='StorePort' binding='t:StoreBinding'/></w:service></w:definitions>");
    }

    static void ask(String[] args) throws Exception {
        configure(Path.of(args[4]));
        KeyStore own = Keys.store(Path.of(args[2], "rsa.p12"));
        X509Certificate theirs = Keys.certificate(Path.of(args[3]));
        for (String name : Arrays.copyOfRange(args, 5, args.length))
            SecureStore.step(name, () -> {
                /* Its Timestamp has seconds only: the same call of the same sender again within one is the same message, a replay. */
                Thread.sleep(1100);
                return call(args[1], name, own, theirs);
            });
        System.exit(0);
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(System.getenv("VERBOSE") == null ? Level.OFF : Level.INFO);
        /* All endpoints are of one service: their names in JMX would clash. */
        System.setProperty("com.sun.xml.ws.monitoring.endpoint", "false");
        if (args[0].equals("server"))
            serve(args);
        ask(args);
    }
}
