/*
 * A library for LD_PRELOAD: calls on files below a folder fail when they are told to. It counts the calls of each kind
 * over all threads and processes that share a state file, and lets calls number `at` to `at + length - 1` of one kind
 * fail with an errno. Counting stops while `armed` is 0.
 *
 * SHAPEDEX_FAULTS_ROOT  folder, absolute, without links
 * SHAPEDEX_FAULTS_STATE file of at least sizeof(struct state) bytes, outside of that folder
 *
 * The order of `struct state` and of the kinds is that of faults.mjs.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE, SYNC, RENAME, OPEN, READ, TRUNCATE, UNLINK, MKDIR, LIST, KINDS };

#define PATH_BYTES 256
#define MOST_FILES 65536
/* Below the number of files that a reading process may open. */
#define STATE_FILE 60

struct state {
  _Atomic unsigned armed;
  unsigned kind, error, at, length;
  /* The first half of a write is written before it fails. */
  unsigned torn;
  _Atomic unsigned counts[KINDS];
  _Atomic unsigned failed;
  int pid;
  char path[PATH_BYTES];
};

static struct state *state;
static const char *root, *stateFile, *preload;
static size_t rootLength;
/* Which descriptors are of files below the folder. */
static _Atomic char ours[MOST_FILES];

__attribute__((constructor)) static void begin(void) {
  if (getenv("SHAPEDEX_FAULTS_STATE") == NULL || getenv("SHAPEDEX_FAULTS_ROOT") == NULL) return;
  root = strdup(getenv("SHAPEDEX_FAULTS_ROOT"));
  stateFile = strdup(getenv("SHAPEDEX_FAULTS_STATE"));
  preload = strdup(getenv("LD_PRELOAD"));
  rootLength = strlen(root);
  int (*open64Of)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
  /* A reading process sees a file system that it cannot write: it maps what its host has open, which it inherits. */
  int descriptor = open64Of(stateFile, O_RDWR);
  if (descriptor >= 0 && descriptor != STATE_FILE) {
    dup2(descriptor, STATE_FILE);
    close(descriptor);
  }
  void *mapped = mmap(NULL, sizeof(struct state), PROT_READ | PROT_WRITE, MAP_SHARED, STATE_FILE, 0);
  if (mapped != MAP_FAILED) state = mapped;
}

static int below(const char *path) {
  if (state == NULL || path == NULL || strncmp(path, root, rootLength) != 0) return 0;
  return path[rootLength] == '/' || path[rootLength] == 0;
}

/* Pipes and sockets get numbers of files that were closed without a call of close() that this library sees. */
static int mine(int file) {
  if (state == NULL || file < 0 || file >= MOST_FILES || !ours[file]) return 0;
  struct stat about;
  return fstat(file, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
}

/* Counts a call; 1 if it must fail. */
static int fails(unsigned kind, const char *path) {
  if (!state->armed) return 0;
  unsigned number = 1 + atomic_fetch_add(&state->counts[kind], 1);
  if (kind != state->kind || number < state->at || number - state->at >= state->length) return 0;
  if (atomic_fetch_add(&state->failed, 1) == 0) {
    state->pid = getpid();
    strncpy(state->path, path, PATH_BYTES - 1);
  }
  errno = (int)state->error;
  return 1;
}

static int failsFile(unsigned kind, int file) {
  if (!state->armed) return 0;
  char link[32], path[PATH_BYTES] = "";
  if (kind == state->kind && !state->failed) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
  }
  return fails(kind, path);
}

#define REAL(name, type, ...) \
  static type (*real)(__VA_ARGS__); \
  if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    REAL(#name, int, const char *, int, ...); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = va_arg(more, mode_t); \
    va_end(more); \
    int own = below(path); \
    if (own && fails(OPEN, path)) return -1; \
    int file = real(path, flags, mode); \
    if (file >= 0 && file < MOST_FILES) ours[file] = (char)own; \
    return file; \
  }
OPENS(open)
OPENS(open64)

int close(int file) {
  REAL("close", int, int);
  if (file >= 0 && file < MOST_FILES) ours[file] = 0;
  return real(file);
}

