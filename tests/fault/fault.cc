// Preloaded into a tool, this makes a chosen call of it fail, for run.sh.  Environment:
//
//   OA_FAULT=CALL:K:ERROR   the K-th CALL that the tool makes fails; K+: and all later
//   OA_FAULT_FIRED=FILE     is made when it does
//   OA_FAULT_COUNT=FILE     how many calls of each kind there were, and the most memory
//                           that was used, written at exit
//   OA_FAULT_LIMIT_S=S      a tool that has not ended by then dies by SIGALRM; 20, and
//                           0 for no limit
//
// ERROR is the name of an errno, or "short" for reads and writes that do one byte (the
// first) or a few (later ones), or "jump" for the clock: the time of day goes back by
// twenty years, the time since the machine began goes on by ten days.  EINTR never
// fails two calls in a row: that would be a signal for every retry.  Calls are counted
// from the beginning of main(): earlier calls are not the tool's.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <type_traits>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum Call {
  Read,
  Write,
  Open,
  Close,
  Fsync,
  Rename,
  Malloc,
  Stat,
  Folder,
  Thread,
  Clock,
  Other,
  Calls
};

struct Name {
  const char* text;
  int value;
};
constexpr const char* kCalls[Calls] = {"read",
                                       "write",
                                       "open",
                                       "close",
                                       "fsync",
                                       "rename",
                                       "malloc",
                                       "stat",
                                       "folder",
                                       "thread",
                                       "clock",
                                       "other"};
constexpr int kShort = -1;
constexpr int kJump = -2;
constexpr time_t kTwentyYears = 20L * 365 * 86400;
constexpr time_t kTenDays = 10L * 86400;
constexpr Name kErrors[] = {{"EIO", EIO},
                            {"ENOSPC", ENOSPC},
                            {"EINTR", EINTR},
                            {"ENOMEM", ENOMEM},
                            {"EMFILE", EMFILE},
                            {"EACCES", EACCES},
                            {"EAGAIN", EAGAIN},
                            {"EDQUOT", EDQUOT},
                            {"short", kShort},
                            {"jump", kJump}};

struct {
  int call = Calls;
  long k = 0;
  bool later = false;
  int error = 0;
} fault;

std::atomic<bool> active = false;
std::array<std::atomic<long>, Calls> counts{};

/// The fault of this call: 0, an errno or kShort.
int strike(Call call) {
  if (!active) {
    return 0;
  }
  const long k = ++counts[call];
  if (call != fault.call || k < fault.k || (k > fault.k && !fault.later) ||
      (fault.error == EINTR && (k - fault.k) % 2 != 0)) {
    return 0;
  }
  if (const char* fired = std::getenv("OA_FAULT_FIRED"); fired != nullptr) {
    const long fd = ::syscall(SYS_openat, AT_FDCWD, fired, O_WRONLY | O_CREAT, 0666);
    ::syscall(SYS_close, fd);
  }
  return fault.error;
}

void parse(const char* text) {
  const char* k = std::strchr(text, ':');
  char* error = nullptr;
  for (int i = 0; k != nullptr && i < Calls; ++i) {
    if (std::strncmp(kCalls[i], text, static_cast<std::size_t>(k - text)) == 0) {
      fault.call = i;
      fault.k = std::strtol(k + 1, &error, 10);
    }
  }
  if (error != nullptr && *error == '+') {
    fault.later = true;
    ++error;
  }
  for (const Name& name : kErrors) {
    if (error != nullptr && std::strcmp(name.text, error + 1) == 0) {
      fault.error = name.value;
      return;
    }
  }
  std::fprintf(stderr, "OA_FAULT=%s: not CALL:K:ERROR\n", text);
  std::_Exit(99);
}

void write_counts() {
  active = false;
  if (const char* path = std::getenv("OA_FAULT_COUNT"); path != nullptr) {
    std::FILE* file = std::fopen(path, "w");
    for (int i = 0; i < Calls; ++i) {
      std::fprintf(file, "%s %ld\n", kCalls[i], counts[i].load());
    }
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    std::fprintf(file, "peak_kb %ld\n", used.ru_maxrss);
    std::fclose(file);
  }
}

