/* SPDX-License-Identifier: GPL-2.0 */
/* Namespaces and algorithm identifiers of SOAP, WS-Security, XML-DSig, XML-Enc. */
#ifndef FMPI_XML_NAMES_H
#define FMPI_XML_NAMES_H

#define NS_SOAP11	  "http://schemas.xmlsoap.org/soap/envelope/"
#define NS_SOAP12	  "http://www.w3.org/2003/05/soap-envelope"
#define SOAP11_ACTOR_NEXT "http://schemas.xmlsoap.org/soap/actor/next"
#define SOAP12_ROLE	  NS_SOAP12 "/role/"
#define NS_XML		  "http://www.w3.org/XML/1998/namespace"
#define NS_XSD		  "http://www.w3.org/2001/XMLSchema"
#define NS_XSI		  "http://www.w3.org/2001/XMLSchema-instance"
#define NS_DIFFGRAM	  "urn:schemas-microsoft-com:xml-diffgram-v1"
#define NS_SOAP11_ENC	  "http://schemas.xmlsoap.org/soap/encoding/"

#define NS_WSDL	       "http://schemas.xmlsoap.org/wsdl/"
#define NS_WSDL20      "http://www.w3.org/ns/wsdl"
#define NS_WSDL_SOAP   NS_WSDL "soap/"
#define NS_WSDL_SOAP12 NS_WSDL "soap12/"
#define NS_WSDL_MIME   NS_WSDL "mime/"
#define NS_WSOMA       "http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization"
#define NS_SP11	       "http://schemas.xmlsoap.org/ws/2005/07/securitypolicy"
#define NS_SP12	       "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702"
#define NS_WSAW	       "http://www.w3.org/2006/05/addressing/wsdl"
#define NS_WSAM	       "http://www.w3.org/2007/05/addressing/metadata"

#define NS_WSA	   "http://www.w3.org/2005/08/addressing"
#define NS_WSA2004 "http://schemas.xmlsoap.org/ws/2004/08/addressing"
#define NS_XOP	   "http://www.w3.org/2004/08/xop/include"
#define NS_XMIME   "http://www.w3.org/2005/05/xmlmime"

#define NS_OASIS "http://docs.oasis-open.org/wss/2004/01/oasis-200401-"
#define NS_WSSE	 NS_OASIS "wss-wssecurity-secext-1.0.xsd"
#define NS_WSU	 NS_OASIS "wss-wssecurity-utility-1.0.xsd"

#define WSSE_BASE64 NS_OASIS "wss-soap-message-security-1.0#Base64Binary"

#define NS_EBMS		  "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/"
#define NS_SWA		  "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#"
#define ALG_STR_TRANSFORM NS_OASIS "wss-soap-message-security-1.0#STR-Transform"

#define WSSE_X509		NS_OASIS "wss-x509-token-profile-1.0#"
#define WSSE_X509V3		WSSE_X509 "X509v3"
#define WSSE_X509PKIPATH	WSSE_X509 "X509PKIPathv1"
#define WSSE_SKI		WSSE_X509 "X509SubjectKeyIdentifier"
#define NS_WSSE11		"http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd"
#define WSSE11			"http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#"
#define WSSE_THUMBPRINT		WSSE11 "ThumbprintSHA1"
#define WSSE_ENCRYPTED_KEY	WSSE11 "EncryptedKey"
#define WSSE_ENCRYPTED_KEY_SHA1 WSSE11 "EncryptedKeySHA1"

#define WSSE_PASSWORD	     NS_OASIS "wss-username-token-profile-1.0#"
#define WSSE_PASSWORD_TEXT   WSSE_PASSWORD "PasswordText"
#define WSSE_PASSWORD_DIGEST WSSE_PASSWORD "PasswordDigest"

#define NS_SC	   "http://schemas.xmlsoap.org/ws/2005/02/sc"
#define NS_SC13	   "http://docs.oasis-open.org/ws-sx/ws-secureconversation/200512"
#define NS_TRUST   "http://schemas.xmlsoap.org/ws/2005/02/trust"
#define NS_TRUST13 "http://docs.oasis-open.org/ws-sx/ws-trust/200512"

#define WSSE_KERBEROS "http://docs.oasis-open.org/wss/oasis-wss-kerberos-token-profile-1.1#"

#define NS_SAML2	"urn:oasis:names:tc:SAML:2.0:assertion"
#define SAML2_CM	"urn:oasis:names:tc:SAML:2.0:cm:"
#define SAML2_BEARER	SAML2_CM "bearer"
#define SAML2_VOUCHES	SAML2_CM "sender-vouches"
#define SAML2_HOLDER	SAML2_CM "holder-of-key"
#define NS_SAML1	"urn:oasis:names:tc:SAML:1.0:assertion"
#define WSSE_SAML	"http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#"
#define WSSE_SAML_ID	WSSE_SAML "SAMLID"
#define WSSE_SAML_TOKEN WSSE_SAML "SAMLV2.0"

#define NS_DS	    "http://www.w3.org/2000/09/xmldsig#"
#define NS_DSMORE   "http://www.w3.org/2001/04/xmldsig-more#"
#define NS_DSMORE07 "http://www.w3.org/2007/05/xmldsig-more#"
#define NS_DSMORE21 "http://www.w3.org/2021/04/xmldsig-more#"
#define NS_DS11	    "http://www.w3.org/2009/xmldsig11#"
#define NS_EXC	    "http://www.w3.org/2001/10/xml-exc-c14n#"
#define NS_XENC	    "http://www.w3.org/2001/04/xmlenc#"
#define NS_XENC11   "http://www.w3.org/2009/xmlenc11#"

#define ALG_EXC_C14N  NS_EXC
#define ALG_C14N      "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
#define ALG_C14N11    "http://www.w3.org/2006/12/xml-c14n11"
#define ALG_ENVELOPED NS_DS "enveloped-signature"
#define ALG_SHA1      NS_DS "sha1"
#define ALG_SHA256    NS_XENC "sha256"
#define ALG_SHA384    NS_DSMORE "sha384"
#define ALG_SHA512    NS_XENC "sha512"

#endif
