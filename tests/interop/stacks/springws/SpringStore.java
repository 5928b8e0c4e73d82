// SPDX-License-Identifier: GPL-2.0
// The service of store.wsdl by Spring-WS in Jetty, and its client.
//
//     java -cp JARS SpringStore server PORT WSDL
//     java -cp JARS SpringStore client URL-OF-STORE
//
// /store is open, /basic/store and /digest/store ask for jane's password.

import jakarta.activation.DataHandler;
import jakarta.mail.util.ByteArrayDataSource;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlMimeType;
import jakarta.xml.bind.annotation.XmlRootElement;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.PasswordAuthentication;
import java.util.Arrays;
import org.eclipse.jetty.security.ConstraintMapping;
import org.eclipse.jetty.security.ConstraintSecurityHandler;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.BasicAuthenticator;
import org.eclipse.jetty.security.authentication.DigestAuthenticator;
import org.eclipse.jetty.security.authentication.LoginAuthenticator;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.security.Constraint;
import org.eclipse.jetty.util.security.Password;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.FileSystemResource;
import org.springframework.oxm.jaxb.Jaxb2Marshaller;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.ws.client.core.WebServiceTemplate;
import org.springframework.ws.server.endpoint.adapter.DefaultMethodEndpointAdapter;
import org.springframework.ws.server.endpoint.adapter.method.MarshallingPayloadMethodProcessor;
import org.springframework.ws.server.endpoint.annotation.Endpoint;
import org.springframework.ws.server.endpoint.annotation.PayloadRoot;
import org.springframework.ws.server.endpoint.annotation.RequestPayload;
import org.springframework.ws.server.endpoint.annotation.ResponsePayload;
import org.springframework.ws.server.endpoint.mapping.PayloadRootAnnotationMethodEndpointMapping;
import org.springframework.ws.soap.client.SoapFaultClientException;
import org.springframework.ws.soap.client.core.SoapActionCallback;
import org.springframework.ws.soap.server.endpoint.SoapFaultAnnotationExceptionResolver;
import org.springframework.ws.soap.server.endpoint.annotation.FaultCode;
import org.springframework.ws.soap.server.endpoint.annotation.SoapFault;
import org.springframework.ws.transport.context.TransportContextHolder;
import org.springframework.ws.transport.http.HttpServletConnection;
import org.springframework.ws.transport.http.MessageDispatcherServlet;
import org.springframework.ws.wsdl.wsdl11.SimpleWsdl11Definition;

public class SpringStore {
    static final String NS = "urn:example:store";

    @XmlRootElement(name = "echo", namespace = NS)
    public static class Echo {
        @XmlElement(namespace = NS)
        public String text;
    }

    @XmlRootElement(name = "echoResponse", namespace = NS)
    public static class EchoResponse {
        @XmlElement(namespace = NS)
        public String text;
    }

    @XmlRootElement(name = "fail", namespace = NS)
    public static class Fail {
        @XmlElement(namespace = NS)
        public String reason;
    }

    @XmlRootElement(name = "failResponse", namespace = NS)
    public static class FailResponse {}

    @XmlRootElement(name = "who", namespace = NS)
    public static class Who {}

    @XmlRootElement(name = "whoResponse", namespace = NS)
    public static class WhoResponse {
        @XmlElement(namespace = NS)
        public String user;
        @XmlElement(namespace = NS)
        public int visits;
    }

    @XmlRootElement(name = "put", namespace = NS)
    public static class Put {
        @XmlElement(namespace = NS)
        @XmlMimeType("application/octet-stream")
        public DataHandler data;
    }

    @XmlRootElement(name = "putResponse", namespace = NS)
    public static class PutResponse {
        @XmlElement(namespace = NS)
        public int size;
        @XmlElement(namespace = NS)
        public long sum;
    }

    @XmlRootElement(name = "get", namespace = NS)
    public static class Get {
        @XmlElement(namespace = NS)
        public int size;
    }

