// SPDX-License-Identifier: GPL-2.0
// Axis2 with Rampart as a client that keeps to a WS-SecurityPolicy.
//
//     java -cp JARS RampartClient URL-OF-SERVICE REPOSITORY POLICY PASSWORD
//
// REPOSITORY/modules holds Rampart's module.

import java.nio.file.Files;
import java.nio.file.Path;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import org.apache.axiom.om.OMAbstractFactory;
import org.apache.axiom.om.OMElement;
import org.apache.axiom.om.OMFactory;
import org.apache.axiom.om.OMNamespace;
import org.apache.axis2.AxisFault;
import org.apache.axis2.addressing.EndpointReference;
import org.apache.axis2.client.Options;
import org.apache.axis2.client.ServiceClient;
import org.apache.axis2.context.ConfigurationContextFactory;
import org.apache.neethi.PolicyEngine;
import org.apache.rampart.RampartMessageData;
import org.apache.ws.security.WSPasswordCallback;

public class RampartClient {
    static String password;

    public static class Passwords implements CallbackHandler {
        public void handle(Callback[] asked) {
            for (Callback one : asked)
                ((WSPasswordCallback) one).setPassword(password);
        }
    }

    static String echo(String[] args, String text) throws Exception {
        ServiceClient client = new ServiceClient(
            ConfigurationContextFactory.createConfigurationContextFromFileSystem(args[1]), null);
        Options options = new Options();
        options.setTo(new EndpointReference(args[0]));
        options.setAction("urn:example:store/echo");
        options.setProperty(RampartMessageData.KEY_RAMPART_POLICY,
            PolicyEngine.getPolicy(Files.newInputStream(Path.of(args[2]))));
        client.setOptions(options);
        client.engageModule("rampart");
        OMFactory om = OMAbstractFactory.getOMFactory();
        OMNamespace t = om.createOMNamespace("urn:example:store", "t");
        OMElement body = om.createOMElement("echo", t), part = om.createOMElement("text", t);
        part.setText(text);
        body.addChild(part);
        return client.sendReceive(body).getFirstElement().getText();
    }

    static void report(String name, boolean good, String why) {
        System.out.println(good ? "ok " + name : "bad " + name + ": " + why);
    }

    public static void main(String[] args) {
        try {
            password = args[3];
            report("username-digest", echo(args, "by Rampart").equals("by Rampart"), "another text");
        } catch (Exception e) {
            report("username-digest", false, e.toString());
        }
        try {
            password = "wrong";
            echo(args, "by a stranger");
            report("wrong-password", false, "taken");
        } catch (AxisFault e) {
            report("wrong-password", e.getReason().contains("security"), e.getReason());
        } catch (Exception e) {
            report("wrong-password", false, e.toString());
        }
        System.exit(0);
    }
}
