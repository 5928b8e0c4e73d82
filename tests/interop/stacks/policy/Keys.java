// SPDX-License-Identifier: GPL-2.0
// Keys and certificates of tests/interop/wss4j/pki: every PKCS#12 there has the password "vectors".

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;

final class Keys {
    static final String TEXT = "vectors";
    static final char[] PASSWORD = TEXT.toCharArray();

    private Keys() {
    }

    static X509Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    static KeyStore store(Path file) throws Exception {
        KeyStore s = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            s.load(in, PASSWORD);
        }
        return s;
    }

    /* Certificates by the names of their entries. */
    static KeyStore trusted(Map<String, Path> files) throws Exception {
        KeyStore s = KeyStore.getInstance("PKCS12");
        s.load(null, null);
        for (var one : files.entrySet())
            s.setCertificateEntry(one.getKey(), certificate(one.getValue()));
        return s;
    }

    static Path write(KeyStore s, Path file) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            s.store(out, PASSWORD);
        }
        return file;
    }
}