    @XmlRootElement(name = "getResponse", namespace = NS)
    public static class GetResponse {
        @XmlElement(namespace = NS)
        @XmlMimeType("application/octet-stream")
        public DataHandler data;
    }

    @SoapFault(faultCode = FaultCode.CLIENT)
    public static class Refused extends Exception {
        Refused(String reason) {
            super(reason);
        }
    }

    @Endpoint
    public static class Servant {
        @PayloadRoot(namespace = NS, localPart = "echo")
        @ResponsePayload
        public EchoResponse echo(@RequestPayload Echo in) {
            EchoResponse out = new EchoResponse();
            out.text = in.text;
            return out;
        }

        @PayloadRoot(namespace = NS, localPart = "fail")
        @ResponsePayload
        public FailResponse fail(@RequestPayload Fail in) throws Refused {
            throw new Refused(in.reason);
        }

        @PayloadRoot(namespace = NS, localPart = "who")
        @ResponsePayload
        public WhoResponse who(@RequestPayload Who in) {
            HttpServletConnection http = (HttpServletConnection) TransportContextHolder.getTransportContext().getConnection();
            HttpServletRequest request = http.getHttpServletRequest();
            WhoResponse out = new WhoResponse();
            out.user = request.getRemoteUser() == null ? "nobody" : request.getRemoteUser();
            if (request.getCookies() != null)
                for (var cookie : request.getCookies())
                    if (cookie.getName().equals("visits"))
                        out.visits = Integer.parseInt(cookie.getValue());
            http.getHttpServletResponse().addHeader("Set-Cookie", "visits=" + (out.visits + 1) + "; Path=/");
            return out;
        }

        @PayloadRoot(namespace = NS, localPart = "put")
        @ResponsePayload
        public PutResponse put(@RequestPayload Put in) throws Exception {
            byte[] data = in.data.getInputStream().readAllBytes();
            PutResponse out = new PutResponse();
            out.size = data.length;
            out.sum = sum(data);
            return out;
        }

        @PayloadRoot(namespace = NS, localPart = "get")
        @ResponsePayload
        public GetResponse get(@RequestPayload Get in) {
            GetResponse out = new GetResponse();
            out.data = handler(bytes(in.size));
            return out;
        }
    }

    @Configuration
    public static class Config {
        static String file;

        @Bean
        public SimpleWsdl11Definition store() {
            return new SimpleWsdl11Definition(new FileSystemResource(file));
        }

        @Bean
        public Jaxb2Marshaller marshaller() {
            return SpringStore.marshaller();
        }

        @Bean
        public DefaultMethodEndpointAdapter adapter(Jaxb2Marshaller m) {
            var both = new MarshallingPayloadMethodProcessor(m);
            var adapter = new DefaultMethodEndpointAdapter();
            adapter.setMethodArgumentResolvers(java.util.List.of(both));
            adapter.setMethodReturnValueHandlers(java.util.List.of(both));
            return adapter;
        }

        @Bean
        public SoapFaultAnnotationExceptionResolver resolver() {
            return new SoapFaultAnnotationExceptionResolver();
        }

        @Bean
        public PayloadRootAnnotationMethodEndpointMapping mapping() {
            return new PayloadRootAnnotationMethodEndpointMapping();
        }

        @Bean
        public Servant servant() {
            return new Servant();
        }
    }

