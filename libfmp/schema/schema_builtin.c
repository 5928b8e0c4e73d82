// SPDX-License-Identifier: GPL-2.0
#include "schema_builtin.h"

#include <stddef.h>
#include <string.h>

#include "xml/names.h"

#define SCHEMA(ns, more) \
	"<xs:schema xmlns:xs='" NS_XSD "' xmlns='" ns "' targetNamespace='" ns "' " more ">"
#define END "</xs:schema>"
/* Any content. */
#define ANYTHING                                                                        \
	"<xs:complexType mixed='true'><xs:sequence><xs:any minOccurs='0' "              \
	"maxOccurs='unbounded' processContents='skip'/></xs:sequence><xs:anyAttribute " \
	"processContents='skip'/></xs:complexType>"

/* http://www.w3.org/2001/xml.xsd */
static const char of_xml[] =
	"<xs:schema xmlns:xs='" NS_XSD "' targetNamespace='" NS_XML "'>"
	"<xs:attribute name='lang'><xs:simpleType><xs:union memberTypes='xs:language'>"
	"<xs:simpleType><xs:restriction base='xs:string'><xs:enumeration value=''/>"
	"</xs:restriction></xs:simpleType></xs:union></xs:simpleType></xs:attribute>"
	"<xs:attribute name='space'><xs:simpleType><xs:restriction base='xs:NCName'>"
	"<xs:enumeration value='default'/><xs:enumeration value='preserve'/></xs:restriction>"
	"</xs:simpleType></xs:attribute><xs:attribute name='base' type='xs:anyURI'/>"
	"<xs:attribute name='id' type='xs:ID'/><xs:attributeGroup name='specialAttrs'>"
	"<xs:attribute ref='xml:base'/><xs:attribute ref='xml:lang'/><xs:attribute "
	"ref='xml:space'/><xs:attribute ref='xml:id'/></xs:attributeGroup>" END;

/*
 * A schema for schemas, for ref="xs:schema" of .NET's DataSet: a message may contain a schema as
 * data. libxml2 can't compile the real one, because its types are built in.
 */
static const char of_xsd[] = SCHEMA(NS_XSD, "") "<xs:element name='schema'>" ANYTHING
						"</xs:element>" END;

/* The element behind that schema in a DataSet, below a wildcard that needs a declaration. */
static const char of_diffgram[] = SCHEMA(NS_DIFFGRAM, "") "<xs:element name='diffgram'>" ANYTHING
							  "</xs:element>" END;

/* SOAP 1.1 section 5: types of encoded ports, which a WSDL may have beside literal ones. */
#define OF(name)                                                                          \
	"<xs:complexType name='" name "'><xs:simpleContent><xs:extension base='xs:" name  \
	"'><xs:attributeGroup ref='commonAttributes'/></xs:extension></xs:simpleContent>" \
	"</xs:complexType><xs:element name='" name "' type='" name "'/>"
static const char of_encoding[] = SCHEMA(
	NS_SOAP11_ENC,
	"") "<xs:attribute name='root' type='xs:boolean'/><xs:attribute name='arrayType' "
	    "type='xs:string'/><xs:attribute name='offset' type='xs:string'/><xs:attribute "
	    "name='position' type='xs:string'/><xs:attributeGroup name='commonAttributes'>"
	    "<xs:attribute name='id' type='xs:ID'/><xs:attribute name='href' type='xs:anyURI'/>"
	    "<xs:anyAttribute namespace='##other' processContents='lax'/></xs:attributeGroup>"
	    "<xs:attributeGroup name='arrayAttributes'><xs:attribute ref='arrayType'/>"
	    "<xs:attribute ref='offset'/></xs:attributeGroup><xs:attributeGroup "
	    "name='arrayMemberAttributes'><xs:attribute ref='position'/></xs:attributeGroup>"
	    "<xs:group name='Array'><xs:sequence><xs:any namespace='##any' minOccurs='0' "
	    "maxOccurs='unbounded' processContents='lax'/></xs:sequence></xs:group>"
	    "<xs:element name='Array' type='Array'/><xs:complexType name='Array'><xs:group "
	    "ref='Array' minOccurs='0'/><xs:attributeGroup ref='arrayAttributes'/>"
	    "<xs:attributeGroup ref='commonAttributes'/></xs:complexType><xs:group name='Struct'>"
	    "<xs:sequence><xs:any namespace='##any' minOccurs='0' maxOccurs='unbounded' "
	    "processContents='lax'/></xs:sequence></xs:group><xs:element name='Struct' "
	    "type='Struct'/><xs:complexType name='Struct'><xs:group ref='Struct' minOccurs='0'/>"
	    "<xs:attributeGroup ref='commonAttributes'/></xs:complexType><xs:simpleType "
	    "name='base64'><xs:restriction base='xs:base64Binary'/></xs:simpleType>" OF("duration")
		    OF("dateTime") OF("time") OF("date") OF("boolean") OF("float") OF("double")
			    OF("base64Binary") OF("hexBinary") OF("anyURI") OF("QName") OF("string")
				    OF("token") OF("normalizedString") OF("decimal") OF("integer")
					    OF("long") OF("int") OF("short") OF("byte")
						    OF("nonNegativeInteger") OF("positiveInteger")
							    OF("unsignedLong") OF("unsignedInt")
								    OF("unsignedShort")
									    OF("unsignedByte") END;

