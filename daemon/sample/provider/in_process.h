/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The service as its own gateway: fmp inspects each message in this process and hands on
 * the tree it has parsed. gSOAP does sockets, HTTP and the answer.
 */
#ifndef FMP_SAMPLE_IN_PROCESS_H
#define FMP_SAMPLE_IN_PROCESS_H

#include "soapH.h"

struct fmp_inspect_config;
struct fmp_inspector;

/**
 * in_process_load() - an inspector a thread, by a policy file
 *
 * What is wrong is said on standard error. Return: n of them; NULL.
 */
struct fmp_inspector **in_process_load(const char *policy, unsigned n);
void in_process_free(struct fmp_inspector **inspectors, unsigned n);

/** in_process_serve() - in the place of soap_serve(). Return: of no concern. */
int in_process_serve(struct soap *soap, struct fmp_inspector *inspector);

#endif
