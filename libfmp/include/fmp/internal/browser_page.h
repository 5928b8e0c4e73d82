/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page of HTML in the place of a service's answer, whatever its Content-Type says: of a captive portal, of a proxy,
 * of a server that is down. Pure.
 *
 * Its sender is not charged for it, so it is to be a page and nothing else: an attack does not become one by a word
 * in front of it.
 */
#ifndef FMP_BROWSER_PAGE_H
#define FMP_BROWSER_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/event.h>

/**
 * fmp_browser_page_is() - begins as a page does, and has no SOAP message in it
 * @rest: where what is behind its document type declaration begins; 0: it has none
 *
 * Its declaration is one of HTML (HTML standard 13.1.1, or the public identifiers of HTML 2 to 4 and XHTML): a subset of its own,
 * where entities are declared, or a foreign file with one make it no page.
 */
bool fmp_browser_page_is(const void *bytes, size_t len, size_t *rest);

/** fmp_browser_page_explains() - can this be all that is wrong with a page, where XML is expected? */
bool fmp_browser_page_explains(enum fmp_event_kind kind);

#endif
