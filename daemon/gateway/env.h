/* SPDX-License-Identifier: GPL-2.0 */
/* No operations: soapcpp2 makes of it the SOAP types that every gSOAP program needs. */
