// HTTP requests by libcurl, which is opened when the first one is made.
//
// A program that links libcurl has some twenty shared libraries loaded at every start, and needs
// its headers to be built. The few functions and numbers used here have not changed since libcurl
// 7.68; they are declared in CCurl.c.
#ifndef PHOTOSPOTS_CCURL_H
#define PHOTOSPOTS_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A request, and the limits of its answer. It is read until `curlTransferPerform` returns.
struct CurlRequest {
  /// The address, which begins with http:// or https://, without user and password.
  const char *url;
  /// GET, or another method, which sends the body.
  const char *method;
  /// The headers as libcurl takes them (CURLOPT_HTTPHEADER(3)), each followed by a line feed.
  const char *headers;
  const uint8_t *body;
  size_t bodyLength;
  /// How long it may take, from the look-up of the host to the end of the answer; at least 1.
  long limitMilliseconds;
  /// The most bytes of status lines and headers that are taken, of interim answers as well.
  size_t maximumHeadLength;
  /// The most bytes of the answer's body that are taken. With 0 the answer ends with its headers.
  size_t maximumBodyLength;
};

/// How a transfer ended.
enum CurlOutcome {
  /// There is an answer.
  curlAnswered,
  /// There is none; `code` tells why.
  curlFailed,
  /// `curlTransferCancel` was called.
  curlCancelled,
  /// The answer's headers were longer than their limit.
  curlHeadTooLong,
  /// The answer's body was longer than its limit.
  curlBodyTooLong,
};

/// The end of a transfer. The bytes belong to the transfer.
struct CurlAnswer {
  enum CurlOutcome outcome;
  /// A CURLcode (curl/curl.h); 0 where there is an answer.
  int code;
  /// The `errno` of a connection that failed; 0 where it is not known.
  int systemError;
  /// The number in the status line; any from 0 to 999.
  long status;
  /// The status line and the headers as they came.
  const uint8_t *head;
  size_t headLength;
  const uint8_t *body;
  size_t bodyLength;
};

/// A request that is under way, or over.
struct CurlTransfer;

/// Opens libcurl, once.
///
/// Returns NULL when it is open, else why it cannot be. Any thread may call it.
const char *curlLoad(void);

/// Creates a transfer; NULL where libcurl cannot be opened or memory is short.
struct CurlTransfer *curlTransferCreate(void);

/// Sends a request and waits for its answer. To be called once for each transfer.
///
/// No redirect is followed, and proxies and certificates are those of the environment and the
/// system. The process gets no signal from it.
struct CurlAnswer curlTransferPerform(
    struct CurlTransfer *transfer, const struct CurlRequest *request);

/// Ends a transfer soon, or keeps it from beginning. Any thread may call it while the transfer
/// exists.
void curlTransferCancel(struct CurlTransfer *transfer);

/// Frees a transfer. Where its host is still being looked up that may take as long as the look-up.
void curlTransferFree(struct CurlTransfer *transfer);

#endif
