// SPDX-License-Identifier: GPL-2.0
// The class that AxisStore serves.

import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import javax.activation.DataHandler;
import org.apache.axis2.AxisFault;
import org.apache.axis2.context.MessageContext;

public class Store {
    public String echo(String text) {
        return text;
    }

    public String fail(String reason) throws AxisFault {
        throw new AxisFault(reason);
    }

    /** "user:visits", by Authorization and a cookie. */
    @SuppressWarnings("unchecked")
    public String who() {
        MessageContext in = MessageContext.getCurrentMessageContext();
        Map<String, String> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll((Map<String, String>) in.getProperty(MessageContext.TRANSPORT_HEADERS));
        int visits = 0;
        for (String one : sent.getOrDefault("Cookie", "").split(";"))
            if (one.trim().startsWith("visits="))
                visits = Integer.parseInt(one.trim().substring(7));
        String user = sent.getOrDefault("Authorization", "");
        user = user.startsWith("Basic ") ? new String(Base64.getDecoder().decode(user.substring(6))) : "nobody";
        return user.split(":")[0] + ":" + visits;
    }

    public long put(DataHandler data) throws Exception {
        return AxisStore.sum(data.getInputStream().readAllBytes());
    }

    public DataHandler get(int size) {
        return AxisStore.handler(AxisStore.bytes(size));
    }
}
