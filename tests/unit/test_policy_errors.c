// SPDX-License-Identifier: GPL-2.0
/* A policy that can't be: code, place and words of what is said of it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

#include "policy_text.h"
#include "run.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

#define SOAP12_NS "http://www.w3.org/2003/05/soap-envelope"
#define HEADERS(security, text)                                                                    \
	ROOT "<gateway security='" security "' schema='s' trust='t'>\n<headers>" text "</headers>" \
	     "</gateway></policy>"
#define FIELDS(x) ROOT "<gateway><fields>" x "</fields></gateway></policy>"
#define ISSUER(n) "<issuer name='urn:" n "' trust='i'/>"
#define SAML(x)	  ROOT "<gateway><saml audiences='urn:a'>" x "</saml></gateway></policy>"

#define SIGNED_SECRETLY(x)                                                                     \
	ROOT "<gateway security='BcES' schema='x' trust='x' key='x'><require" x "/><username " \
	     "passwords='x'/></gateway></policy>"

static const struct bad_policy bad[] = {
	{ "", FMP_ERR_SYNTAX, 1, 1, "", "Document is empty" },
	{ ROOT "\n<block", FMP_ERR_SYNTAX, 2, 7, "", "not well-formed" },
	{ "<!DOCTYPE policy [<!ENTITY a 'b'>]>" ROOT "</policy>", FMP_ERR_SYNTAX, 1, 18, "",
	  "no DOCTYPE" },
	{ "<!DOCTYPE policy SYSTEM 'http://192.0.2.1/x'>" ROOT "</policy>", FMP_ERR_SYNTAX, 1, 45,
	  "", "no DOCTYPE" },
	{ "<?xml version='1.0' encoding='ISO-8859-1'?>" ROOT "</policy>", FMP_ERR_SYNTAX, 1, 21, "",
	  "UTF-8" },
	{ "<policy/>", FMP_ERR_SCHEMA, 1, 1, "/policy", "the root is not" },
	{ "<politics xmlns='urn:fmp:policy:1'/>", FMP_ERR_SCHEMA, 1, 1, "/politics",
	  "the root is not" },
	{ ROOT "\n  <suspicion suspicious='1'\n     malicios='2'/></policy>", FMP_ERR_SCHEMA, 3, 6,
	  "/policy/suspicion/@malicios", "did you mean 'malicious'?" },
	{ ROOT "<!-- <x a=> --><suspicion/>\n\n <blcok/></policy>", FMP_ERR_SCHEMA, 3, 2,
	  "/policy/blcok", "did you mean 'block'?" },
	{ ROOT
	  "<suspicion><event kind='dtd' rank='1'/>\n<event rank='1' kind='shcema'/></suspicion>"
	  "</policy>",
	  FMP_ERR_SCHEMA, 2, 17, "/policy/suspicion/event[2]/@kind", "did you mean 'schema'?" },
	{ ROOT "<suspicion><event kind='qqqqqq' rank='1'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  52, "/policy/suspicion/event/@kind", "no kind of event" },
	{ ROOT "<suspicion><event kind='good' rank='1'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  52, "/policy/suspicion/event/@kind", "no rank" },
	{ ROOT
	  "<suspicion><event kind='dtd' rank='1'/><event kind='dtd' rank='2'/></suspicion></policy>",
	  FMP_ERR_SCHEMA, 1, 80, "/policy/suspicion/event[2]/@kind", "twice" },
	{ ROOT "<suspicion><event kind='dtd'/></suspicion></policy>", FMP_ERR_SCHEMA, 1, 45,
	  "/policy/suspicion/event", "needs a rank" },
	{ ROOT
	  "<suspicion><event kind='dtd' count='50' within='3s'/></suspicion><overrides><override "
	  "port='1' pool='no'/><override port='2' pool='no'/></overrides></policy>",
	  FMP_ERR_CONFLICT, 1, 63, "", "are 150 together" },
	{ ROOT "<overrides><override port='1' pool='nein'/></overrides></policy>", FMP_ERR_SCHEMA,
	  1, 64, "/policy/overrides/override/@pool", "neither yes nor no" },
	{ ROOT "<groups>\n<group address='192.0.2.7'/></groups></policy>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/groups/group", "needs a name" },
	{ ROOT "<groups>\n<group name='a' action='limit'/></groups></policy>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/groups/group", "needs an address" },
	{ ROOT "<groups>\n<group name='a' address='192.0.2.7 office'/></groups></policy>",
	  FMP_ERR_SCHEMA, 2, 17, "/policy/groups/group/@address", "office" },
	{ ROOT "<groups>\n<group name='a' address='02:00:00:00:00:01'/></groups></policy>",
	  FMP_ERR_SCHEMA, 2, 17, "/policy/groups/group/@address", "not an IP address" },
	{ ROOT "<groups>\n<group name='a' address='::/0'/></groups></policy>", FMP_ERR_CONFLICT, 2,
	  17, "/policy/groups/group/@address", "holds every source" },
	{ ROOT "<groups>\n<group name='a' adress='192.0.2.7'/></groups></policy>", FMP_ERR_SCHEMA,
	  2, 17, "/policy/groups/group/@adress", "did you mean 'address'?" },
	{ ROOT "<groups>\n<group name='a' address='192.0.2.7' action='limt'/></groups></policy>",
	  FMP_ERR_SCHEMA, 2, 37, "/policy/groups/group/@action", "did you mean 'limit'?" },
	{ ROOT "<groups><group name='a' address='192.0.2.7'/>\n<group name='b' "
	       "address='192.0.2.7'/></groups></policy>",
	  FMP_ERR_CONFLICT, 2, 17, "/policy/groups/group[2]/@address",
	  "192.0.2.7 is in the group \"a\" already" },
	{ ROOT "<groups><group name='a' address='192.0.2.7'/>\n<group name='a' "
	       "address='192.0.2.8'/></groups></policy>",
	  FMP_ERR_CONFLICT, 2, 8, "/policy/groups/group[2]/@name", "given twice" },
	{ ROOT "<groups>\n<group name='a' address='192.0.2.7' action='limit' "
	       "layers='premac'/></groups></policy>",
	  FMP_ERR_CONFLICT, 2, 37, "/policy/groups/group/@action", "holds whole blocks only" },
	{ ROOT "<groups>\n<group name='a' address='192.0.2.7' malicious='30'/></groups></policy>",
	  FMP_ERR_CONFLICT, 2, 37, "/policy/suspicion/@malicious", "is below suspicious" },
	{ ROOT "<suspicion><event kind='dtd' count='3'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  63, "/policy/suspicion/event/@count", "needs within" },
	{ ROOT "<suspicion><event kind='dtd' within='3s'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  63, "/policy/suspicion/event/@within", "needs count" },
	{ ROOT "<suspicion><event kind='dtd' count='101' within='3s'/></suspicion></policy>",
	  FMP_ERR_SCHEMA, 1, 63, "/policy/suspicion/event/@count", "is outside of 0 to 100" },
	{ ROOT "<suspicion><event kind='dtd' count='3' within='8d'/></suspicion></policy>",
	  FMP_ERR_SCHEMA, 1, 73, "/policy/suspicion/event/@within", "is outside of 1s to 7d" },
	{ ROOT "<suspicion><event kind='dtd' count='3' within='10'/></suspicion></policy>",
	  FMP_ERR_SCHEMA, 1, 73, "/policy/suspicion/event/@within", "unit is missing" },
	{ ROOT "<suspicion><event kind='dtd' cuont='3' within='10s'/></suspicion></policy>",
	  FMP_ERR_SCHEMA, 1, 63, "/policy/suspicion/event/@cuont", "did you mean 'count'?" },
	{ ROOT "<suspicion><event kind='dtd' count='100' within='3s'/>\n<event kind='login' "
	       "count='29' within='1h'/></suspicion></policy>",
	  FMP_ERR_CONFLICT, 2, 21, "", "are 129 together" },
	{ ROOT "<suspicion><event kind='dtd' rank='-1'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  63, "/policy/suspicion/event/@rank", "is outside of 0 to 1000000" },
	{ ROOT "<suspicion><event kind='dtd' rank='99999999999999999999999'/></suspicion></policy>",
	  FMP_ERR_SCHEMA, 1, 63, "/policy/suspicion/event/@rank", "is outside of 0 to 1000000" },
	{ ROOT "<suspicion><event kind='dtd' rank='5x'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  63, "/policy/suspicion/event/@rank", "whole number" },
	{ ROOT "<block duration='-5s'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@duration",
	  "is outside of 1s to" },
	{ ROOT "<gateway><limits body='-1MiB'/></gateway></policy>", FMP_ERR_SCHEMA, 1, 51,
	  "/policy/gateway/limits/@body", "is outside of" },
	{ ROOT "\n<gateway trust='ca.crt'/></policy>", FMP_ERR_CONFLICT, 2, 10,
	  "/policy/gateway/@trust", "write security=\"BcS\"" },
	{ ROOT "\n<gateway schema='o.xsd'/></policy>", FMP_ERR_CONFLICT, 2, 10,
	  "/policy/gateway/@schema", "write security=\"BcV\"" },
	{ ROOT "<gateway><services>\n<service name='a' path='/a' trust='c' backend='http://h/'/>"
	       "</services></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 29, "", "trust of \"a\" does nothing: security is not written" },
	{ ROOT "\n<gateway key='o.key'/></policy>", FMP_ERR_CONFLICT, 2, 10, "/policy/gateway/@key",
	  "write security=\"BcES\"" },
	{ ROOT
	  "<protect><address>0.0.0.0/1</address>\n<address>128.0.0.0/1</address></protect></policy>",
	  FMP_ERR_CONFLICT, 2, 1, "/policy/protect/address[2]", "every address of the Internet" },
	{ ROOT "<protect><address>128.0.0.0/2</address><address>192.0.0.0/3</address>"
	       "<address>64.0.0.0/2</address>\n<address>0.0.0.0/2</address></protect></policy>",
	  FMP_ERR_CONFLICT, 2, 1, "/policy/protect/address[4]", "every address of the Internet" },
	{ ROOT "<protect>\n<address>2000::/3</address></protect></policy>", FMP_ERR_CONFLICT, 2, 1,
	  "/policy/protect/address", "every address of the Internet" },
	{ ROOT "<protect><address>::/1</address></protect><gateway>\n<proxies>"
	       "<proxy address='8000::/1'/></proxies></gateway></policy>",
	  FMP_ERR_CONFLICT, 1, 43, "/policy/protect/address", "every address of the Internet" },
	{ ROOT "<gateway><content>\n<rule name='a' regex='.*'/></content></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 16, "/policy/gateway/content/rule/@regex", "every text" },
	{ ROOT "<gateway><content>\n<rule name='a' regex='(?s).'/></content></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 16, "/policy/gateway/content/rule/@regex", "every text" },
	{ ROOT
	  "<gateway><content>\n<rule name='a' xpath='b' regex='x*'/></content></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 26, "/policy/gateway/content/rule/@regex", "leave it out" },
	{ ROOT "<gateway>\n<content rules='/none/such.xml'/></gateway></policy>", FMP_ERR_IO, 2, 10,
	  "/policy/gateway/content/@rules", "/none/such.xml: No such file" },
	{ ROOT "<gateway>\n<content rules='/'/></gateway></policy>", FMP_ERR_IO, 2, 10,
	  "/policy/gateway/content/@rules", "a folder stands there" },
	{ ROOT "<gateway>\n<content rules='/dev/null'/></gateway></policy>", FMP_ERR_IO, 2, 10,
	  "/policy/gateway/content/@rules", "not a file" },
	{ "<policy xmlns=\"urn:fmp:policy:1\"\nbase='balancd'/>", FMP_ERR_IO, 2, 1, "/policy/@base",
	  "did you mean 'balanced'?" },
	{ ROOT "<suspicion><event kind='dtd' rank='1000001'/></suspicion></policy>", FMP_ERR_SCHEMA,
	  1, 63, "/policy/suspicion/event/@rank", "outside of 0 to 1000000" },
	{ ROOT "<block/><block/></policy>", FMP_ERR_SCHEMA, 1, 42, "/policy/block[2]", "twice" },
	{ ROOT "<limits/></policy>", FMP_ERR_SCHEMA, 1, 34, "/policy/limits",
	  "belongs into <gateway>" },
	{ ROOT "<block xmlns='urn:other'/></policy>", FMP_ERR_SCHEMA, 1, 34, "/policy/block",
	  "not of the namespace" },
	{ ROOT "<block xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
	       " xsi:schemaLocation='urn:x http://192.0.2.1/x'/></policy>",
	  FMP_ERR_SCHEMA, 1, 34, "/policy/block", "has none of others" },
	{ ROOT "<block>text</block></policy>", FMP_ERR_SCHEMA, 1, 34, "/policy/block", "no text" },
	{ ROOT "<block duration='60'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@duration",
	  "unit is missing" },
	{ ROOT "<block duration='soon'/></policy>", FMP_ERR_SCHEMA, 1, 41,
	  "/policy/block/@duration", "a duration like" },
	{ ROOT "<block duration='1ms'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@duration",
	  "outside of 1s to 3650d" },
	{ ROOT "<block factor='1.234'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@factor",
	  "two decimals" },
	{ ROOT "<block factor='0.5'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@factor",
	  "outside of 1.00 to 1000.00" },
	{ ROOT "<block mac='true'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@mac",
	  "neither yes nor no" },
	{ ROOT "<block layers='ip radio'/></policy>", FMP_ERR_SCHEMA, 1, 41,
	  "/policy/block/@layers", "not a list of" },
	{ ROOT "<gateway security='BcSE'/></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/gateway/@security", "did you mean 'BcES'?" },
	{ ROOT "<gateway user='a b'/></policy>", FMP_ERR_SCHEMA, 1, 43, "/policy/gateway/@user",
	  "not a name" },
	{ ROOT "<gateway><require\norder='encrypt'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/gateway/require/@order",
	  "none of sign-then-encrypt, encrypt-then-sign, encrypt-sign-encrypt" },
	{ ROOT "<gateway><require\nheaders='all'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/gateway/require/@headers", "none of addressing, strip, signed, only-signed" },
	{ ROOT "<gateway><require\nheaders='signed'/></gateway></policy>", FMP_ERR_CONFLICT, 2, 1,
	  "/policy/gateway/require/@headers", "needs security BcS or BcES" },
	{ ROOT "<gateway><require signed='to'/></gateway></policy>", FMP_ERR_SCHEMA, 1, 52,
	  "/policy/gateway/require/@signed", "nobody can require" },
	{ ROOT "<gateway><require\nencrypted='Body Username'/></gateway></policy>", FMP_ERR_SCHEMA,
	  2, 1, "/policy/gateway/require/@encrypted", "did you mean 'username'?" },
	{ ROOT "<gateway><require\nencrypted='Timestamp'/></gateway></policy>", FMP_ERR_SCHEMA, 2,
	  1, "/policy/gateway/require/@encrypted", "nobody can require" },
	{ ROOT "<gateway schema=''/></policy>", FMP_ERR_SCHEMA, 1, 43, "/policy/gateway/@schema",
	  "is empty" },
	{ ROOT "<gateway>\n<limits body='1kB'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 9,
	  "/policy/gateway/limits/@body", "a size like" },
	{ ROOT "<gateway>\n<limits body='1GiB'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 9,
	  "/policy/gateway/limits/@body", "outside of 1B to 256MiB" },
	{ ROOT "<enforce reconcile='61s'/></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/enforce/@reconcile", "outside of 1s to 1min" },
	{ ROOT "<protect><address>02:00:5e:00:53:01</address></protect></policy>", FMP_ERR_SCHEMA,
	  1, 43, "/policy/protect/address", "belongs into <mac>" },
	{ ROOT "<protect><mac>192.0.2.1</mac></protect></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/protect/mac", "belongs into <address>" },
	{ ROOT "<protect><address>192.0.2.1/24</address></protect></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/protect/address", "is 192.0.2.0/24 meant?" },
	{ ROOT "<enforce><device>a/b</device></enforce></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/enforce/device", "not the name" },
	{ ROOT "<enforce><device layers='ip wifi'>g0</device></enforce></policy>", FMP_ERR_SCHEMA,
	  1, 51, "/policy/enforce/device/@layers", "not a list of ip, mac, premac" },
	{ ROOT "<enforce><device layers='mac'>g0</device></enforce></policy>", FMP_ERR_SCHEMA, 1,
	  51, "/policy/enforce/device/@layers", "leaves out ip" },
	{ ROOT "<enforce><device layer='ip'>g0</device></enforce></policy>", FMP_ERR_SCHEMA, 1, 51,
	  "/policy/enforce/device/@layer", "did you mean 'layers'" },
	{ ROOT "<enforce><device>a234567890123456</device></enforce></policy>", FMP_ERR_SCHEMA, 1,
	  43, "/policy/enforce/device", "not the name" },
	/* "ä" is one column, a tab too. */
	{ ROOT "\n<!-- \xc3\xa4 -->\t<foo/></policy>", FMP_ERR_SCHEMA, 2, 12, "/policy/foo",
	  "no element <foo>" },

	{ ROOT "<suspicion malicious='10'\nsuspicious='20'/></policy>", FMP_ERR_CONFLICT, 1, 45,
	  "/policy/suspicion/@malicious", "before it is suspicious" },
	{ ROOT "<suspicion\nsuspicious='200'/></policy>", FMP_ERR_CONFLICT, 2, 1,
	  "/policy/suspicion/@suspicious", "(malicious is a default)" },
	{ ROOT "<suspicion max-sources='100'/><enforce max-blocks='100'/></policy>",
	  FMP_ERR_CONFLICT, 1, 73, "/policy/enforce/@max-blocks", "no room to watch" },
	{ ROOT "\n<report rate='50'/></policy>", FMP_ERR_SCHEMA, 2, 9, "/policy/report/@rate",
	  "a rate like \"50/s\"" },
	{ ROOT "\n<report rate='100001/s'/></policy>", FMP_ERR_SCHEMA, 2, 9, "/policy/report/@rate",
	  "outside of 0/s to 100000/s" },
	{ ROOT "\n<report grop='a'/></policy>", FMP_ERR_SCHEMA, 2, 9, "/policy/report/@grop",
	  "did you mean 'group'?" },
	{ ROOT "\n<state interval='9s'/></policy>", FMP_ERR_SCHEMA, 2, 8, "/policy/state/@interval",
	  "outside of 10s to 1d" },
	{ ROOT "\n<state file=''/></policy>", FMP_ERR_SCHEMA, 2, 8, "/policy/state/@file",
	  "is empty" },
	{ ROOT "\n<metrics listen='0.0.0.0:9333'/></policy>", FMP_ERR_CONFLICT, 2, 10,
	  "/policy/metrics/@listen", "reached from other machines" },
	{ ROOT "\n<nat64 prefix='64:ff9b::/96 2001:db8::/64 2001:db8::/100'/></policy>",
	  FMP_ERR_SCHEMA, 2, 8, "/policy/nat64/@prefix",
	  "\"2001:db8::/100\", which is not an IPv6 prefix of 32, 40" },
	{ ROOT "\n<nat64 prefix='192.0.2.0/24'/></policy>", FMP_ERR_SCHEMA, 2, 8,
	  "/policy/nat64/@prefix", "RFC 6052" },
	{ ROOT "\n<metrics listen='127.0.0.1:9333' names='a [::1]'/></policy>", FMP_ERR_SCHEMA, 2,
	  34, "/policy/metrics/@names", "[::1]" },
	{ ROOT "\n<metrics listen='unix:/run/x' names='a'/></policy>", FMP_ERR_CONFLICT, 2, 10,
	  "/policy/metrics/@listen", "nobody asks for a name" },
	{ ROOT "\n<metrics listen='localhost'/></policy>", FMP_ERR_CONFLICT, 2, 10,
	  "/policy/metrics/@listen", "nor a loopback ADDRESS:PORT" },
	{ ROOT "\n<metrics interval='0'/></policy>", FMP_ERR_SCHEMA, 2, 10,
	  "/policy/metrics/@interval", "outside of 1s to 1d" },
	{ ROOT "<block duration='2h' max='1h'/></policy>", FMP_ERR_CONFLICT, 1, 55,
	  "/policy/block/@max", "shorter than duration=\"2h\"" },
	{ ROOT "<block duration='48h'/></policy>", FMP_ERR_CONFLICT, 1, 41,
	  "/policy/block/@duration", "(max is a default)" },
	{ ROOT "<block forget='0'/></policy>", FMP_ERR_CONFLICT, 1, 41, "/policy/block/@forget",
	  "forgets every block" },
	{ ROOT "<block mac='no' local-mac-pair='yes'/></policy>", FMP_ERR_CONFLICT, 1, 41,
	  "/policy/block/@mac", "local-mac-pair needs mac=\"yes\"" },
	{ ROOT "<block layers='none'/></policy>", FMP_ERR_CONFLICT, 1, 41, "/policy/block/@layers",
	  "observe=\"yes\"" },
	{ ROOT "<gateway security='BcV'/></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/gateway/@security", "schema=\"FILE\" is missing" },
	{ ROOT "<gateway security='BcS' schema='x'/></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/gateway/@security", "trust=\"FILE\"" },
	{ ROOT "<gateway security='BcE' schema='x'/></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/gateway/@security", "key=\"FILE\"" },
	{ ROOT "<gateway security='BcS' schema='x' trust='x'><require signed='To'\nencrypted='To'/>"
	       "</gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 1, "/policy/gateway/require/@encrypted", "needs security BcE or" },
	{ ROOT "<gateway security='BcE' schema='x' key='x'><require\nencrypted='username'/>"
	       "</gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 1, "/policy/gateway/require/@encrypted", "without users" },
	{ ROOT "<gateway security='BcE' schema='x' key='x'><require\nencrypted='signature'/>"
	       "</gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 1, "/policy/gateway/require/@encrypted", "BcE\" has none" },
	{ SIGNED_SECRETLY("\nencrypted='signature' order='encrypt-then-sign'"), FMP_ERR_CONFLICT, 2,
	  1, "/policy/gateway/require/@encrypted", "nothing is encrypted behind it" },
	{ SIGNED_SECRETLY("\norder='encrypt-sign-encrypt' encrypted='To'"), FMP_ERR_CONFLICT, 2, 1,
	  "/policy/gateway/require/@order", "needs encrypted=\"username\"" },
	{ SIGNED_SECRETLY("\norder='encrypt-sign-encrypt'"), FMP_ERR_CONFLICT, 2, 1,
	  "/policy/gateway/require/@order", "what is encrypted behind the signature" },
	{ HEADERS("BcS", "\n<header signed='no'/>"), FMP_ERR_SCHEMA, 3, 1,
	  "/policy/gateway/headers/header", "<header> needs a name" },
	{ HEADERS("BcS", "\n<header name='{urn:a}b c'/>"), FMP_ERR_SCHEMA, 3, 9,
	  "/policy/gateway/headers/header/@name", "is not {NAMESPACE}NAME or PREFIX:NAME" },
	{ HEADERS("BcS", "\n<header name='{}b'/>"), FMP_ERR_SCHEMA, 3, 9,
	  "/policy/gateway/headers/header/@name", "is not {NAMESPACE}NAME or PREFIX:NAME" },
	{ HEADERS("BcS", "\n<header name='b'/>"), FMP_ERR_SCHEMA, 3, 9,
	  "/policy/gateway/headers/header/@name", "is not {NAMESPACE}NAME or PREFIX:NAME" },
	{ HEADERS("BcS", "\n<header name='q:b'/>"), FMP_ERR_SCHEMA, 3, 9,
	  "/policy/gateway/headers/header/@name", "the prefix q is not declared" },
	{ HEADERS("BcS", "\n<header name='{urn:a}*' required='yes'/>"), FMP_ERR_CONFLICT, 3, 25,
	  "/policy/gateway/headers/header/@required", "name it instead of *" },
	{ HEADERS("BcS", "<header name='{urn:a}b'/>\n<header xmlns:q='urn:a' name='q:b'/>"),
	  FMP_ERR_CONFLICT, 3, 25, "/policy/gateway/headers/header[2]/@name", "is named twice" },
	{ HEADERS("BcS", "\n<header name='{" SOAP12_NS "}Upgrade'/>"), FMP_ERR_CONFLICT, 3, 9,
	  "/policy/gateway/headers/header/@name", "the gateway reads it itself" },
	{ HEADERS("BcS", "\n<header name='{urn:a}b' sined='no'/>"), FMP_ERR_SCHEMA, 3, 25,
	  "/policy/gateway/headers/header/@sined", "did you mean 'signed'?" },
	{ HEADERS("Bc", "<header name='{urn:a}b' signed='yes'/>"), FMP_ERR_CONFLICT, 2, 1, "",
	  "needs security BcS or BcES" },
	{ HEADERS("Os", "<header name='{urn:a}b'/>"), FMP_ERR_CONFLICT, 2, 1, "",
	  "looks at no header block" },
	{ ROOT "<gateway>\n<identity subject='Host'/></gateway></policy>", FMP_ERR_CONFLICT, 2, 11,
	  "/policy/gateway/identity/@subject", "\"Host\" can't be the name of a field" },
	{ ROOT "<gateway>\n<identity user='X_User'/></gateway></policy>", FMP_ERR_CONFLICT, 2, 11,
	  "/policy/gateway/identity/@user", "\"X_User\" can't be the name of a field" },
	{ ROOT "<gateway>\n<identity user='Content-Length'/></gateway></policy>", FMP_ERR_CONFLICT,
	  2, 11, "/policy/gateway/identity/@user", "none that HTTP itself uses" },
	{ ROOT "<gateway>\n<identity user='x-fmp-subject'/></gateway></policy>", FMP_ERR_CONFLICT,
	  2, 11, "/policy/gateway/identity/@user", "two fields have the name" },
	{ ROOT "<gateway>\n<saml required='true'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 7,
	  "/policy/gateway/saml/@required", "neither yes nor no" },
	{ ROOT "<gateway>\n<saml beaer='no'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 7,
	  "/policy/gateway/saml/@beaer", "did you mean 'bearer'?" },
	{ ROOT "<gateway security='BcS'\npurpose='email 1..2'/></policy>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/gateway/@purpose", "\"1..2\", which is not any, email" },
	{ ROOT "<gateway>\n<saml audiences='urn:a orders'/></gateway></policy>", FMP_ERR_SCHEMA, 2,
	  7, "/policy/gateway/saml/@audiences", "\"orders\", which is not an absolute URI" },
	{ ROOT "<gateway>\n<saml recipients=' '/></gateway></policy>", FMP_ERR_SCHEMA, 2, 7,
	  "/policy/gateway/saml/@recipients", "is empty" },
	{ ROOT "<gateway>\n<saml><issuer name='urn:i' trust='i'/></saml></gateway></policy>",
	  FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml", "needs audiences" },
	{ FIELDS("\n<remove name='X'/><set name='Y'/>"), FMP_ERR_SCHEMA, 2, 19,
	  "/policy/gateway/fields/set", "needs a value" },
	{ FIELDS("\n<set value='a'/>"), FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/fields/set",
	  "needs a name" },
	{ FIELDS("\n<remove name='X: a'/>"), FMP_ERR_SCHEMA, 2, 9,
	  "/policy/gateway/fields/remove/@name", "a character that can't be there" },
	{ FIELDS("\n<set name='X*' value='a'/>"), FMP_ERR_SCHEMA, 2, 6,
	  "/policy/gateway/fields/set/@name", "no name of a field" },
	{ FIELDS("\n<remove name='a*b'/>"), FMP_ERR_SCHEMA, 2, 9,
	  "/policy/gateway/fields/remove/@name", "a star may stand at its end" },
	{ FIELDS("\n<set name='content-LENGTH' value='1'/>"), FMP_ERR_CONFLICT, 2, 6,
	  "/policy/gateway/fields/set/@name", "the gateway itself writes" },
	{ FIELDS("\n<set name='X' value='a&#10;Y: b'/>"), FMP_ERR_SCHEMA, 2, 15,
	  "/policy/gateway/fields/set/@value", "not printable ASCII" },
	{ FIELDS("\n<set name='X' value='ü'/>"), FMP_ERR_SCHEMA, 2, 15,
	  "/policy/gateway/fields/set/@value", "not printable ASCII" },
	{ FIELDS("\n<set name='X' value=' a'/>"), FMP_ERR_SCHEMA, 2, 15,
	  "/policy/gateway/fields/set/@value", "begins or ends with a space" },
	{ FIELDS("\n<set name='X' value=''/>"), FMP_ERR_SCHEMA, 2, 15,
	  "/policy/gateway/fields/set/@value", "write <remove>" },
	{ FIELDS("\n<remove name='X' in='answer'/>"), FMP_ERR_SCHEMA, 2, 18,
	  "/policy/gateway/fields/remove/@in", "none of requests, answers, both" },
	{ FIELDS("\n<remove nam='X'/>"), FMP_ERR_SCHEMA, 2, 9, "/policy/gateway/fields/remove/@nam",
	  "did you mean 'name'?" },
	{ FIELDS("\n<remove name='X' value='a'/>"), FMP_ERR_SCHEMA, 2, 18,
	  "/policy/gateway/fields/remove/@value", "no attribute" },
	{ FIELDS("\n<delete name='X'/>"), FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/fields/delete",
	  "remove or set" },
	{ FIELDS("\n<keep name='X' in='requests'/>"), FMP_ERR_SCHEMA, 2, 16,
	  "/policy/gateway/fields/keep/@in", "no attribute" },
	{ FIELDS("\n<keep name='Forwarded'/>"), FMP_ERR_CONFLICT, 2, 7,
	  "/policy/gateway/fields/keep/@name", "the gateway itself writes" },
	{ FIELDS("X"), FMP_ERR_SCHEMA, 1, 43, "/policy/gateway/fields", "no text" },
	{ SAML("\n<issuer name='urn:i'/>"), FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml/issuer",
	  "needs a trust" },
	{ SAML("\n<issuer trust='i'/>"), FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml/issuer",
	  "needs a name" },
	{ SAML("\n<issuer trust='i' nam='urn:i'/>"), FMP_ERR_SCHEMA, 2, 19,
	  "/policy/gateway/saml/issuer/@nam", "did you mean 'name'?" },
	{ SAML("\n<issuer trust='i' name='i'/>"), FMP_ERR_SCHEMA, 2, 19,
	  "/policy/gateway/saml/issuer/@name", "not an absolute URI" },
	{ SAML("\n<issuer trust='i' name='urn:i urn:j'/>"), FMP_ERR_SCHEMA, 2, 19,
	  "/policy/gateway/saml/issuer/@name", "has one name" },
	{ SAML("<issuer name='urn:i' trust='i'/>\n<issuer name='urn:i' trust='j'/>"),
	  FMP_ERR_SCHEMA, 2, 9, "/policy/gateway/saml/issuer[2]/@name", "listed twice" },
	{ SAML(ISSUER("1") ISSUER("2") ISSUER("3") ISSUER("4") ISSUER("5") ISSUER("6") ISSUER("7")
		       ISSUER("8") "\n" ISSUER("9")),
	  FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml/issuer[9]", "more than 8" },
	{ ROOT "<gateway>\n<saml required='yes'/></gateway></policy>", FMP_ERR_CONFLICT, 2, 7,
	  "/policy/gateway/saml/@required", "<issuer>, who may issue them, is missing" },
	{ SAML(ISSUER("1")), FMP_ERR_CONFLICT, 1, 49, "/policy/gateway/saml/@audiences",
	  "needs a signed message" },
	{ ROOT "<gateway security='Os'><saml audiences='urn:a' bearer='yes'>" ISSUER(
		  "1") "</saml></gateway></policy>",
	  FMP_ERR_CONFLICT, 1, 43, "/policy/gateway/@security", "looks into no message" },
	{ ROOT
	  "<gateway><replay entries='0'/>\n<saml audiences='urn:a' bearer='yes' one-time='yes'>" ISSUER(
		  "1") "</saml></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 38, "/policy/gateway/saml/@one-time", "none are stored" },
	{ ROOT "<gateway><proxies><proxy address='::/0'/></proxies></gateway></policy>",
	  FMP_ERR_CONFLICT, 1, 52, "/policy/gateway/proxies/proxy", "protects every source" },
	{ ROOT "<gateway><proxies><proxy tells='v1' address='::1'/></proxies></gateway></policy>",
	  FMP_ERR_SCHEMA, 1, 59, "/policy/gateway/proxies/proxy/@tells", "neither proxy-protocol" },
	{ ROOT "<gateway><proxies><proxy/></proxies></gateway></policy>", FMP_ERR_SCHEMA, 1, 52,
	  "/policy/gateway/proxies/proxy", "needs an address" },
	{ ROOT "<gateway><tls certificate='x'/></gateway></policy>", FMP_ERR_CONFLICT, 1, 48,
	  "/policy/gateway/tls/@certificate", "needs both" },
	{ ROOT "<gateway><tls client-ca='x'/></gateway></policy>", FMP_ERR_CONFLICT, 1, 48,
	  "/policy/gateway/tls/@client-ca", "needs TLS" },
	{ ROOT "<gateway><tls certificate='x' key='y' client-crl='z'/></gateway></policy>",
	  FMP_ERR_CONFLICT, 1, 72, "/policy/gateway/tls/@client-crl", "client-ca=\"FILE\", which" },
	{ ROOT "<gateway>\n<connections max='8' per-source='9'/></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 22, "/policy/gateway/connections/@per-source", "more than max" },
	{ ROOT "<suspicion>\n<credit points='1' max='100'/></suspicion></policy>", FMP_ERR_CONFLICT,
	  2, 20, "/policy/suspicion/credit/@max", "not below malicious=\"100\"" },
	{ ROOT "<suspicion><credit/>\n<credit/></suspicion></policy>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/suspicion/credit[2]", "stands twice" },
	{ ROOT "<suspicion>\n<credit point='1'/></suspicion></policy>", FMP_ERR_SCHEMA, 2, 9,
	  "/policy/suspicion/credit/@point", "did you mean 'points'?" },
	{ ROOT "\n<suspicious action='limt'/></policy>", FMP_ERR_SCHEMA, 2, 13,
	  "/policy/suspicious/@action", "none of observe, limit: did you mean 'limit'?" },
	{ ROOT "\n<suspicious rate='0/s'/></policy>", FMP_ERR_SCHEMA, 2, 13,
	  "/policy/suspicious/@rate", "is outside of" },
	{ ROOT "\n<block jitter='10'/></policy>", FMP_ERR_SCHEMA, 2, 8, "/policy/block/@jitter",
	  "not a percentage like" },
	{ ROOT "\n<block jitter='91%'/></policy>", FMP_ERR_SCHEMA, 2, 8, "/policy/block/@jitter",
	  "is outside of 0% to 90%" },
	{ ROOT "<block>\n<shared narrow='limit'/></block></policy>", FMP_ERR_CONFLICT, 2, 9,
	  "/policy/block/shared/@narrow", "nobody has any" },
	{ ROOT "<suspicion><credit points='1' max='9'/></suspicion><block>\n<shared narrow='port' "
	       "credit='10'/></block></policy>",
	  FMP_ERR_CONFLICT, 2, 23, "/policy/block/shared/@credit", "no source ever has it" },
	{ ROOT "<suspicion><credit points='1'/></suspicion><block>\n<shared narrow='port' "
	       "up-to='100'/></block></policy>",
	  FMP_ERR_CONFLICT, 2, 23, "/policy/block/shared/@up-to", "no block would be narrowed" },
	{ ROOT "<block>\n<rollup sources='1'/></block></policy>", FMP_ERR_CONFLICT, 2, 9,
	  "/policy/block/rollup/@sources", "a whole prefix for one source" },
	{ ROOT "<block>\n<rollup sources='8' ipv6-prefix='64'/></block></policy>", FMP_ERR_CONFLICT,
	  2, 21, "/policy/block/rollup/@ipv6-prefix", "would hold one source" },
	{ ROOT "<overrides>\n<override port='22' malicious='9'/></overrides></policy>",
	  FMP_ERR_CONFLICT, 2, 21, "/policy/suspicion/@malicious", "before it is suspicious" },
	{ ROOT "<suspicious action='limit'/>\n<block layers='premac'/></policy>", FMP_ERR_CONFLICT,
	  2, 8, "/policy/block/@layers", "did you mean \"ip premac\"?" },
	{ ROOT "<suspicion><credit points='1'/></suspicion><block\nlayers='premac'><shared "
	       "narrow='port'/></block></policy>",
	  FMP_ERR_CONFLICT, 2, 1, "/policy/block/@layers", "nothing of <shared narrow=" },
	{ ROOT "<suspicious action='limit'/><overrides>\n<override port='22' layers='premac'/>"
	       "</overrides></policy>",
	  FMP_ERR_CONFLICT, 2, 21, "/policy/block/@layers", "holds whole blocks only" },
	{ ROOT "<overrides>\n<override service='nope'/></overrides></policy>", FMP_ERR_CONFLICT, 2,
	  11, "/policy/overrides/override/@service", "is none of <services>" },
	{ ROOT "<overrides>\n<override service='ordres'/></overrides><gateway><services>"
	       "<service name='orders' path='/o'/></services></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 11, "/policy/overrides/override/@service",
	  "did you mean 'orders'?" },
	{ ROOT "<overrides>\n<override duration='1min'/></overrides></policy>", FMP_ERR_SCHEMA, 2,
	  1, "/policy/overrides/override", "needs a port, a service or both" },
	{ ROOT "<overrides>\n<override port='0'/></overrides></policy>", FMP_ERR_SCHEMA, 2, 11,
	  "/policy/overrides/override/@port", "is outside of 1 to 65535" },
	{ ROOT "<overrides>\n<override port='22' forget='1h'/></overrides></policy>",
	  FMP_ERR_SCHEMA, 2, 21, "/policy/overrides/override/@forget", "has no attribute" },
	{ ROOT "<overrides><override port='22'/>\n<override port='22'/></overrides></policy>",
	  FMP_ERR_CONFLICT, 2, 1, "/policy/overrides/override[2]", "said already" },
	{ ROOT "<overrides><override port='22'>\n<event kind='dtd' rank='1000001'/></override>"
	       "</overrides></policy>",
	  FMP_ERR_SCHEMA, 2, 19, "/policy/overrides/override/event/@rank", "is outside of" },
	{ ROOT "<overrides><override port='22'>\n<limits/></override></overrides></policy>",
	  FMP_ERR_SCHEMA, 2, 1, "/policy/overrides/override/limits", "only <event>" },
	{ "<policy xmlns=\"urn:fmp:policy:1\"\nbase='none-such'/>", FMP_ERR_IO, 2, 1,
	  "/policy/@base", "there is no none-such.xml, neither in " },
	{ "<policy xmlns=\"urn:fmp:policy:1\"\nbase='../x'/>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/@base", "not a name" },
	{ ROOT "\n<include>none-such.d</include></policy>", FMP_ERR_IO, 2, 1, "/policy/include",
	  "/etc/fmp/none-such.d: No such file" },
	{ ROOT "\n<include> </include></policy>", FMP_ERR_SCHEMA, 2, 1, "/policy/include",
	  "name of a file or a folder" },
	{ ROOT "\n<include>/dev/zero</include></policy>", FMP_ERR_IO, 2, 1, "/policy/include",
	  "/dev/zero: " },
	{ ROOT "<protect><address>0.0.0.0/0</address></protect></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/protect/address", "protects every source" },
};

START_TEST(errors_say_where_and_what)
{
	struct fmp_policy *p = NULL;

	check_bad_policy(&bad[_i]);
	/* Without an error to fill the verdict is the same. */
	ck_assert_int_eq(fmp_policy_load_memory(bad[_i].text, strlen(bad[_i].text), "p.xml",
						xsd_path(), &p, NULL),
			 bad[_i].code);
}
END_TEST

/* What is a mistake above, and is none here. */
START_TEST(what_can_be_encrypted)
{
	static const char text[] =
		SIGNED_SECRETLY(" encrypted='RelatesTo\tsignature username\n Body To' signed='To'"
				" order='encrypt-sign-encrypt'");
	struct fmp_policy *p = NULL;
	struct fmp_error err;

	ck_assert_msg(!load_text(text, &p, &err), "%s", err.message);
	ck_assert_uint_eq(
		p->gateway.require_encrypted,
		FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY) | FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) |
			FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE) |
			FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO) |
			FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO + FMP_PART_RELATES_TO - FMP_PART_TO));
	ck_assert_int_eq(p->gateway.order, FMP_ORDER_ENCRYPT_SIGN_ENCRYPT);
	fmp_policy_free(p);
}
END_TEST