#define READS(name, type, parameters, arguments, types) \
  type name parameters { \
    REAL(#name, type, types); \
    if (mine(file) && failsFile(READ, file)) return -1; \
    return real arguments; \
  }
#define THREE int, void *, size_t
#define FOUR int, void *, size_t, off64_t
READS(read, ssize_t, (int file, void *to, size_t size), (file, to, size), THREE)
READS(pread64, ssize_t, (int file, void *to, size_t size, off64_t at), (file, to, size, at), FOUR)

#define VECTORS int, const struct iovec *, int
#define VECTORS_AT int, const struct iovec *, int, off64_t
READS(readv, ssize_t, (int file, const struct iovec *to, int count), (file, to, count), VECTORS)
READS(preadv64, ssize_t, (int file, const struct iovec *to, int count, off64_t at), (file, to, count, at), VECTORS_AT)

#define WRITES(name, type, parameters, arguments, half, types) \
  type name parameters { \
    REAL(#name, type, types); \
    if (mine(file) && failsFile(WRITE, file)) { \
      int error = errno; \
      if (state->torn) (void)!half; \
      errno = error; \
      return -1; \
    } \
    return real arguments; \
  }
#define FROM int, const void *, size_t
#define FROM_AT int, const void *, size_t, off64_t
WRITES(write, ssize_t, (int file, const void *from, size_t size), (file, from, size), real(file, from, size / 2), FROM)
WRITES(pwrite64, ssize_t, (int file, const void *from, size_t size, off64_t at), (file, from, size, at),
       real(file, from, size / 2, at), FROM_AT)
WRITES(writev, ssize_t, (int file, const struct iovec *from, int count), (file, from, count),
       real(file, from, count / 2), VECTORS)
WRITES(pwritev64, ssize_t, (int file, const struct iovec *from, int count, off64_t at), (file, from, count, at),
       real(file, from, count / 2, at), VECTORS_AT)

#define ON_FILE(kind, name) \
  int name(int file) { \
    REAL(#name, int, int); \
    if (mine(file) && failsFile(kind, file)) return -1; \
    return real(file); \
  }
ON_FILE(SYNC, fsync)
ON_FILE(SYNC, fdatasync)

int ftruncate64(int file, off64_t length) {
  REAL("ftruncate64", int, int, off64_t);
  if (mine(file) && failsFile(TRUNCATE, file)) return -1;
  return real(file, length);
}

#define ON_PATH(kind, name) \
  int name(const char *path) { \
    REAL(#name, int, const char *); \
    if (below(path) && fails(kind, path)) return -1; \
    return real(path); \
  }
ON_PATH(UNLINK, unlink)
ON_PATH(UNLINK, rmdir)

int mkdir(const char *path, mode_t mode) {
  REAL("mkdir", int, const char *, mode_t);
  if (below(path) && fails(MKDIR, path)) return -1;
  return real(path, mode);
}

int rename(const char *from, const char *to) {
  REAL("rename", int, const char *, const char *);
  if (below(to) && fails(RENAME, to)) return -1;
  return real(from, to);
}

int link(const char *from, const char *to) {
  REAL("link", int, const char *, const char *);
  if (below(to) && fails(RENAME, to)) return -1;
  return real(from, to);
}

int scandir64(const char *path, struct dirent64 ***found, int (*keep)(const struct dirent64 *),
              int (*order)(const struct dirent64 **, const struct dirent64 **)) {
  REAL("scandir64", int, const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
       int (*)(const struct dirent64 **, const struct dirent64 **));
  if (below(path) && fails(LIST, path)) return -1;
  return real(path, found, keep, order);
}

DIR *opendir(const char *path) {
  REAL("opendir", DIR *, const char *);
  int own = below(path);
  if (own && fails(LIST, path)) return NULL;
  DIR *folder = real(path);
  /* The C library opens it by a call of its own. */
  if (folder != NULL && dirfd(folder) < MOST_FILES) ours[dirfd(folder)] = (char)own;
  return folder;
}

struct dirent64 *readdir64(DIR *folder) {
  REAL("readdir64", struct dirent64 *, DIR *);
  if (mine(dirfd(folder)) && failsFile(LIST, dirfd(folder))) return NULL;
  return real(folder);
}

/* The pool gives reading processes an environment of its own; this library goes with them. */
int execvp(const char *file, char *const arguments[]) {
  REAL("execvp", int, const char *, char *const[]);
  if (state != NULL) {
    setenv("LD_PRELOAD", preload, 1);
    setenv("SHAPEDEX_FAULTS_ROOT", root, 1);
    setenv("SHAPEDEX_FAULTS_STATE", stateFile, 1);
    setenv("UV_USE_IO_URING", "0", 1);
  }
  return real(file, arguments);
}
