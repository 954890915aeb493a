// Tries what a confined process must not be able to do, and sends the results to the test.
//
//   sandbox-probe confined|free FILE FOLDER
//
// Standard input is a socket. The message is a text: a line for each attempt, with its name and
// `done`, or the error number.
#define _GNU_SOURCE
#include "CSandbox.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char report[4096];
static size_t length;

static void note(const char *name, long result) {
  const int error = errno;
  length += (size_t)snprintf(
      report + length, sizeof report - length, result < 0 ? "%s %d\n" : "%s done\n", name, error);
}

static void *nothing(void *argument) { return argument; }

static long childOf(pid_t child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child;
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  const char *file = arguments[2];
  char made[1024];
  snprintf(made, sizeof made, "%s/made", arguments[3]);
  const int inherited = open(file, O_RDONLY);
  int parts = 0;
  if (strcmp(arguments[1], "confined") == 0) {
    parts = sandboxEnter((uint64_t)1 << 30);
    if (parts < 0) return 70;
  }
  length += (size_t)snprintf(report, sizeof report, "parts %d\n", parts);

  char byte;
  note("read a file that was open", read(inherited, &byte, 1));
  note("open the key", open(file, O_RDONLY));
  note("open the key by number", syscall(SYS_openat, AT_FDCWD, file, O_RDONLY));
  note("list a folder", open(arguments[3], O_RDONLY | O_DIRECTORY));
  note("open for writing", open(file, O_WRONLY | O_APPEND));
  note("create a file", open(made, O_CREAT | O_EXCL | O_WRONLY, 0600));
  note("rename a file", rename(made, strcat(strcpy(malloc(2048), made), "2")));
  note("make a folder", mkdir(made, 0700));
  note("change a mode", chmod(file, 0644));
  note("connect by IPv4", socket(AF_INET, SOCK_STREAM, 0));
  note("connect by IPv6", socket(AF_INET6, SOCK_DGRAM, 0));
  note("connect locally", socket(AF_UNIX, SOCK_STREAM, 0));
  int pair[2];
  note("connect sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  note("start a process", childOf(fork()));
  note("start a process by number", childOf((pid_t)syscall(SYS_clone, (long)SIGCHLD, 0UL, 0UL, 0UL, 0UL)));
  char *const nobody[] = {NULL};
  // Fails with ENOENT where it is allowed: nothing has this name.
  execve("/nothing-has-this-name", nobody, nobody);
  note("execute a program", errno == ENOENT ? 0 : -1);
  note("signal the parent", kill(getppid(), 0));
  // ESRCH where it is allowed.
  const long traced = ptrace(PTRACE_PEEKDATA, getppid(), NULL, NULL);
  note("look into the parent", traced == -1 && errno != ESRCH ? -1 : 0);
  struct iovec local = {&byte, 1}, remote = {&byte, 1};
  // An argument of syscall(2) that is narrower than a register has random bits on the stack.
  note("read memory", syscall(SYS_process_vm_readv, (long)getpid(), &local, 1UL, &remote, 1UL, 0UL));
  note("allow dumps", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
  void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  note("make code", code == MAP_FAILED ? -1 : 0);
  void *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  note("make data into code", mprotect(data, 4096, PROT_READ | PROT_EXEC));
  note("take much memory", malloc((size_t)2 << 30) == NULL ? -1 : 0);
  note("take some memory", malloc(64 << 20) == NULL ? -1 : 0);
  pthread_t thread;
  note("start a thread", pthread_create(&thread, NULL, nothing, NULL) == 0 ? 0 : -1);
  sandboxSend(0, report, length, -1);
  return 0;
}
#else
int main(void) { return 0; }
#endif
