// SPDX-License-Identifier: GPL-2.0
// WSDLs with a WS-SecurityPolicy (1.2, 1.3): store.wsdl, and what the words of a name ask for.
//
//     sign encrypt user endorse addressing    what is signed, encrypted, and by which further token
//     symmetric derived                       by the key of an EncryptedKey, by keys derived from it
//     IssuerSerial KeyIdentifier Thumbprint PkiPath   how the client's certificate is named
//     holder bearer vouches                   an assertion of SAML 2.0
//     swa content complete                    attachments, and the transform of their signature
//     mtom                                    MTOM
//     unanswered                              the answer is not protected

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

final class Policies {
    static final String SP = "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702";
    static final String WSA = "http://www.w3.org/2005/08/addressing";
    static final String NAMES = " xmlns:wsp='http://www.w3.org/ns/ws-policy' xmlns:sp='" + SP + "'"
        + " xmlns:sp13='http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200802'"
        + " xmlns:wsu='http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'";

    static final String REFERENCE = "<wsp:PolicyReference xmlns:wsp='http://www.w3.org/ns/ws-policy' URI='#";

    private final Set<String> words;
    /* The AlgorithmSuite, with RSA-SHA256, which no standard one has; it differs by stack. */
    private final String suite;

    Policies(String name, String suite) {
        words = Set.of(name.split("-"));
        this.suite = suite;
    }

    boolean has(String word) {
        return words.contains(word);
    }

    private String when(String word, String text) {
        return has(word) ? text : "";
    }

    static String nested(String name, String inner) {
        return "<sp:" + name + "><wsp:Policy>" + inner + "</wsp:Policy></sp:" + name + ">";
    }

    static String token(String kind, String include, String inner) {
        return "<sp:" + kind + " sp:IncludeToken='" + SP + "/IncludeToken/" + include + "'><wsp:Policy>" + inner
            + "</wsp:Policy></sp:" + kind + ">";
    }

    private String initiator() {
        for (String how : new String[] {"IssuerSerial", "KeyIdentifier", "Thumbprint"})
            if (has(how))
                return token("X509Token", "Never", "<sp:Require" + how + "Reference/><sp:WssX509V3Token11/>");
        return token("X509Token", "AlwaysToRecipient", has("PkiPath") ? "<sp:WssX509PkiPathV1Token11/>" : "<sp:WssX509V3Token11/>");
    }

    private String common() {
        return suite + nested("Layout", "<sp:Lax/>") + "<sp:IncludeTimestamp/>"
            + "<sp:OnlySignEntireHeadersAndBody/>";
    }

    /* Without anything that is signed or encrypted there is no binding. */
    private String binding() {
        String server = token("X509Token", "Never", "<sp:RequireThumbprintReference/><sp:WssX509V3Token11/>");
        if (has("symmetric"))
            return nested("SymmetricBinding",
                nested("ProtectionToken",
                    token("X509Token", "Never",
                        when("derived", "<sp:RequireDerivedKeys/>") + "<sp:RequireThumbprintReference/><sp:WssX509V3Token11/>"))
                    + common())
                + nested("Wss11", "<sp:MustSupportRefThumbprint/><sp:MustSupportRefEncryptedKey/>");
        if (!has("sign") && !has("encrypt"))
            return "";
        return nested("AsymmetricBinding",
            nested("InitiatorToken", initiator()) + nested("RecipientToken", server)
                + (has("sign") ? common() : common().replace("<sp:IncludeTimestamp/>", "")));
    }

    private String parts(String kind, boolean request) {
        String all = "<sp:Body/>";
        if (request && kind.equals("SignedParts") && has("addressing"))
            for (String name : new String[] {"To", "Action", "MessageID", "ReplyTo"})
                all += "<sp:Header Name='" + name + "' Namespace='" + WSA + "'/>";
        if (request && has("swa")) {
            String how = when("content", "<sp13:ContentSignatureTransform/>")
                + when("complete", "<sp13:AttachmentCompleteSignatureTransform/>");
            all += kind.equals("SignedParts") && !how.isEmpty() ? "<sp:Attachments>" + how + "</sp:Attachments>"
                                                                : "<sp:Attachments/>";
        }
        return "<sp:" + kind + ">" + all + "</sp:" + kind + ">";
    }

    private String tokens() {
        String saml = token("SamlToken", "AlwaysToRecipient", "<sp:WssSamlV20Token11/>");
        return when("user",
                   nested("SignedSupportingTokens",
                       token("UsernameToken", "AlwaysToRecipient", "<sp:HashPassword/><sp:WssUsernameToken11/>")))
            + when("endorse",
                nested("EndorsingSupportingTokens", token("X509Token", "AlwaysToRecipient", "<sp:WssX509V3Token11/>")))
            + when("bearer", nested("SignedSupportingTokens", saml)) + when("vouches", nested("SignedSupportingTokens", saml))
            + when("holder", nested("EndorsingSupportingTokens", saml));
    }

    private String message(boolean request) {
        if (!request && has("unanswered"))
            return "";
        return (has("unanswered") ? binding() : "") + when("sign", parts("SignedParts", request))
            + when("encrypt", parts("EncryptedParts", request)) + (request ? tokens() : "");
    }

    private String endpoint() {
        return (has("unanswered") ? "" : binding())
            + (has("addressing")
                    ? "<wsam:Addressing xmlns:wsam='http://www.w3.org/2007/05/addressing/metadata'><wsp:Policy/></wsam:Addressing>"
                    : "")
            + when("mtom",
                "<mtom:OptimizedMimeSerialization xmlns:mtom='http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization'/>");
    }

    static String policy(String id, String text) {
        return "<wsp:Policy wsu:Id='" + id + "'" + NAMES + "><wsp:ExactlyOne><wsp:All>" + text
            + "</wsp:All></wsp:ExactlyOne></wsp:Policy>";
    }

    String wsdl(Path store, String url) throws IOException {
        return Files.readString(store)
            .replace("http://localhost:8080/store", url)
            .replace("<wsdl:types>",
                policy("endpoint", endpoint()) + policy("request", message(true))
                    + policy("answer", message(false)) + "<wsdl:types>")
            .replace("<soap:binding ", REFERENCE + "endpoint'/><soap:binding ")
            .replace("<wsdl:input><soap:body", "<wsdl:input>" + REFERENCE + "request'/><soap:body")
            .replace("<wsdl:output><soap:body", "<wsdl:output>" + REFERENCE + "answer'/><soap:body");
    }
}