/// The function of this name that this library replaces.
template <class F>
F* next(F* /*ours*/, const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

template <class Result>
Result failed(int error, Result result) {
  errno = error;
  return result;
}

std::size_t few(Call call, std::size_t n) {
  const std::size_t some = counts[call] == fault.k ? 1 : 1 + counts[call] % 13;
  return n < some ? n : some;
}

using Main = int(int, char**, char**);
Main* tool_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  if (const char* text = std::getenv("OA_FAULT"); text != nullptr) {
    parse(text);
  }
  std::atexit(write_counts);
  const char* limit = std::getenv("OA_FAULT_LIMIT_S");
  ::alarm(limit == nullptr ? 20 : static_cast<unsigned>(std::atoi(limit)));
  active = true;
  return tool_main(argc, argv, environment);
}

}  // namespace

// NOLINTBEGIN: these have the names and types of the C library.
#define NEXT(name) static auto* const real = next(name, #name)
#define FAIL(call, result)                          \
  if (const int error = strike(call); error != 0) { \
    return failed(error, result);                   \
  }

// Functions that fail with a null pointer or -1.
template <class Result>
constexpr Result failure() {
  if constexpr (std::is_pointer_v<Result>) {
    return nullptr;
  } else {
    return -1;
  }
}
#define CALL(kind, result, name, parameters, arguments) \
  result name parameters {                              \
    NEXT(name);                                         \
    FAIL(kind, failure<result>())                       \
    return real arguments;                              \
  }

extern "C" {

int __libc_start_main(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);

int __libc_start_main(Main* main,
                      int argc,
                      char** argv,
                      void (*init)(),
                      void (*fini)(),
                      void (*end)(),
                      void* stack) {
  NEXT(__libc_start_main);
  tool_main = main;
  return real(counted_main, argc, argv, init, fini, end, stack);
}

ssize_t read(int fd, void* to, size_t n) {
  NEXT(read);
  const int error = strike(Read);
  if (error > 0) {
    return failed<ssize_t>(error, -1);
  }
  return real(fd, to, error == kShort ? few(Read, n) : n);
}

ssize_t write(int fd, const void* from, size_t n) {
  NEXT(write);
  if (fd == STDERR_FILENO) {  // messages must stay visible
    return real(fd, from, n);
  }
  const int error = strike(Write);
  if (error > 0) {
    return failed<ssize_t>(error, -1);
  }
  return real(fd, from, error == kShort ? few(Write, n) : n);
}

ssize_t writev(int fd, const iovec* from, int n) {
  NEXT(writev);
  if (fd != STDERR_FILENO) {
    FAIL(Write, ssize_t{-1})
  }
  return real(fd, from, n);
}

// `mode` of a call that may make a file; others do not pass it.
#define MODE                                                        \
  mode_t mode = 0;                                                  \
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    mode = va_arg(rest, mode_t);                                    \
    va_end(rest);                                                   \
  }

