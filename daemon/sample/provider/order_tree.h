/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An order out of the tree that fmp has verified. What soapcpp2 generates reads bytes, through
 * gSOAP's own parser, and from nowhere else: a second parse of what has just been parsed.
 */
#ifndef FMP_SAMPLE_ORDER_TREE_H
#define FMP_SAMPLE_ORDER_TREE_H

#include "soapH.h"

struct _xmlNode;

/**
 * order_from_tree() - a submitOrder that is valid against orders.xsd
 * @order: its texts are the tree's, its items soap's
 *
 * Return: SOAP_OK; SOAP_NO_METHOD for another element, SOAP_TYPE for one that is not as the
 * schema says, SOAP_EOM.
 */
int order_from_tree(struct soap *soap, const struct _xmlNode *payload,
		    struct _o__submitOrder *order);

#endif
