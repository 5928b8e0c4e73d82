/* SPDX-License-Identifier: GPL-2.0 */
/* The sample service with gSOAP's own WS-Security, for soapcpp2: a peer of the gateway. */
#import "wsse.h"
#import "orders.h"