START_TEST(files_that_are_not_there)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char *big = malloc((1 << 20) + 2);

	ck_assert_int_eq(fmp_policy_load("/nonexistent/p.xml", xsd_path(), &p, &err), FMP_ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/p.xml"));
	ck_assert_int_eq(fmp_policy_load("/", xsd_path(), &p, &err), FMP_ERR_IO);
	ck_assert_int_eq(fmp_policy_load_memory(ROOT "</policy>", sizeof(ROOT "</policy>") - 1, "p",
						"/nonexistent.xsd", &p, &err),
			 FMP_ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent.xsd"));
	memset(big, ' ', (1 << 20) + 1);
	ck_assert_int_eq(fmp_policy_load_memory(big, (1 << 20) + 1, "p", xsd_path(), &p, &err),
			 FMP_ERR_LIMIT);
	free(big);
	ck_assert_ptr_null(p);
}
END_TEST

/* Every prefix of a file, and every byte of it damaged: an error or a policy, never a crash. */
START_TEST(damaged_files)
{
	const char *text = ROOT
		"<suspicion half-life='1min'><event kind='dtd' rank='5'/></suspicion>"
		"<protect><address>192.0.2.1</address></protect><!-- c --></policy>";
	size_t len = strlen(text);
	struct fmp_policy *p = NULL;
	struct fmp_error err;

	for (size_t n = 0; n < len; n++) {
		char *cut = malloc(n ? n : 1);

		memcpy(cut, text, n);
		ck_assert_int_ne(fmp_policy_load_memory(cut, n, "p", xsd_path(), &p, &err), 0);
		for (int bit = 0; bit < 8; bit++) {
			char *hurt = malloc(len);

			memcpy(hurt, text, len);
			hurt[n] ^= (char)(1 << bit);
			if (!fmp_policy_load_memory(hurt, len, "p", xsd_path(), &p, &err))
				fmp_policy_free(p);
			free(hurt);
		}
		free(cut);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("errors");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, errors_say_where_and_what, 0, COUNT(bad));
	tcase_add_test(t, what_can_be_encrypted);
	tcase_add_test(t, files_that_are_not_there);
	tcase_add_test(t, damaged_files);
	return run_tcase("policy_errors", t);
}
