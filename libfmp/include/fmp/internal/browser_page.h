/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recognises an HTML page that arrives instead of a service's reply, whatever its Content-Type:
 * from a captive portal, a proxy, or a server that is down. Pure.
 *
 * The sender of a page is not charged, so the check is strict: an attack must not pass as a page
 * because of a word in front of it.
 */
#ifndef FMP_BROWSER_PAGE_H
#define FMP_BROWSER_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/event.h>

/**
 * fmp_browser_page_is() - the bytes begin like a page and contain no SOAP message
 * @rest: offset behind the document type declaration; 0: there is none
 *
 * The declaration must be one of HTML (HTML standard 13.1.1, or the public identifiers of HTML 2 to
 * 4 and XHTML). With an internal subset, which can declare entities, or with a foreign external
 * one it is not a page.
 */
bool fmp_browser_page_is(const void *bytes, size_t len, size_t *rest);

/** fmp_browser_page_explains() - can this refusal be due to a page alone, where XML is expected? */
bool fmp_browser_page_explains(enum fmp_event_kind kind);

#endif
