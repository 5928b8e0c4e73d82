/* SPDX-License-Identifier: GPL-2.0 */
/* Errors as values: what went wrong, where, in words. */
#ifndef FMP_ERROR_H
#define FMP_ERROR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMP_API		 __attribute__((visibility("default")))
#define FMP_MUST_CHECK	 __attribute__((warn_unused_result))
#define FMP_PRINTF(f, a) __attribute__((format(printf, f, a)))

/** enum fmp_code - what every function of the library returns: 0, or one of the negative codes. */
enum fmp_code {
	FMP_OK = 0,
	FMP_ERR_NOMEM = -1, /**< memory ran out */
	FMP_ERR_INVALID = -2, /**< an argument or an input makes no sense */
	FMP_ERR_SYNTAX = -3, /**< text or bytes that do not parse */
	FMP_ERR_SCHEMA = -4, /**< parses, but the schema says no */
	FMP_ERR_CONFLICT = -5, /**< settings that contradict each other */
	FMP_ERR_IO = -6, /**< the system refused; sys_errno says why */
	FMP_ERR_LIMIT = -7, /**< a limit is reached */
	FMP_ERR_DENIED = -8, /**< no right to do that */
	FMP_ERR_PROTECTED = -9, /**< the address may never be blocked */
	FMP_ERR_NOTFOUND = -10, /**< no such thing */
	FMP_ERR_EXISTS = -11, /**< there already */
	FMP_ERR_UNSUPPORTED = -12, /**< this machine or this build can't */
	FMP_ERR_KERNEL = -13, /**< the kernel refused; sys_errno and message say why */
	FMP_ERR_CLOSED = -14, /**< the peer is gone */
	FMP_ERR_AGAIN = -15, /**< not complete yet: call again with more */
};

/**
 * struct fmp_error - one error; plain value, no ownership
 *
 * Every function that takes a `struct fmp_error *` accepts NULL and fills the
 * struct only when it fails.
 */
struct fmp_error {
	enum fmp_code code;
	int sys_errno; /**< errno of the call that failed, 0 if none */
	unsigned line; /**< 1-based, 0 if unknown */
	unsigned column; /**< 1-based, 0 if unknown */
	char file[256]; /**< the file read, "" if none */
	char path[128]; /**< where inside it (an XPath-like path), "" if unknown */
	char message[512]; /**< one sentence, no line end */
};

/** fmp_error_set() - fill err (NULL is fine) and return code. */
FMP_API int fmp_error_set(struct fmp_error *err, enum fmp_code code, const char *fmt, ...)
	FMP_PRINTF(3, 4);

/** fmp_error_sys() - the same for a system call that failed; appends strerror(sys_errno). */
FMP_API int fmp_error_sys(struct fmp_error *err, enum fmp_code code, int sys_errno, const char *fmt,
			  ...) FMP_PRINTF(4, 5);

/** fmp_error_at() - the same with a position. file may be NULL. */
FMP_API int fmp_error_at(struct fmp_error *err, enum fmp_code code, const char *file, unsigned line,
			 unsigned column, const char *fmt, ...) FMP_PRINTF(6, 7);

/**
 * fmp_error_format() - "file:line:column: message", without the parts that are unknown
 *
 * Return: buf, always terminated.
 */
FMP_API const char *fmp_error_format(const struct fmp_error *err, char *buf, unsigned long size);

/** fmp_code_name() - a lower-case word for a code, "unknown" for none of ours. */
FMP_API const char *fmp_code_name(int code);

#ifdef __cplusplus
}
#endif
#endif
