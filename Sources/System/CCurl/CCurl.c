#include "CCurl.h"

#include "CLoading.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The parts of libcurl's interface used here. Its names and numbers are guaranteed not to change
// (curl/curl.h and curl/multi.h; libcurl-abi(3)).
typedef void CURL;
typedef void CURLM;
struct curl_slist;
struct curl_waitfd;
struct CURLMsg {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
};

enum {
  CURLE_OK = 0,
  CURLE_FAILED_INIT = 2,
  CURLE_OUT_OF_MEMORY = 27,
  CURLMSG_DONE = 1,
  CURL_GLOBAL_DEFAULT = 3,
  CURL_HTTP_VERSION_1_1 = 2,
  CURLPROTO_HTTP = 1,
  CURLPROTO_HTTPS = 2,

  CURLINFO_RESPONSE_CODE = 0x200000 + 2,
  CURLINFO_OS_ERRNO = 0x200000 + 25,

  CURLOPT_POST = 47,
  CURLOPT_FOLLOWLOCATION = 52,
  CURLOPT_HTTPGET = 80,
  CURLOPT_HTTP_VERSION = 84,
  CURLOPT_NOSIGNAL = 99,
  CURLOPT_TIMEOUT_MS = 155,
  CURLOPT_PROTOCOLS = 181,
  CURLOPT_PATH_AS_IS = 234,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
  CURLOPT_QUICK_EXIT = 322,
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_URL = 10002,
  CURLOPT_POSTFIELDS = 10015,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_CUSTOMREQUEST = 10036,
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  CURLOPT_POSTFIELDSIZE_LARGE = 30120,
};

static struct {
  int (*global_init)(long flags);
  CURL *(*easy_init)(void);
  int (*easy_setopt)(CURL *, int option, ...);
  int (*easy_getinfo)(CURL *, int information, ...);
  void (*easy_cleanup)(CURL *);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLM *(*multi_init)(void);
  int (*multi_add_handle)(CURLM *, CURL *);
  int (*multi_remove_handle)(CURLM *, CURL *);
  int (*multi_perform)(CURLM *, int *running);
  int (*multi_poll)(CURLM *, struct curl_waitfd *, unsigned count, int milliseconds, int *ready);
  int (*multi_wakeup)(CURLM *);
  struct CURLMsg *(*multi_info_read)(CURLM *, int *left);
  int (*multi_cleanup)(CURLM *);
} curl;

// The names of the library on Debian with each of its TLS libraries, and on macOS.
static const char *const library_names[] = {
    "libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"};

static char load_failure[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void) {
  static const struct LibraryFunction functions[] = {
      {"curl_global_init", &curl.global_init},
      {"curl_easy_init", &curl.easy_init},
      {"curl_easy_setopt", &curl.easy_setopt},
      {"curl_easy_getinfo", &curl.easy_getinfo},
      {"curl_easy_cleanup", &curl.easy_cleanup},
      {"curl_slist_append", &curl.slist_append},
      {"curl_slist_free_all", &curl.slist_free_all},
      {"curl_multi_init", &curl.multi_init},
      {"curl_multi_add_handle", &curl.multi_add_handle},
      {"curl_multi_remove_handle", &curl.multi_remove_handle},
      {"curl_multi_perform", &curl.multi_perform},
      {"curl_multi_poll", &curl.multi_poll},
      {"curl_multi_wakeup", &curl.multi_wakeup},
      {"curl_multi_info_read", &curl.multi_info_read},
      {"curl_multi_cleanup", &curl.multi_cleanup},
  };
  bool isLoaded = loadSystemFunctions(
      library_names, sizeof library_names / sizeof *library_names, functions,
      sizeof functions / sizeof *functions, load_failure, sizeof load_failure);
  if (!isLoaded) return;
  load_failure[0] = 0;
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) strcpy(load_failure, "it does not start");
}

const char *curlLoad(void) {
  pthread_once(&load_once, load);
  return load_failure[0] ? load_failure : NULL;
}

// A growing byte buffer with a size limit.
struct buffer {
  uint8_t *bytes;
  size_t length;
  size_t maximum;
};

static bool append(struct buffer *buffer, const char *bytes, size_t length) {
  if (length > buffer->maximum - buffer->length) return false;
  uint8_t *longer = realloc(buffer->bytes, buffer->length + length + 1);
  if (!longer) return false;
  memcpy(longer + buffer->length, bytes, length);
  buffer->bytes = longer;
  buffer->length += length;
  return true;
}

struct CurlTransfer {
  CURLM *multi;
  CURL *easy;
  struct curl_slist *headers;
  atomic_bool is_cancelled;
  struct buffer head;
  struct buffer body;
  // Set when the response is complete or exceeds a limit; libcurl is then stopped.
  bool has_ended;
  enum CurlOutcome end;
  long status;
};

struct CurlTransfer *curlTransferCreate(void) {
  if (curlLoad()) return NULL;
  struct CurlTransfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  atomic_init(&transfer->is_cancelled, false);
  transfer->multi = curl.multi_init();
  transfer->easy = curl.easy_init();
  if (!transfer->multi || !transfer->easy) {
    curlTransferFree(transfer);
    return NULL;
  }
  return transfer;
}

void curlTransferCancel(struct CurlTransfer *transfer) {
  atomic_store(&transfer->is_cancelled, true);
  curl.multi_wakeup(transfer->multi);
}

void curlTransferFree(struct CurlTransfer *transfer) {
  if (transfer->easy) curl.easy_cleanup(transfer->easy);
  if (transfer->multi) curl.multi_cleanup(transfer->multi);
  curl.slist_free_all(transfer->headers);
  free(transfer->head.bytes);
  free(transfer->body.bytes);
  free(transfer);
}

