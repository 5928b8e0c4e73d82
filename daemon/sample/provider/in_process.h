/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The service as its own gateway: the plugin of <fmp/gsoap.h> inspects each message in this
 * process and hands on the tree it has parsed, or its bytes to soap_serve(). gSOAP does sockets,
 * HTTP and the answer.
 */
#ifndef FMP_SAMPLE_IN_PROCESS_H
#define FMP_SAMPLE_IN_PROCESS_H

#include <stdbool.h>

#include "soapH.h"

struct fmp_inspect_config;
struct fmp_inspector;

/**
 * in_process_load() - an inspector a thread, by a policy file
 *
 * @tree: they hand on trees, else bytes
 *
 * What is wrong is said on standard error. Return: n of them; NULL.
 */
struct fmp_inspector **in_process_load(const char *policy, bool tree, unsigned n);
void in_process_free(struct fmp_inspector **inspectors, unsigned n);

/**
 * in_process_begin() - messages of this context are inspected from now on
 * @report: socket of fmpd that is told of bad ones; "": the usual one; NULL: nobody is
 *
 * Return: was there memory?
 */
bool in_process_begin(struct soap *soap, struct fmp_inspector *inspector, const char *report);

/** in_process_serve() - in the place of soap_serve(), of trees. Return: of no concern. */
int in_process_serve(struct soap *soap);

#endif