int open(const char* path, int flags, ...) {
  NEXT(open);
  FAIL(Open, -1)
  MODE return real(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  NEXT(open64);
  FAIL(Open, -1)
  MODE return real(path, flags, mode);
}

int openat(int at, const char* path, int flags, ...) {
  NEXT(openat);
  FAIL(Open, -1)
  MODE return real(at, path, flags, mode);
}

// Fortified callers use these.
int __open_2(const char*, int);
int __open64_2(const char*, int);
ssize_t __read_chk(int, void*, size_t, size_t);

int __open_2(const char* path, int flags) {
  return open(path, flags);
}

int __open64_2(const char* path, int flags) {
  return open64(path, flags);
}

ssize_t __read_chk(int fd, void* to, size_t n, size_t /*room*/) {
  return read(fd, to, n);
}

CALL(Open, int, mkostemp, (char* path, int flags), (path, flags))
CALL(Open, int, mkostemp64, (char* path, int flags), (path, flags))
CALL(Open, FILE*, fopen, (const char* path, const char* mode), (path, mode))
CALL(Open, FILE*, fopen64, (const char* path, const char* mode), (path, mode))
CALL(Folder, DIR*, opendir, (const char* path), (path))
CALL(Folder, DIR*, fdopendir, (int fd), (fd))
CALL(Folder, dirent*, readdir, (DIR * dir), (dir))
CALL(Folder, dirent64*, readdir64, (DIR * dir), (dir))
CALL(Fsync, int, fsync, (int fd), (fd))
CALL(Rename, int, rename, (const char* from, const char* to), (from, to))
CALL(Stat, int, stat, (const char* path, struct stat* to), (path, to))
CALL(Stat, int, fstat, (int fd, struct stat* to), (fd, to))
CALL(Stat, int, lstat, (const char* path, struct stat* to), (path, to))
CALL(Stat,
     int,
     fstatat,
     (int at, const char* path, struct stat* to, int flags),
     (at, path, to, flags))
CALL(Other, int, dup, (int fd), (fd))
CALL(Other, int, pipe2, (int* ends, int flags), (ends, flags))
CALL(Other, int, mkdir, (const char* path, mode_t mode), (path, mode))
CALL(Other, int, poll, (pollfd * on, nfds_t n, int timeout), (on, n, timeout))

int close(int fd) {
  NEXT(close);
  const int error = strike(Close);
  const int result = real(fd);  // Linux closes a file also when it reports an error
  return error > 0 ? failed(error, -1) : result;
}

int pthread_create(pthread_t* thread,
                   const pthread_attr_t* how,
                   void* (*job)(void*),
                   void* argument) {
  NEXT(pthread_create);
  if (const int error = strike(Thread); error != 0) {
    return error;
  }
  return real(thread, how, job, argument);
}

int clock_gettime(clockid_t clock, timespec* now) {
  NEXT(clock_gettime);
  const bool jump = strike(Clock) != 0;
  const int result = real(clock, now);
  if (jump) {
    now->tv_sec += clock == CLOCK_REALTIME    ? -kTwentyYears
                   : clock == CLOCK_MONOTONIC ? kTenDays
                                              : 0;
  }
  return result;
}

int gettimeofday(timeval* now, void* zone) {
  NEXT(gettimeofday);
  const bool jump = strike(Clock) != 0;
  const int result = real(now, zone);
  now->tv_sec -= jump ? kTwentyYears : 0;
  return result;
}

time_t time(time_t* to) {
  NEXT(time);
  const time_t now = real(nullptr) - (strike(Clock) != 0 ? kTwentyYears : 0);
  if (to != nullptr) {
    *to = now;
  }
  return now;
}

// dlsym() allocates, so these ask the C library by its own names.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t n) {
  FAIL(Malloc, static_cast<void*>(nullptr))
  return __libc_malloc(n);
}

void* calloc(size_t n, size_t size) {
  FAIL(Malloc, static_cast<void*>(nullptr))
  return __libc_calloc(n, size);
}

void* realloc(void* old, size_t n) {
  FAIL(Malloc, static_cast<void*>(nullptr))
  return __libc_realloc(old, n);
}

void* memalign(size_t alignment, size_t n) {
  FAIL(Malloc, static_cast<void*>(nullptr))
  return __libc_memalign(alignment, n);
}

void* aligned_alloc(size_t alignment, size_t n) {
  FAIL(Malloc, static_cast<void*>(nullptr))
  return __libc_memalign(alignment, n);
}

int posix_memalign(void** to, size_t alignment, size_t n) {
  if (strike(Malloc) != 0) {
    return ENOMEM;
  }
  *to = __libc_memalign(alignment, n);
  return *to != nullptr ? 0 : ENOMEM;
}

}  // extern "C"
// NOLINTEND