/* http://www.w3.org/2005/05/xmlmime: JAX-WS and .NET use it for attachments. */
#define BINARY(name)                                                                     \
	"<xs:complexType name='" name "'><xs:simpleContent><xs:extension base='xs:" name \
	"'><xs:attribute ref='contentType'/></xs:extension></xs:simpleContent></xs:complexType>"
static const char of_xmime[] = SCHEMA(
	NS_XMIME,
	"") "<xs:attribute name='contentType'><xs:simpleType><xs:restriction "
	    "base='xs:string'><xs:minLength value='3'/></xs:restriction></xs:simpleType>"
	    "</xs:attribute><xs:attribute name='expectedContentTypes' type='xs:string'/>" BINARY(
		    "base64Binary") BINARY("hexBinary") END;

/*
 * http://www.w3.org/2005/08/addressing/ws-addr.xsd: WS-Notification and ONVIF use endpoints as
 * data.
 */
#define BLOCK(name, type) "<xs:element name='" name "' type='" type "'/>"
#define ANY		  "<xs:any namespace='##any' processContents='lax' minOccurs='0' maxOccurs='unbounded'/>"
#define OTHERS		  "<xs:anyAttribute namespace='##other' processContents='lax'/>"
#define BAG(name)                                                             \
	BLOCK(name, name "Type")                                              \
	"<xs:complexType name='" name "Type' mixed='false'><xs:sequence>" ANY \
	"</xs:sequence>" OTHERS "</xs:complexType>"
#define ATTRIBUTED(name, base)                                                                    \
	"<xs:complexType name='" name "'><xs:simpleContent><xs:extension base='" base "'>" OTHERS \
	"</xs:extension></xs:simpleContent></xs:complexType>"
static const char of_addressing[] = SCHEMA(NS_WSA, "elementFormDefault='qualified' blockDefault='#all'") BLOCK(
	"EndpointReference",
	"EndpointReferenceType") "<xs:complexType name='EndpointReferenceType'><xs:sequence><xs:element name='Address' "
				 "type='AttributedURIType'/><xs:element ref='ReferenceParameters' minOccurs='0'/><xs:element "
				 "ref='Metadata' minOccurs='0'/><xs:any namespace='##other' processContents='lax' minOccurs='0' "
				 "maxOccurs='unbounded'/></xs:sequence>" OTHERS
				 "</xs:complexType>" BAG("ReferenceParameters") BAG("Metadata") BLOCK("MessageID", "AttributedURIType") BLOCK(
					 "RelatesTo",
					 "RelatesToType") "<xs:complexType name='RelatesToType'><xs:simpleContent><xs:extension base='xs:anyURI'>"
							  "<xs:attribute name='RelationshipType' type='RelationshipTypeOpenEnum' "
							  "default='http://www.w3.org/2005/08/addressing/reply'/>" OTHERS
							  "</xs:extension></xs:simpleContent></xs:complexType><xs:simpleType "
							  "name='RelationshipTypeOpenEnum'><xs:union memberTypes='RelationshipType xs:anyURI'/>"
							  "</xs:simpleType><xs:simpleType name='RelationshipType'><xs:restriction base='xs:anyURI'>"
							  "<xs:enumeration value='http://www.w3.org/2005/08/addressing/reply'/></xs:restriction>"
							  "</xs:simpleType>" BLOCK("ReplyTo", "EndpointReferenceType") BLOCK(
								  "From",
								  "EndpointReferenceType") BLOCK("FaultTo",
												 "EndpointReferenceType")
								  BLOCK("To", "AttributedURIType") BLOCK(
									  "Action",
									  "AttributedURIType")
									  ATTRIBUTED(
										  "AttributedURIType",
										  "xs:anyURI")
										  ATTRIBUTED(
											  "AttributedQNameType",
											  "xs:QName")
											  ATTRIBUTED(
												  "AttributedUnsignedLongType",
												  "xs:unsignedLong")
												  END;

const char *fmpi_schema_find_builtin(const char *ns)
{
	static const struct {
		const char *ns, *text;
	} all[] = {
		{ NS_XML, of_xml },	      { NS_XSD, of_xsd },
		{ NS_DIFFGRAM, of_diffgram }, { NS_SOAP11_ENC, of_encoding },
		{ NS_XMIME, of_xmime },	      { NS_WSA, of_addressing },
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i].ns, ns) == 0)
			return all[i].text;
	return NULL;
}
