/* SPDX-License-Identifier: GPL-2.0 */
/* The sample Web service, for soapcpp2: document/literal, as orders.wsdl and orders.xsd say. */
//gsoap o service name: orders
//gsoap o service style: document
//gsoap o service encoding: literal
//gsoap o service namespace: urn:fmp:orders
//gsoap o service location: http://127.0.0.1:9000/orders
//gsoap o schema namespace: urn:fmp:orders
//gsoap o schema elementForm: qualified
//gsoap o service method-action: submitOrder ""

typedef char *xsd__string;
typedef char *xsd__decimal;
typedef char *xsd__dateTime;
typedef ULONG64 xsd__positiveInteger;

struct o__Item {
	xsd__string sku 1;
	int qty 1;
	xsd__decimal price 1;
	xsd__string note 0;
};

struct o__Line {
	xsd__string sku 1;
	int qty 1;
	xsd__decimal amount 1;
};

struct _o__submitOrder {
	xsd__positiveInteger orderId 1;
	xsd__string customer 1;
	xsd__dateTime date 1;
	$int __sizeitem;
	struct o__Item *item 1;
};

struct _o__submitOrderResponse {
	xsd__positiveInteger orderId 1;
	xsd__decimal total 1;
	xsd__string confirmation 0;
	$int __sizeline;
	struct o__Line *line 0;
	xsd__string terms 0;
};

int __o__submitOrder(struct _o__submitOrder *o__submitOrder,
		     struct _o__submitOrderResponse *o__submitOrderResponse);
