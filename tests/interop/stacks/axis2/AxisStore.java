// SPDX-License-Identifier: GPL-2.0
// A class as a service by Axis2, and its client.
//
//     java -cp JARS AxisStore server PORT
//     java -cp JARS AxisStore client URL-OF-WSDL

import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.activation.DataHandler;
import javax.mail.util.ByteArrayDataSource;
import javax.xml.namespace.QName;
import org.apache.axiom.om.OMAbstractFactory;
import org.apache.axiom.om.OMElement;
import org.apache.axiom.om.OMFactory;
import org.apache.axiom.om.OMNamespace;
import org.apache.axiom.om.OMText;
import org.apache.axis2.AxisFault;
import org.apache.axis2.Constants;
import org.apache.axis2.client.Options;
import org.apache.axis2.client.ServiceClient;
import org.apache.axis2.context.ConfigurationContext;
import org.apache.axis2.context.ConfigurationContextFactory;
import org.apache.axis2.context.NamedValue;
import org.apache.axis2.description.AxisService;
import org.apache.axis2.description.Parameter;
import org.apache.axis2.engine.MessageReceiver;
import org.apache.axis2.rpc.receivers.RPCMessageReceiver;
import org.apache.axis2.kernel.http.HTTPConstants;
import org.apache.axis2.transport.http.SimpleHTTPServer;

public class AxisStore {
    static final String NS = "urn:example:store";

    static DataHandler handler(byte[] data) {
        return new DataHandler(new ByteArrayDataSource(data, "application/octet-stream"));
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
        ConfigurationContext context = ConfigurationContextFactory.createDefaultConfigurationContext();
        Map<String, MessageReceiver> by = new HashMap<>();
        by.put("http://www.w3.org/ns/wsdl/in-out", new RPCMessageReceiver());
        by.put("http://www.w3.org/ns/wsdl/robust-in-only", new RPCMessageReceiver());
        by.put("http://www.w3.org/ns/wsdl/in-only", new RPCMessageReceiver());
        AxisService service = AxisService.createService(Store.class.getName(), context.getAxisConfiguration(), by, NS, NS,
            Store.class.getClassLoader());
        service.setName("Store");
        service.addParameter(new Parameter(Constants.Configuration.ENABLE_MTOM, "true"));
        context.getAxisConfiguration().addService(service);
        new SimpleHTTPServer(context, port).start();
        System.out.println("listening on 127.0.0.1:" + port);
        Thread.sleep(Long.MAX_VALUE);
    }

    // ---- the client ----

    static final OMFactory OM = OMAbstractFactory.getOMFactory();
    static final OMNamespace T = OM.createOMNamespace(NS, "t");

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

    static OMElement element(String operation, String name, String value) {
        OMElement out = OM.createOMElement(operation, T);
        if (name == null)
            return out;
        OMElement part = OM.createOMElement(name, null);
        part.setText(value);
        out.addChild(part);
        return out;
    }

    static OMElement ask(ServiceClient client, String operation, OMElement body) throws Exception {
        OMElement answer = client.sendReceive(new QName(NS, operation), body);
        answer.build();
        return answer.getFirstElement();
    }

    static OMElement binary(byte[] data) {
        OMElement out = OM.createOMElement("put", T), part = OM.createOMElement("data", null);
        OMText text = OM.createOMText(handler(data), true);
        part.addChild(text);
        out.addChild(part);
        return out;
    }

    static boolean moves(ServiceClient client, int size) throws Exception {
        if (Long.parseLong(ask(client, "put", binary(bytes(size))).getText()) != sum(bytes(size)))
            return false;
        OMText text = (OMText) ask(client, "get", element("get", "size", "" + size)).getFirstOMChild();
        text.setBinary(true);
        return Arrays.equals(((DataHandler) text.getDataHandler()).getInputStream().readAllBytes(), bytes(size));
    }

    static void call(String wsdl) {
        ServiceClient[] made = new ServiceClient[1];
        step("wsdl", () -> (made[0] = new ServiceClient(null, new URL(wsdl), new QName(NS, "Store"),
            "StoreHttpSoap11Endpoint")) != null);
        ServiceClient client = made[0];
        if (client == null)
            return;
        step("call", () -> ask(client, "echo", element("echo", "text", "Grüße & <Tags>")).getText().equals("Grüße & <Tags>"));
        step("fault", () -> {
            try {
                ask(client, "fail", element("fail", "reason", "sold out"));
            } catch (AxisFault e) {
                return e.getReason().equals("sold out");
            }
            return false;
        });
        step("basic", () -> {
            Options options = client.getOptions();
            String word = Base64.getEncoder().encodeToString("jane:correct horse".getBytes());
            options.setProperty(HTTPConstants.HTTP_HEADERS, new ArrayList<>(List.of(
                new NamedValue("Authorization", "Basic " + word),
                new NamedValue("Cookie", "visits=7"))));
            return ask(client, "who", element("who", null, null)).getText().equals("jane:7");
        });
        step("binary", () -> moves(client, 20000));
        client.getOptions().setProperty(Constants.Configuration.ENABLE_MTOM, "true");
        step("mtom", () -> moves(client, 20000));
        step("mtom-1mb", () -> moves(client, 1 << 20));
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server"))
            serve(Integer.parseInt(args[1]));
        call(args[1]);
        System.exit(0);
    }
}
