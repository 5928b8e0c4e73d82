/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads an order from the tree that fmp has verified. The code of soapcpp2 reads only bytes, by gSOAP's parser,
 * which would parse the message a second time.
 */
#ifndef FMP_SAMPLE_ORDER_TREE_H
#define FMP_SAMPLE_ORDER_TREE_H

#include "soapH.h"

struct _xmlNode;

/**
 * order_from_tree() - read a submitOrder that is valid against orders.xsd
 * @order: its texts belong to the tree, its items to soap
 *
 * Return: SOAP_OK; SOAP_NO_METHOD: another element; SOAP_TYPE: not valid; SOAP_EOM.
 */
int order_from_tree(struct soap *soap, const struct _xmlNode *payload,
		    struct _o__submitOrder *order);

#endif
