// SPDX-License-Identifier: GPL-2.0
/*
 * The replay table in memory shared by forked processes, and its lock. The record lock belongs to a
 * process and dies with it; the threads of one process exclude each other by a mutex.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "replay.h"
#include "replay_file.h"

struct fmpi_replay {
	struct fmpi_replay_table table;
	size_t size;
	int fd;
	atomic_uint users;
	pthread_mutex_t threads;
};

static bool map_table(struct fmpi_replay *r)
{
	void *p = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);

	r->table.memory = p == MAP_FAILED ? NULL : p;
	return r->table.memory;
}

static void unmap_table(struct fmpi_replay *r)
{
	if (r->table.memory)
		munmap(r->table.memory, r->size);
	r->table.memory = NULL;
}

static int report_map_error(struct fmp_error *err)
{
	return fmp_error_sys(err, FMP_ERR_IO, errno, "no shared memory for the replay cache");
}

static int open_anonymous(struct fmpi_replay *r, struct fmp_error *err)
{
	r->fd = fmpi_replay_file_anonymous(r->size, err);
	if (r->fd < 0)
		return r->fd;
	if (!map_table(r))
		return report_map_error(err);
	fmpi_replay_table_init(&r->table, NULL);
	return 0;
}

static bool lock_fd(int fd, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_len = 1 };
	int rc;

	do
		rc = fcntl(fd, F_SETLKW, &l);
	while (rc < 0 && errno == EINTR);
	return rc == 0;
}

/* The existing file of another size: mapped, and locked until it is closed. */
struct previous {
	struct fmpi_replay_table table;
	size_t size;
	int fd; /* negative: none */
};

static void close_previous(struct previous *b)
{
	if (b->table.memory)
		munmap(b->table.memory, b->size);
	/* Closing the descriptor releases the lock. */
	if (b->fd >= 0)
		close(b->fd);
	*b = (struct previous){ .fd = -1 };
}

static void open_previous(const char *file, struct previous *b)
{
	struct fmp_error scratch;
	void *p = MAP_FAILED;

	*b = (struct previous){ .fd = -1 };
	b->fd = fmpi_replay_file_open_any(file, &b->size, &scratch);
	if (b->fd < 0)
		return;
	b->table.entries = fmpi_replay_table_entries(b->size);
	if (b->table.entries && lock_fd(b->fd, F_RDLCK))
		p = mmap(NULL, b->size, PROT_READ, MAP_SHARED, b->fd, 0);
	b->table.memory = p == MAP_FAILED ? NULL : p;
	if (!b->table.memory || !fmpi_replay_table_is_current(&b->table))
		close_previous(b);
}

/*
 * A file of another size or version is replaced; processes that have it open continue with it. From
 * one of another size, the entries that fit are copied.
 */
static int open_file(struct fmpi_replay *r, const char *file, struct fmp_error *err)
{
	struct previous previous;
	int rc = 0;

	r->fd = fmpi_replay_file_open(file, r->size, err);
	if (r->fd < 0 && r->fd != FMP_ERR_NOTFOUND)
		return r->fd;
	if (r->fd >= 0) {
		if (!map_table(r))
			return report_map_error(err);
		if (fmpi_replay_table_is_current(&r->table))
			return 0;
		unmap_table(r);
		close(r->fd);
	}
	open_previous(file, &previous);
	r->fd = fmpi_replay_file_replace(file, r->size, err);
	if (r->fd < 0)
		rc = r->fd;
	else if (!map_table(r))
		rc = report_map_error(err);
	else
		fmpi_replay_table_init(&r->table, previous.table.memory ? &previous.table : NULL);
	close_previous(&previous);
	return rc;
}

int fmpi_replay_new(const char *file, uint32_t entries, uint32_t per_signer, uint64_t message_ms,
		    struct fmpi_replay **out, struct fmp_error *err)
{
	struct fmpi_replay *r = calloc(1, sizeof(*r));
	int rc;

