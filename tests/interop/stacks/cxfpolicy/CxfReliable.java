// SPDX-License-Identifier: GPL-2.0
// WS-ReliableMessaging by Apache CXF, as client and as service.
//
//     CxfReliable server PORT STORE.WSDL DIR NAME...
//     CxfReliable client URL NAME...
//
// Words of a name: 10 or 11, the version. The service of a name is at /NAME. Three messages make a sequence, each is
// acknowledged at once; echo("seen") is answered by the actions that the service has seen.

import jakarta.jws.WebService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.feature.Feature;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.ws.addressing.ContextUtils;
import org.apache.cxf.ws.addressing.WSAddressingFeature;
import org.apache.cxf.ws.rm.RM10Constants;
import org.apache.cxf.ws.rm.RM11Constants;
import org.apache.cxf.ws.rm.RMManager;
import org.apache.cxf.ws.rm.feature.RMFeature;
import org.apache.cxf.ws.rm.manager.AcksPolicyType;
import org.apache.cxf.ws.rm.manager.DestinationPolicyType;
import org.apache.cxf.ws.rm.manager.SequenceTerminationPolicyType;
import org.apache.cxf.ws.rm.manager.SourcePolicyType;

public final class CxfReliable {
    static List<Feature> features(String name) {
        RMFeature f = new RMFeature();
        f.setRMNamespace(Set.of(name.split("-")).contains("11") ? RM11Constants.NAMESPACE_URI : RM10Constants.NAMESPACE_URI);
        AcksPolicyType acks = new AcksPolicyType();
        acks.setIntraMessageThreshold(0);
        DestinationPolicyType taken = new DestinationPolicyType();
        taken.setAcksPolicy(acks);
        f.setDestinationPolicy(taken);
        SequenceTerminationPolicyType end = new SequenceTerminationPolicyType();
        end.setMaxLength(3);
        SourcePolicyType sent = new SourcePolicyType();
        sent.setSequenceTerminationPolicy(end);
        f.setSourcePolicy(sent);
        return List.of(f, new WSAddressingFeature());
    }

    @WebService(endpointInterface = "SecureStore$Port", targetNamespace = SecureStore.NS, serviceName = "StoreService", portName = "StorePort")
    public static class Servant extends SecureStore.Servant {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public String echo(String text) {
            return text.equals("seen") ? String.join(" ", seen) : super.echo(text);
        }
    }

    static void serve(String[] args) throws Exception {
        for (String name : Arrays.copyOfRange(args, 4, args.length)) {
            Servant servant = new Servant();
            String url = "http://127.0.0.1:" + args[1] + "/" + name;
            Path file = Path.of(args[3], "service-" + name + ".wsdl");
            Files.writeString(file, Files.readString(Path.of(args[2])).replace("http://localhost:8080/store", url));
            JaxWsServerFactoryBean f = new JaxWsServerFactoryBean();
            f.setBus(BusFactory.newInstance().createBus());
            f.setServiceBean(servant);
            f.setWsdlLocation(file.toUri().toString());
            f.setAddress(url);
            f.getFeatures().addAll(features(name));
            f.getInInterceptors().add(new AbstractPhaseInterceptor<Message>(Phase.PRE_LOGICAL) {
                @Override
                public void handleMessage(Message m) {
                    var about = ContextUtils.retrieveMAPs(m, false, false);
                    String action = about == null || about.getAction() == null ? "none" : about.getAction().getValue();
                    servant.seen.add(action.substring(action.lastIndexOf('/') + 1));
                }
            });
            f.create();
        }
        System.out.println("listening on 127.0.0.1:" + args[1]);
        Thread.sleep(Long.MAX_VALUE);
    }

    static SecureStore.Port port(Bus bus, String url, String name) {
        JaxWsProxyFactoryBean f = new JaxWsProxyFactoryBean();
        f.setBus(bus);
        f.setServiceClass(SecureStore.Port.class);
        f.setWsdlURL(url + "/" + name + "?wsdl");
        f.setServiceName(new QName(SecureStore.NS, "StoreService"));
        f.setEndpointName(new QName(SecureStore.NS, "StorePort"));
        f.getFeatures().addAll(features(name));
        return f.create(SecureStore.Port.class);
    }

    /* Waits until all that was sent is acknowledged. */
    static boolean acknowledged(Bus bus) throws Exception {
        for (int tries = 0; tries < 50; tries++) {
            if (bus.getExtension(RMManager.class).getRetransmissionQueue().isEmpty())
                return true;
            Thread.sleep(100);
        }
        return false;
    }

    /* A whole sequence is three messages; the fourth begins another. */
    static boolean call(String url, String name) throws Exception {
        Bus bus = BusFactory.newInstance().createBus();
        SecureStore.Port port = port(bus, url, name);
        if (!SecureStore.converse(port, false))
            return false;
        if (!acknowledged(bus))
            throw new IllegalStateException("not acknowledged");
        String seen = "";
        for (int tries = 0; tries < 20 && !seen.contains("TerminateSequence"); tries++) {
            Thread.sleep(200);
            seen = port.echo("seen");
        }
        bus.shutdown(true);
        if (!seen.matches("CreateSequence echo fail put .*TerminateSequence.*"))
            throw new IllegalStateException("the service has seen " + seen);
        return true;
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.apache.cxf").setLevel(System.getenv("VERBOSE") == null ? Level.SEVERE : Level.INFO);
        if (args[0].equals("server"))
            serve(args);
        for (String name : Arrays.copyOfRange(args, 2, args.length))
            SecureStore.step(name, () -> call(args[1], name));
        System.exit(0);
    }
}
