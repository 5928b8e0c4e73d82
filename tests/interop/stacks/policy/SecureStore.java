// SPDX-License-Identifier: GPL-2.0
// The service of store.wsdl by JAX-WS, for stacks that secure it by WS-SecurityPolicy.

import jakarta.annotation.Resource;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.WebFault;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.handler.MessageContext;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class SecureStore {
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
        @WebMethod(action = NS + "/echo")
        @WebResult(name = "text", targetNamespace = NS)
        String echo(@WebParam(name = "text", targetNamespace = NS) String text);

        @WebMethod(action = NS + "/fail")
        void fail(@WebParam(name = "reason", targetNamespace = NS) String reason) throws StoreException;

        /** By X-Fmp-Assurance, and the bytes of all attachments. */
        @WebMethod(action = NS + "/who")
        void who(@WebParam(name = "user", targetNamespace = NS, mode = WebParam.Mode.OUT) Holder<String> user,
            @WebParam(name = "visits", targetNamespace = NS, mode = WebParam.Mode.OUT) Holder<Integer> visits);

        @WebMethod(action = NS + "/put")
        void put(@WebParam(name = "data", targetNamespace = NS) byte[] data,
            @WebParam(name = "size", targetNamespace = NS, mode = WebParam.Mode.OUT) Holder<Integer> size,
            @WebParam(name = "sum", targetNamespace = NS, mode = WebParam.Mode.OUT) Holder<Long> sum);

        @WebMethod(action = NS + "/get")
        @WebResult(name = "data", targetNamespace = NS)
        byte[] get(@WebParam(name = "size", targetNamespace = NS) int size);
    }

    @WebService(endpointInterface = "SecureStore$Port", targetNamespace = NS, serviceName = "StoreService", portName = "StorePort")
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
        public void who(Holder<String> user, Holder<Integer> visits) {
            MessageContext mc = context.getMessageContext();
            Map<String, List<String>> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            sent.putAll((Map<String, List<String>>) mc.get(MessageContext.HTTP_REQUEST_HEADERS));
            user.value = sent.getOrDefault("X-Fmp-Assurance", List.of("nobody")).get(0);
            visits.value = 0;
            var attached = (Map<String, jakarta.activation.DataHandler>) mc.get(MessageContext.INBOUND_MESSAGE_ATTACHMENTS);
            for (var one : attached.values())
                try (InputStream in = one.getInputStream()) {
                    visits.value += in.readAllBytes().length;
                } catch (java.io.IOException e) {
                    visits.value = -1000000;
                }
        }

        public void put(byte[] data, Holder<Integer> size, Holder<Long> sum) {
            size.value = data.length;
            sum.value = sum(data);
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

    interface Step {
        boolean run() throws Exception;
    }

    static void step(String name, Step step) {
        try {
            System.out.println((step.run() ? "ok " : "bad ") + name);
        } catch (Throwable t) {
            Throwable why = t;
            while (why.getCause() != null)
                why = why.getCause();
            System.out.println("bad " + name + ": " + String.valueOf(why).replaceAll("\\s+", " "));
            if (System.getenv("VERBOSE") != null)
                t.printStackTrace();
        }
    }

    /* A call, a declared fault, and Base64, inline or MTOM. */
    static boolean converse(Port port, boolean large) throws Exception {
        if (!port.echo("Grüße & <Tags>").equals("Grüße & <Tags>"))
            return false;
        try {
            port.fail("sold out");
            return false;
        } catch (StoreException e) {
            if (!e.getFaultInfo().reason.equals("sold out"))
                return false;
        }
        int size = large ? 100000 : 2000;
        Holder<Integer> length = new Holder<>();
        Holder<Long> sum = new Holder<>();
        port.put(bytes(size), length, sum);
        return length.value == size && sum.value == sum(bytes(size)) && java.util.Arrays.equals(port.get(size), bytes(size));
    }
}
