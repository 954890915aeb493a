#define _GNU_SOURCE
#include "CSandbox.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Constants of linux/seccomp.h, linux/filter.h, linux/bpf_common.h, linux/audit.h and
// linux/landlock.h, which older systems lack in part.
enum {
  seccompSetFilter = 1,
  seccompAllThreads = 1,
  retAllow = 0x7fff0000,
  retError = 0x00050000,
  loadWord = 0x20,    // BPF_LD | BPF_W | BPF_ABS
  jumpEqual = 0x15,   // BPF_JMP | BPF_JEQ | BPF_K
  jumpAnyBit = 0x45,  // BPF_JMP | BPF_JSET | BPF_K
  giveBack = 0x06,    // BPF_RET | BPF_K
};
#if defined(__x86_64__)
#define ARCHITECTURE 0xC000003Eu  // AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE 0xC00000B7u  // AUDIT_ARCH_AARCH64
#endif

// The same on all architectures.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif

struct instruction {
  uint16_t code;
  uint8_t if_true;
  uint8_t if_false;
  uint32_t value;
};

struct program {
  unsigned short length;
  const struct instruction *instructions;
};

struct filter {
  unsigned short length;
  struct instruction instructions[256];
};

#if defined(ARCHITECTURE)

static void append(struct filter *filter, uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
  filter->instructions[filter->length++] = (struct instruction){code, yes, no, value};
}

static void load(struct filter *filter, unsigned offset) {
  append(filter, loadWord, 0, 0, offset);
}

// The offset of the lower half of an argument in struct seccomp_data (little-endian).
static unsigned argument(unsigned number) { return 16 + 8 * number; }

// Adds: if the call is `number`, the verdict is `verdict`.
static void decide(struct filter *filter, long number, uint32_t verdict) {
  append(filter, jumpEqual, 0, 1, (uint32_t)number);
  append(filter, giveBack, 0, 0, verdict);
}

// Adds: if the call is `number`, it is allowed if the lower half of an argument passes a test, else
// it fails with EPERM.
static void decideBy(
    struct filter *filter, long number, unsigned place, uint16_t test, uint32_t value,
    bool is_allowed) {
  append(filter, jumpEqual, 0, 4, (uint32_t)number);
  load(filter, argument(place));
  append(filter, test, is_allowed ? 1 : 0, is_allowed ? 0 : 1, value);
  append(filter, giveBack, 0, 0, retError | EPERM);
  append(filter, giveBack, 0, 0, retAllow);
}

// The calls that decoders and the C library need, whatever their arguments. None opens, creates,
// names or changes a file, connects, or reaches another process.
static const long allowedCalls[] = {
    SYS_read, SYS_pread64, SYS_readv, SYS_lseek, SYS_fstat, SYS_fadvise64, SYS_close,
    SYS_recvmsg, SYS_sendmsg,
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_getpid, SYS_gettid, SYS_sysinfo, SYS_uname,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_setitimer,
#if defined(SYS_alarm)
    SYS_alarm,
#endif
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_getrandom, SYS_restart_syscall, SYS_exit, SYS_exit_group,
};

static void build(struct filter *filter) {
  filter->length = 0;
  load(filter, 4);
  append(filter, jumpEqual, 1, 0, ARCHITECTURE);
  append(filter, giveBack, 0, 0, retError | EPERM);
  load(filter, 0);
  for (size_t at = 0; at < sizeof allowedCalls / sizeof *allowedCalls; at++) {
    decide(filter, allowedCalls[at], retAllow);
  }
  // The C library then uses clone, the arguments of which can be examined.
  decide(filter, SYS_clone3, retError | ENOSYS);
  // Threads, but no processes.
  decideBy(filter, SYS_clone, 0, jumpAnyBit, 0x00010000 /* CLONE_THREAD */, true);
  // No memory becomes code.
  decideBy(filter, SYS_mmap, 2, jumpAnyBit, 4 /* PROT_EXEC */, false);
  decideBy(filter, SYS_mprotect, 2, jumpAnyBit, 4, false);
  // fstat() of newer C libraries.
  decideBy(filter, SYS_newfstatat, 3, jumpEqual, 0x1000 /* AT_EMPTY_PATH */, true);
  decideBy(filter, SYS_prctl, 0, jumpEqual, PR_SET_NAME, true);
  // abort().
  decideBy(filter, SYS_tgkill, 0, jumpEqual, (uint32_t)getpid(), true);
  append(filter, giveBack, 0, 0, retError | EPERM);
}
#endif

