// The confinement of a process that decodes files of strangers, and messages to it. Linux only.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The parts of a confinement that the system provides; see sandboxEnter.
enum {
  /// seccomp(2): a filter of system calls.
  SANDBOX_SECCOMP = 1,
  /// landlock(7): no access to files by path, and no connections.
  SANDBOX_LANDLOCK = 2,
};

/// Confines this process for good. It must have a single thread.
///
/// Closes all descriptors from 3 on. The process and its threads then cannot gain privileges, be
/// traced, dump core, write files, or open more than a few descriptors; its address space is
/// limited to `most_memory` bytes. With seccomp it can only compute, use memory, create threads,
/// read open files, and exchange messages by open sockets; any other system call fails.
///
/// Returns the parts of the enumeration above that the system provides, or -1 with the reason in
/// errno if a limit could not be set.
int sandboxEnter(uint64_t most_memory);

/// Starts a program as the leader of a process group of its own, with `socket` as its standard
/// input, /dev/null as its outputs, no blocked or ignored signals, no other descriptor that is
/// closed on exec, and no variable of the environment but that of the dynamic linker. `arguments`
/// begin with the name of the program and end with NULL.
///
/// Returns 0 and the identifier of the process, or the error.
int sandboxStart(
    const char *program, const char *const arguments[], int socket, pid_t *process);

/// Connects two stream sockets, which are closed on exec. Returns 0, or -1 and the reason in errno.
int sandboxConnect(int sockets[2]);

/// Sends bytes, and a descriptor with them unless it is negative. Returns the number of bytes sent,
/// or -1 with the reason in errno. Raises no signal.
ssize_t sandboxSend(int socket, const void *bytes, size_t count, int descriptor);

/// Receives at most `count` bytes. If `descriptor` is not NULL it receives a descriptor that came
/// with them, or -1; otherwise a descriptor is not accepted. Returns the number of bytes, 0 at the
/// end, or -1 with the reason in errno.
ssize_t sandboxReceive(int socket, void *bytes, size_t count, int *descriptor);

#endif
