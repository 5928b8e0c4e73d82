// SPDX-License-Identifier: GPL-2.0
#include "memory.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool counting;
static long now, most;

static void count_allocated(size_t n)
{
	if (!counting)
		return;
	now += (long)n;
	if (now > most)
		most = now;
}

static void count_freed(size_t n)
{
	if (counting)
		now -= (long)n;
}

#ifdef __SANITIZE_ADDRESS__

/* ASan replaces malloc() itself, but has hooks. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *p);

static void on_malloc(const volatile void *p, size_t n)
{
	count_allocated(n);
}

static void on_free(const volatile void *p)
{
	count_freed(p && counting ? __sanitizer_get_allocated_size(p) : 0);
}

static void install_hooks(void)
{
	static bool done;

	if (!done)
		__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	done = true;
}

#else

/* These replace the C library's, for the shared libraries, too. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

static void *count_allocation(void *p)
{
	count_allocated(malloc_usable_size(p));
	return p;
}

__attribute__((visibility("default"))) void *malloc(size_t n)
{
	return count_allocation(__libc_malloc(n));
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
	return count_allocation(__libc_calloc(n, size));
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t n)
{
	count_freed(malloc_usable_size(p));
	return count_allocation(__libc_realloc(p, n));
}

__attribute__((visibility("default"))) void free(void *p)
{
	count_freed(malloc_usable_size(p));
	__libc_free(p);
}

static void install_hooks(void)
{
}

#endif

void memory_begin(void)
{
	install_hooks();
	now = most = 0;
	counting = true;
}

size_t memory_end(void)
{
	counting = false;
	return (size_t)most;
}

long memory_kept(void)
{
	return now;
}
