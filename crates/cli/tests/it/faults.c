/* Preloaded into a program: makes its calls for files fail now and then. NAVBAKE_FAULTS is a seed
 * and a number N: one call in N fails. What fails, and how, follows from the seed and the number of
 * the call. At its end the program adds a byte to the file NAVBAKE_FAULTS_COUNT for each fault;
 * a fault that kills it does so before. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t seed, rate;
static atomic_ulong calls;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("NAVBAKE_FAULTS");
    unsigned long long a = 0, b = 0;
    if (text && sscanf(text, "%llu:%llu", &a, &b) == 2) {
        seed = a;
        rate = b;
    }
}

static void count(void) {
    const char *name = getenv("NAVBAKE_FAULTS_COUNT");
    const int flags = O_WRONLY | O_CREAT | O_APPEND;
    long file = name ? syscall(SYS_openat, AT_FDCWD, name, flags, 0644) : -1;
    if (file < 0) return;
    syscall(SYS_write, file, "x", 1);
    syscall(SYS_close, file);
}

/* 0, or a random number above 0 where this call is to fail. */
static uint64_t fault(void) {
    uint64_t x;
    if (!rate) return 0;
    x = seed * 0x9E3779B97F4A7C15u + atomic_fetch_add(&calls, 1) * 0xD1B54A32D192ED03u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    x ^= x >> 31;
    if (x % rate) return 0;
    count();
    x = x / rate | 1;
    if (x % 16 == 1) raise(SIGKILL);
    return x;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL(code) return (errno = (code), -1)

ssize_t write(int file, const void *bytes, size_t length) {
    uint64_t x = file > 2 ? fault() : 0;
    if (x) {
        switch (x / 16 % 4) {
            case 0: FAIL(ENOSPC);
            case 1: FAIL(EIO);
            case 2: FAIL(EINTR);
            default: return REAL(write)(file, bytes, length / 2); /* short */
        }
    }
    return REAL(write)(file, bytes, length);
}

ssize_t read(int file, void *bytes, size_t length) {
    uint64_t x = file > 2 ? fault() : 0;
    if (x) {
        switch (x / 16 % 3) {
            case 0: FAIL(EIO);
            case 1: FAIL(EINTR);
            default: return REAL(read)(file, bytes, length > 1 ? length / 2 : length); /* short */
        }
    }
    return REAL(read)(file, bytes, length);
}

static int opened(const char *name, int flags, mode_t mode) {
    uint64_t x = fault();
    if (x) FAIL(flags & O_CREAT ? (x / 16 % 2 ? ENOSPC : EIO) : (x / 16 % 2 ? EMFILE : EIO));
    return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT ? (mode_t)va_arg(rest, int) : 0;
}

int open(const char *name, int flags, ...) {
    va_list rest;
    mode_t mode;
    va_start(rest, flags);
    mode = mode_of(flags, rest);
    va_end(rest);
    return opened(name, flags, mode);
}

int open64(const char *name, int flags, ...) {
    va_list rest;
    mode_t mode;
    va_start(rest, flags);
    mode = mode_of(flags, rest);
    va_end(rest);
    return opened(name, flags | O_LARGEFILE, mode);
}

int rename(const char *from, const char *to) {
    uint64_t x = fault();
    if (x) FAIL(x / 16 % 2 ? ENOSPC : EIO);
    return REAL(rename)(from, to);
}

int fsync(int file) {
    if (fault()) FAIL(EIO);
    return REAL(fsync)(file);
}

int mkdir(const char *name, mode_t mode) {
    if (fault()) FAIL(ENOSPC);
    return REAL(mkdir)(name, mode);
}

int unlink(const char *name) {
    if (fault()) FAIL(EIO);
    return REAL(unlink)(name);
}

int flock(int file, int operation) {
    uint64_t x = fault();
    if (x) FAIL(x / 16 % 2 ? EWOULDBLOCK : ENOLCK);
    return REAL(flock)(file, operation);
}
