/* SPDX-License-Identifier: GPL-2.0 */
/* Text that came from outside, made fit to be shown on a terminal and put into JSON. */
#ifndef FMPI_REPORT_TEXT_H
#define FMPI_REPORT_TEXT_H

/** fmpi_text_clean() - control characters and bytes that are not UTF-8 become '?', in place. */
void fmpi_text_clean(char *s);

#endif