    static Jaxb2Marshaller marshaller() {
        Jaxb2Marshaller m = new Jaxb2Marshaller();
        m.setClassesToBeBound(Echo.class, EchoResponse.class, Fail.class, FailResponse.class, Who.class, WhoResponse.class,
            Put.class, PutResponse.class, Get.class, GetResponse.class);
        m.setMtomEnabled(true);
        try {
            m.afterPropertiesSet();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return m;
    }

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

    static ServletContextHandler context(String path, LoginAuthenticator asks) {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(Config.class);
        MessageDispatcherServlet servlet = new MessageDispatcherServlet(beans);
        servlet.setTransformWsdlLocations(true);
        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath(path);
        context.addServlet(new ServletHolder(servlet), "/*");
        if (asks == null)
            return context;
        UserStore users = new UserStore();
        users.addUser("jane", new Password("correct horse"), new String[] {"user"});
        HashLoginService login = new HashLoginService("store");
        login.setUserStore(users);
        Constraint constraint = new Constraint("any", "user");
        constraint.setAuthenticate(true);
        ConstraintMapping mapping = new ConstraintMapping();
        mapping.setPathSpec("/*");
        mapping.setConstraint(constraint);
        ConstraintSecurityHandler guard = new ConstraintSecurityHandler();
        guard.setAuthenticator(asks);
        guard.setLoginService(login);
        guard.addConstraintMapping(mapping);
        context.setSecurityHandler(guard);
        return context;
    }

    static void serve(int port, String wsdl) throws Exception {
        Config.file = wsdl;
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(new ContextHandlerCollection(context("/basic", new BasicAuthenticator()),
            context("/digest", new DigestAuthenticator()), context("/", null)));
        server.start();
        System.out.println("listening on 127.0.0.1:" + port);
        server.join();
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

    static Object ask(WebServiceTemplate client, String url, String action, Object request) {
        return client.marshalSendAndReceive(url, request, new SoapActionCallback(NS + "/" + action));
    }

    static WhoResponse who(WebServiceTemplate client, String url) {
        return (WhoResponse) ask(client, url, "who", new Who());
    }

    static boolean moves(WebServiceTemplate client, String url, int size) throws Exception {
        Put put = new Put();
        put.data = handler(bytes(size));
        Get get = new Get();
        get.size = size;
        PutResponse had = (PutResponse) ask(client, url, "put", put);
        GetResponse got = (GetResponse) ask(client, url, "get", get);
        byte[] data = got.data.getInputStream().readAllBytes();
        if (had.sum != sum(bytes(size)))
            throw new Exception("put " + had.size + " bytes");
        if (!Arrays.equals(data, bytes(size)))
            throw new Exception("got " + data.length + " bytes");
        return true;
    }

    static void call(String base) {
        WebServiceTemplate client = new WebServiceTemplate(marshaller());
        String url = base + "/store";
        CookieHandler.setDefault(new CookieManager());
        step("wsdl", () -> new String(new java.net.URL(base + "/store.wsdl").openStream().readAllBytes()).contains("<soap:address"));
        step("call", () -> {
            Echo echo = new Echo();
            echo.text = "Grüße & <Tags>";
            return ((EchoResponse) ask(client, url, "echo", echo)).text.equals(echo.text);
        });
        step("fault", () -> {
            Fail fail = new Fail();
            fail.reason = "sold out";
            try {
                ask(client, url, "fail", fail);
            } catch (SoapFaultClientException e) {
                return e.getFaultStringOrReason().equals("sold out");
            }
            return false;
        });
        step("cookies", () -> who(client, url).visits == 0 && who(client, url).visits == 1 && who(client, url).visits == 2);
        step("unauthorized", () -> {
            try {
                who(client, base + "/basic/store");
            } catch (Exception e) {
                return e.toString().contains("401") || e.toString().contains("Unauthorized");
            }
            return false;
        });
        Authenticator.setDefault(new Authenticator() {
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication("jane", "correct horse".toCharArray());
            }
        });
        step("basic", () -> who(client, base + "/basic/store").user.equals("jane"));
        step("digest", () -> who(client, base + "/digest/store").user.equals("jane"));
        step("mtom", () -> moves(client, url, 20000));
        step("mtom-1mb", () -> moves(client, url, 1 << 20));
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server"))
            serve(Integer.parseInt(args[1]), args[2]);
        call(args[1]);
        System.exit(0);
    }
}