	*out = NULL;
	if (!r)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the replay cache");
	atomic_init(&r->users, 1);
	pthread_mutex_init(&r->threads, NULL);
	r->table.entries = entries;
	r->table.per_signer = per_signer;
	r->table.message_ms = (int64_t)message_ms;
	r->size = fmpi_replay_table_size(entries);
	rc = file ? open_file(r, file, err) : open_anonymous(r, err);
	if (rc)
		fmpi_replay_free(r);
	else
		*out = r;
	return rc;
}

int fmpi_replay_check_file(const char *file, uint32_t entries, struct fmp_error *err)
{
	return fmpi_replay_file_check(file, fmpi_replay_table_size(entries), err);
}

struct fmpi_replay *fmpi_replay_ref(struct fmpi_replay *r)
{
	atomic_fetch_add(&r->users, 1);
	return r;
}

void fmpi_replay_free(struct fmpi_replay *r)
{
	if (!r || atomic_fetch_sub(&r->users, 1) > 1)
		return;
	unmap_table(r);
	if (r->fd >= 0)
		close(r->fd);
	pthread_mutex_destroy(&r->threads);
	free(r);
}

int fmpi_replay_fd(const struct fmpi_replay *r)
{
	return r->fd;
}

int fmpi_replay_lock_owner(const struct fmpi_replay *r)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };

	return fcntl(r->fd, F_GETLK, &l) || l.l_type == F_UNLCK ? 0 : l.l_pid;
}

static bool lock_table(struct fmpi_replay *r, short type)
{
	pthread_mutex_lock(&r->threads);
	if (lock_fd(r->fd, type))
		return true;
	pthread_mutex_unlock(&r->threads);
	return false;
}

static void unlock_table(struct fmpi_replay *r)
{
	lock_fd(r->fd, F_UNLCK);
	pthread_mutex_unlock(&r->threads);
}

static int lookup_unlocked(struct fmpi_replay *r, const struct fmpi_replay_key *key)
{
	int a;

	pthread_mutex_lock(&r->threads);
	a = (int)fmpi_replay_table_lookup(&r->table, key);
	pthread_mutex_unlock(&r->threads);
	return a;
}

/*
 * Most messages are new, and another process's half-written entry cannot change that verdict for the
 * worse: the insert looks again under the lock. Its two system calls cost more than the lookup.
 */
int fmpi_replay_lookup(struct fmpi_replay *r, const struct fmpi_replay_key *key)
{
	int a = lookup_unlocked(r, key);

	if (a == FMPI_REPLAY_NEW)
		return a;
	if (!lock_table(r, F_RDLCK))
		return FMP_ERR_IO;
	a = (int)fmpi_replay_table_lookup(&r->table, key);
	unlock_table(r);
	return a;
}

int fmpi_replay_insert(struct fmpi_replay *r, const struct fmpi_replay_key *key, int64_t now_ms)
{
	struct timespec t = { 0 };
	int a;

	clock_gettime(CLOCK_BOOTTIME, &t);

	if (!lock_table(r, F_WRLCK))
		return FMP_ERR_IO;
	a = (int)fmpi_replay_table_insert(&r->table, key, now_ms,
					  (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000);
	unlock_table(r);
	return a;
}

int fmpi_replay_repeat(struct fmpi_replay *r, const struct fmpi_replay_key *key)
{
	int a;

	if (!lock_table(r, F_WRLCK))
		return FMP_ERR_IO;
	a = (int)fmpi_replay_table_repeat(&r->table, key);
	unlock_table(r);
	return a;
}

int fmpi_replay_remove(struct fmpi_replay *r, const struct fmpi_replay_key *keys, unsigned n)
{
	bool all = true;

	if (!lock_table(r, F_WRLCK))
		return FMP_ERR_IO;
	for (unsigned i = 0; i < n; i++)
		all = fmpi_replay_table_remove(&r->table, &keys[i]) && all;
	unlock_table(r);
	return all ? 0 : FMP_ERR_NOTFOUND;
}