// The return value by which a callback stops libcurl: a length other than the given one.
static size_t stop(struct CurlTransfer *transfer, enum CurlOutcome outcome) {
  transfer->has_ended = true;
  transfer->end = outcome;
  return 0;
}

// Receives a header line; an empty one ends the headers (RFC 9112, section 2.1).
static size_t take_head(char *bytes, size_t size, size_t count, void *context) {
  struct CurlTransfer *transfer = context;
  size_t length = size * count;
  if (transfer->has_ended) return 0;
  if (!append(&transfer->head, bytes, length)) return stop(transfer, curlHeadTooLong);
  if (length > 2 || (bytes[0] != '\r' && bytes[0] != '\n')) return length;
  curl.easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &transfer->status);
  if (transfer->status >= 100 && transfer->status < 200) {
    // The lines of an interim response (RFC 9110, section 15.2) count toward the limit, but are
    // discarded.
    transfer->head.maximum -= transfer->head.length;
    transfer->head.length = 0;
    return length;
  }
  return transfer->body.maximum == 0 ? stop(transfer, curlAnswered) : length;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  struct CurlTransfer *transfer = context;
  size_t length = size * count;
  if (transfer->has_ended) return 0;
  return append(&transfer->body, bytes, length) ? length : stop(transfer, curlBodyTooLong);
}

static int add_headers(struct CurlTransfer *transfer, const char *lines) {
  for (const char *end; (end = strchr(lines, '\n')); lines = end + 1) {
    char *line = strndup(lines, (size_t)(end - lines));
    struct curl_slist *longer = line ? curl.slist_append(transfer->headers, line) : NULL;
    free(line);
    if (!longer) return CURLE_OUT_OF_MEMORY;
    transfer->headers = longer;
  }
  return CURLE_OK;
}

static int configure(struct CurlTransfer *transfer, const struct CurlRequest *request) {
  CURL *easy = transfer->easy;
  int code = add_headers(transfer, request->headers);
#define SET(option, value) \
  if (code == CURLE_OK) code = curl.easy_setopt(easy, option, value)
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_PATH_AS_IS, 1L);
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  SET(CURLOPT_TIMEOUT_MS, request->limitMilliseconds);
  if (strcmp(request->method, "GET") == 0) {
    SET(CURLOPT_HTTPGET, 1L);
  } else {
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)request->bodyLength);
    SET(CURLOPT_POSTFIELDS, request->bodyLength > 0 ? (const char *)request->body : "");
    SET(CURLOPT_CUSTOMREQUEST, request->method);
  }
  SET(CURLOPT_HTTPHEADER, transfer->headers);
  SET(CURLOPT_HEADERFUNCTION, take_head);
  SET(CURLOPT_HEADERDATA, transfer);
  SET(CURLOPT_WRITEFUNCTION, take_body);
  SET(CURLOPT_WRITEDATA, transfer);
#undef SET
  // Available since libcurl 7.87. Without it, freeing the handle waits for a pending host name
  // lookup.
  curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  return code;
}

// Runs the transfer until its end, and returns its CURLcode.
static int run(struct CurlTransfer *transfer) {
  if (curl.multi_add_handle(transfer->multi, transfer->easy) != 0) return CURLE_FAILED_INIT;
  int running = 1;
  while (!atomic_load(&transfer->is_cancelled)) {
    if (curl.multi_perform(transfer->multi, &running) != 0) return CURLE_FAILED_INIT;
    if (running == 0) break;
    if (curl.multi_poll(transfer->multi, NULL, 0, 1000, NULL) != 0) return CURLE_FAILED_INIT;
  }
  int left;
  const struct CURLMsg *message = curl.multi_info_read(transfer->multi, &left);
  return message && message->msg == CURLMSG_DONE ? message->data.result : CURLE_FAILED_INIT;
}

struct CurlAnswer curlTransferPerform(
    struct CurlTransfer *transfer, const struct CurlRequest *request) {
  transfer->head.maximum = request->maximumHeadLength;
  transfer->body.maximum = request->maximumBodyLength;
  // A TLS library may write to a connection that the peer has closed, which raises SIGPIPE. A
  // request must not change how the process handles that signal.
  sigset_t broken_pipe, earlier, pending;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &broken_pipe, &earlier);

  struct CurlAnswer answer = {.outcome = curlFailed};
  answer.code = configure(transfer, request);
  if (answer.code == CURLE_OK) {
    answer.code = run(transfer);
    long error = 0;
    curl.easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &error);
    if (!transfer->has_ended) {
      curl.easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &transfer->status);
    }
    answer.systemError = (int)error;
    curl.multi_remove_handle(transfer->multi, transfer->easy);
  }

  sigpending(&pending);
  if (!was_pending && sigismember(&pending, SIGPIPE) == 1) {
    int signal;
    sigwait(&broken_pipe, &signal);
  }
  pthread_sigmask(SIG_SETMASK, &earlier, NULL);

  if (transfer->has_ended) {
    answer.outcome = transfer->end;
    // The callbacks stopped the transfer, which libcurl reports as an error.
    answer.code = CURLE_OK;
  } else if (answer.code == CURLE_OK) {
    answer.outcome = curlAnswered;
  } else if (atomic_load(&transfer->is_cancelled)) {
    answer.outcome = curlCancelled;
  }
  answer.status = transfer->status;
  answer.head = transfer->head.bytes;
  answer.headLength = transfer->head.length;
  answer.body = transfer->body.bytes;
  answer.bodyLength = transfer->body.length;
  return answer;
}
