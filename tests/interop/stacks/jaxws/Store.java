// SPDX-License-Identifier: GPL-2.0
// A service and its client by JAX-WS: Apache CXF or Metro, whichever the class path has.
//
//     java -cp JARS Store server PORT
//     java -cp JARS Store client URL-OF-WSDL

import jakarta.annotation.Resource;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.WebFault;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.soap.MTOM;
import jakarta.xml.ws.soap.MTOMFeature;
import jakarta.xml.ws.soap.SOAPBinding;
import java.net.URL;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.namespace.QName;

public class Store {
    static final String NS = "urn:example:store";

    public static class StoreFault {
        public String reason;
    }

    @WebFault(name = "storeFault", targetNamespace = NS)
    public static class StoreException extends Exception {
        private final StoreFault info;

        public StoreException(String reason, StoreFault info) {
            super(reason);
            this.info = info;
        }

        public StoreFault getFaultInfo() {
            return info;
        }
    }

    @WebService(name = "Store", targetNamespace = NS)
    public interface Port {
        @WebMethod
        @WebResult(name = "text", targetNamespace = NS)
        String echo(@WebParam(name = "text", targetNamespace = NS) String text);

        @WebMethod
        void fail(@WebParam(name = "reason", targetNamespace = NS) String reason) throws StoreException;

        /** "user:visits", by Authorization and a cookie. */
        @WebMethod
        @WebResult(name = "who", targetNamespace = NS)
        String who();

        @WebMethod
        @WebResult(name = "sum", targetNamespace = NS)
        long put(@WebParam(name = "data", targetNamespace = NS) byte[] data);

        @WebMethod
        @WebResult(name = "data", targetNamespace = NS)
        byte[] get(@WebParam(name = "size", targetNamespace = NS) int size);
    }

    @MTOM(threshold = 512)
    @WebService(endpointInterface = "Store$Port", targetNamespace = NS, serviceName = "StoreService", portName = "StorePort")
    public static class Servant implements Port {
        @Resource
        WebServiceContext context;

        public String echo(String text) {
            return text;
        }

        public void fail(String reason) throws StoreException {
            StoreFault info = new StoreFault();
            info.reason = reason;
            throw new StoreException("not done", info);
        }

        @SuppressWarnings("unchecked")
        public String who() {
            MessageContext mc = context.getMessageContext();
            Map<String, List<String>> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            sent.putAll((Map<String, List<String>>) mc.get(MessageContext.HTTP_REQUEST_HEADERS));
            int visits = 0;
            for (String line : sent.getOrDefault("Cookie", List.of()))
                for (String one : line.split(";"))
                    if (one.trim().startsWith("visits="))
                        visits = Integer.parseInt(one.trim().substring(7));
            mc.put(MessageContext.HTTP_RESPONSE_HEADERS,
                new HashMap<>(Map.of("Set-Cookie", List.of("visits=" + (visits + 1) + "; Path=/"))));
            String user = "nobody";
            for (String line : sent.getOrDefault("Authorization", List.of()))
                user = line.startsWith("Basic ") ? new String(Base64.getDecoder().decode(line.substring(6))) : line;
            return user.split(":")[0] + ":" + visits;
        }

        public long put(byte[] data) {
            return sum(data);
        }

        public byte[] get(int size) {
            return bytes(size);
        }
    }

    static byte[] bytes(int size) {
        byte[] out = new byte[size];
        for (int i = 0; i < size; i++)
            out[i] = (byte) (i * 31 + i / 251);
        return out;
    }

    static long sum(byte[] data) {
        long sum = 0;
        for (byte b : data)
            sum += b & 0xff;
        return sum;
    }

    static void serve(int port) throws Exception {
        Endpoint.publish("http://127.0.0.1:" + port + "/store", new Servant());
        System.out.println("listening on 127.0.0.1:" + port);
        Thread.sleep(Long.MAX_VALUE);
    }

    interface Step {
        boolean run() throws Exception;
    }

    static void step(String name, Step step) {
        try {
            System.out.println((step.run() ? "ok " : "bad ") + name);
        } catch (Throwable t) {
            System.out.println("bad " + name + ": " + t);
            if (System.getenv("VERBOSE") != null)
                t.printStackTrace();
        }
    }

    static Port port(Service service, boolean mtom) {
        QName name = new QName(NS, "StorePort");
        Port port = mtom ? service.getPort(name, Port.class, new MTOMFeature(true, 512)) : service.getPort(name, Port.class);
        ((BindingProvider) port).getRequestContext().put(BindingProvider.SESSION_MAINTAIN_PROPERTY, true);
        return port;
    }

    static void call(String wsdl) throws Exception {
        Service[] service = new Service[1];
        step("wsdl", () -> (service[0] = Service.create(new URL(wsdl), new QName(NS, "StoreService"))) != null);
        if (service[0] == null)
            return;
        Port port = port(service[0], false), mtom = port(service[0], true);
        step("call", () -> port.echo("Grüße & <Tags>").equals("Grüße & <Tags>"));
        step("fault", () -> {
            try {
                port.fail("sold out");
            } catch (StoreException e) {
                return e.getFaultInfo().reason.equals("sold out");
            }
            return false;
        });
        step("cookies", () -> port.who().endsWith(":0") && port.who().endsWith(":1") && port.who().endsWith(":2"));
        step("basic", () -> {
            Map<String, Object> to = ((BindingProvider) port).getRequestContext();
            to.put(BindingProvider.USERNAME_PROPERTY, "jane");
            to.put(BindingProvider.PASSWORD_PROPERTY, "correct horse");
            return port.who().startsWith("jane:");
        });
        step("binary", () -> port.put(bytes(20000)) == sum(bytes(20000)));
        step("mtom-up", () -> mtom.put(bytes(20000)) == sum(bytes(20000)));
        step("mtom-down", () -> Arrays.equals(mtom.get(20000), bytes(20000)));
        step("mtom-1mb", () -> mtom.put(bytes(1 << 20)) == sum(bytes(1 << 20)) && Arrays.equals(mtom.get(1 << 20), bytes(1 << 20)));
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server"))
            serve(Integer.parseInt(args[1]));
        call(args[1]);
        System.exit(0);
    }
}
