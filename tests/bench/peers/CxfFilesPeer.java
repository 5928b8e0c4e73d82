// SPDX-License-Identifier: GPL-2.0
/*
 * CxfFilesPeer
 *
 * A service by Apache CXF that takes files by MTOM and validates by its schema. It reads each file
 * and keeps nothing. Says where it listens; until SIGTERM.
 */
import jakarta.activation.DataHandler;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlMimeType;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.bind.annotation.XmlType;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;

public class CxfFilesPeer {
    @XmlRootElement(name = "file", namespace = "urn:f")
    @XmlType(name = "", propOrder = {"name", "data"})
    @XmlAccessorType(XmlAccessType.FIELD)
    public static class File {
        @XmlElement(namespace = "urn:f", required = true)
        public String name;
        @XmlElement(namespace = "urn:f", required = true)
        @XmlMimeType("application/pdf")
        public DataHandler data;
    }

    @WebService(targetNamespace = "urn:f", serviceName = "Files")
    @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
    public static class Files {
        @WebMethod
        @WebResult(name = "taken", targetNamespace = "urn:f")
        public long take(@WebParam(name = "file", targetNamespace = "urn:f") File file) throws Exception {
            try (InputStream in = file.data.getInputStream()) {
                return in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        JaxWsServerFactoryBean bean = new JaxWsServerFactoryBean();
        bean.setServiceBean(new Files());
        bean.setAddress("http://127.0.0.1:" + port + "/orders");
        bean.setProperties(new HashMap<>(Map.of("mtom-enabled", "true", "schema-validation-enabled", "true")));
        bean.create();
        System.out.println("listening on 127.0.0.1:" + port);
        System.out.flush();
        Thread.currentThread().join();
    }
}
