/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The service as its own gateway: the plugin of <fmp/gsoap.h> inspects each message in this process. Its output is
 * the parsed tree, or bytes for soap_serve(). gSOAP handles sockets, HTTP and the response.
 */
#ifndef FMP_SAMPLE_IN_PROCESS_H
#define FMP_SAMPLE_IN_PROCESS_H

#include <stdbool.h>

#include "soapH.h"

struct fmp_inspect_config;
struct fmp_inspector;

/**
 * in_process_load() - make an inspector for each thread, by a policy file
 * @tree: their output is a tree, else bytes
 *
 * Errors are printed on standard error. Return: n inspectors; NULL.
 */
struct fmp_inspector **in_process_load(const char *policy, bool tree, unsigned n);
void in_process_free(struct fmp_inspector **inspectors, unsigned n);

/**
 * in_process_begin() - inspect the messages of this context from now on
 * @report: fmpd's socket for reports of bad messages; "": the default one; NULL: no reports
 *
 * Return: false without memory.
 */
bool in_process_begin(struct soap *soap, struct fmp_inspector *inspector, const char *report);

/** in_process_serve() - replaces soap_serve() for trees. Return: a code of gSOAP, to be ignored. */
int in_process_serve(struct soap *soap);

#endif