static bool filterCalls(void) {
#if defined(ARCHITECTURE)
  struct filter filter;
  build(&filter);
  const struct program program = {filter.length, filter.instructions};
  if (syscall(SYS_seccomp, seccompSetFilter, seccompAllThreads, &program) == 0) return true;
#endif
  return false;
}

// Denies all access that the kernel's version of Landlock knows, without an exception.
static bool denyFiles(void) {
  struct {
    uint64_t files;
    uint64_t connections;
    uint64_t scopes;
  } handled = {0};
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
  if (version < 1) return false;
  // LANDLOCK_ACCESS_FS_…: 13 in version 1; then REFER, TRUNCATE and, in version 5, IOCTL_DEV.
  const int rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  handled.files = ((uint64_t)1 << rights) - 1;
  if (version >= 4) handled.connections = 3;  // BIND_TCP, CONNECT_TCP
  if (version >= 6) handled.scopes = 3;       // abstract sockets, signals
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
  if (rules < 0) return false;
  const bool is_denied = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return is_denied;
}

static int limit(int resource, rlim_t most) {
  struct rlimit current;
  if (getrlimit(resource, &current) != 0) return -1;
  if (current.rlim_max < most) most = current.rlim_max;
  const struct rlimit limit = {most, most};
  return setrlimit(resource, &limit);
}

static void closeOthers(void) {
  if (syscall(SYS_close_range, 3, ~0U, 0) == 0) return;
  struct rlimit descriptors;
  if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0) descriptors.rlim_cur = 1 << 16;
  for (rlim_t at = 3; at < descriptors.rlim_cur && at < 1 << 20; at++) close((int)at);
}

// Whether a sanitizer reserves an address space of many TiB.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RESERVES_MEMORY 1
#endif
#endif

int sandboxEnter(uint64_t most_memory) {
  closeOthers();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
  if (limit(RLIMIT_FSIZE, 0) != 0 || limit(RLIMIT_CORE, 0) != 0) return -1;
  if (limit(RLIMIT_NOFILE, 16) != 0) return -1;
#if !defined(RESERVES_MEMORY)
  if (limit(RLIMIT_AS, (rlim_t)most_memory) != 0) return -1;
#endif
  int parts = 0;
  if (denyFiles()) parts |= SANDBOX_LANDLOCK;
  if (filterCalls()) parts |= SANDBOX_SECCOMP;
  return parts;
}

// Returns the variable with the dynamic linker's path, which the caller frees; NULL if it is unset.
static char *libraryPath(void) {
  static const char name[] = "LD_LIBRARY_PATH=";
  const char *value = getenv("LD_LIBRARY_PATH");
  if (value == NULL) return NULL;
  char *variable = malloc(sizeof name + strlen(value));
  if (variable != NULL) strcat(strcpy(variable, name), value);
  return variable;
}

int sandboxStart(
    const char *program, const char *const arguments[], int socket, pid_t *process) {
  // A process that crashes ends at once, without a report.
  char quietly[] = "SWIFT_BACKTRACE=enable=no";
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  posix_spawn_file_actions_adddup2(&actions, socket, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *path = libraryPath();
  char *const environment[] = {quietly, path, NULL};
  error = posix_spawn(
      process, program, &actions, &attributes, (char *const *)arguments, environment);
  free(path);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int sandboxConnect(int sockets[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets);
}

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

ssize_t sandboxSend(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {(void *)bytes, count};
  union control control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t sandboxReceive(int socket, void *bytes, size_t count, int *descriptor) {
  struct iovec part = {bytes, count};
  union control control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor != NULL) {
    *descriptor = -1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
  }
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0 || descriptor == NULL) return received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof *descriptor)) {
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  }
  return received;
}

#endif
