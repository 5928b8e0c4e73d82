/* SPDX-License-Identifier: GPL-2.0 */
/* Errors as values: what is wrong, where, as text. */
#ifndef FMP_ERROR_H
#define FMP_ERROR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMP_API		 __attribute__((visibility("default")))
#define FMP_MUST_CHECK	 __attribute__((warn_unused_result))
#define FMP_PRINTF(f, a) __attribute__((format(printf, f, a)))

/** enum fmp_code - return value of the library's functions: 0 or a negative code */
enum fmp_code {
	FMP_OK = 0,
	FMP_ERR_NOMEM = -1, /**< out of memory */
	FMP_ERR_INVALID = -2, /**< invalid argument or input */
	FMP_ERR_SYNTAX = -3, /**< text or bytes that can't be parsed */
	FMP_ERR_SCHEMA = -4, /**< well-formed, but not valid against the schema */
	FMP_ERR_CONFLICT = -5, /**< contradictory settings */
	FMP_ERR_IO = -6, /**< a system call failed; see sys_errno */
	FMP_ERR_LIMIT = -7, /**< a limit is reached */
	FMP_ERR_DENIED = -8, /**< permission denied */
	FMP_ERR_PROTECTED = -9, /**< the address may never be blocked */
	FMP_ERR_NOTFOUND = -10, /**< no such thing */
	FMP_ERR_EXISTS = -11, /**< already exists */
	FMP_ERR_UNSUPPORTED = -12, /**< not supported by this machine or build */
	FMP_ERR_KERNEL = -13, /**< the kernel refused; see sys_errno and message */
	FMP_ERR_CLOSED = -14, /**< the peer closed the connection */
	FMP_ERR_AGAIN = -15, /**< incomplete: call again with more data */
};

/**
 * struct fmp_error - one error; a plain value that owns nothing
 *
 * Every function that takes a `struct fmp_error *` accepts NULL, and writes to it only on failure.
 */
struct fmp_error {
	enum fmp_code code;
	int sys_errno; /**< errno of the failed call, 0 if none */
	unsigned line; /**< 1-based, 0 if unknown */
	unsigned column; /**< 1-based, 0 if unknown */
	char file[256]; /**< the file read, "" if none */
	char path[128]; /**< position inside it (an XPath-like path), "" if unknown */
	char message[512]; /**< one sentence without a newline */
};

/** fmp_error_set() - fill err (may be NULL). Return: code. */
FMP_API int fmp_error_set(struct fmp_error *err, enum fmp_code code, const char *fmt, ...)
	FMP_PRINTF(3, 4);

/**
 * fmp_error_sys() - fill err after a failed system call; appends strerror(sys_errno). Return: code.
 */
FMP_API int fmp_error_sys(struct fmp_error *err, enum fmp_code code, int sys_errno, const char *fmt,
			  ...) FMP_PRINTF(4, 5);

/** fmp_error_at() - fill err with a position; file may be NULL. Return: code. */
FMP_API int fmp_error_at(struct fmp_error *err, enum fmp_code code, const char *file, unsigned line,
			 unsigned column, const char *fmt, ...) FMP_PRINTF(6, 7);

/**
 * fmp_error_format() - write "file:line:column: message", without unknown parts
 *
 * Return: buf, always terminated.
 */
FMP_API const char *fmp_error_format(const struct fmp_error *err, char *buf, unsigned long size);

/** fmp_code_name() - the lower-case name of a code; "unknown" for other numbers. */
FMP_API const char *fmp_code_name(int code);

#ifdef __cplusplus
}
#endif
#endif
