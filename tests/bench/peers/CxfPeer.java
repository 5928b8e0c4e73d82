// SPDX-License-Identifier: GPL-2.0
/*
 * CxfPeer CASE SCHEMA CAS
 *
 * The sample service by Apache CXF: BcV validates the payload, BcS verifies Timestamp and
 * signature as well, by WSS4J. Says where it listens; until SIGTERM.
 */
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceProvider;
import java.io.FileInputStream;
import java.io.StringReader;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.wss4j.common.ConfigurationConstants;
import org.apache.wss4j.common.crypto.Merlin;

public class CxfPeer {
    static Schema schema;

    @WebServiceProvider
    @ServiceMode(Service.Mode.PAYLOAD)
    public static class Orders implements Provider<Source> {
        static final String ANSWER = "<submitOrderResponse xmlns=\"urn:fmp:orders\"><orderId>1</orderId><total>1.00</total>"
            + "<confirmation>accepted</confirmation></submitOrderResponse>";

        @Override
        public Source invoke(Source order) {
            try {
                schema.newValidator().validate(order);
            } catch (Exception e) {
                throw new RuntimeException(e.getMessage());
            }
            return new StreamSource(new StringReader(ANSWER));
        }
    }

    static WSS4JInInterceptor verifier(String cas) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (FileInputStream in = new FileInputStream(cas)) {
            store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        Merlin crypto = new Merlin();
        crypto.setTrustStore(store);
        crypto.setKeyStore(store);
        Map<String, Object> properties = new HashMap<>();
        properties.put(ConfigurationConstants.ACTION,
            ConfigurationConstants.TIMESTAMP + " " + ConfigurationConstants.SIGNATURE);
        properties.put(ConfigurationConstants.SIG_VER_PROP_REF_ID, "crypto");
        properties.put("crypto", crypto);
        properties.put(ConfigurationConstants.TTL_TIMESTAMP, "3600");
        properties.put(ConfigurationConstants.IS_BSP_COMPLIANT, "false");
        return new WSS4JInInterceptor(properties);
    }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(Path.of(args[1]).toFile());
        JaxWsServerFactoryBean bean = new JaxWsServerFactoryBean();
        bean.setServiceBean(new Orders());
        bean.setAddress("http://127.0.0.1:" + port + "/orders");
        /* It would remember messages on disk, at twice the cost. */
        bean.setProperties(new HashMap<>(Map.of("ws-security.enable.timestamp.cache", "false")));
        if (args[0].equals("BcS"))
            bean.getInInterceptors().add(verifier(args[2]));
        bean.create();
        System.out.println("listening on 127.0.0.1:" + port);
        System.out.flush();
        Thread.currentThread().join();
    }
}
