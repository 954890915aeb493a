// HTTP requests with libcurl, which is loaded when the first request is made.
//
// A program linked with libcurl loads some twenty shared libraries at every start, and needs
// libcurl's headers to be built. The few functions and constants used here have not changed since
// libcurl 7.68; they are declared in CCurl.c.
#ifndef PHOTOSPOTS_CCURL_H
#define PHOTOSPOTS_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A request, and the limits of its response. It is read until `curlTransferPerform` returns.
struct CurlRequest {
  /// The URL, which begins with http:// or https:// and has no user name or password.
  const char *url;
  /// The method. Any method other than GET sends the body.
  const char *method;
  /// The headers in the format of CURLOPT_HTTPHEADER(3), each followed by a line feed.
  const char *headers;
  const uint8_t *body;
  size_t bodyLength;
  /// The timeout, from the host name lookup to the end of the response; at least 1.
  long limitMilliseconds;
  /// The maximum size in bytes of status lines and headers, including those of interim responses.
  size_t maximumHeadLength;
  /// The maximum size in bytes of the response body. With 0 the transfer ends after the headers.
  size_t maximumBodyLength;
};

/// The outcome of a transfer.
enum CurlOutcome {
  /// A response was received.
  curlAnswered,
  /// No response was received; `code` gives the reason.
  curlFailed,
  /// `curlTransferCancel` was called.
  curlCancelled,
  /// The response headers exceeded their limit.
  curlHeadTooLong,
  /// The response body exceeded its limit.
  curlBodyTooLong,
};

/// The result of a transfer. The bytes are owned by the transfer.
struct CurlAnswer {
  enum CurlOutcome outcome;
  /// A CURLcode (curl/curl.h); 0 if there is a response.
  int code;
  /// The `errno` of a failed connection; 0 if unknown.
  int systemError;
  /// The status code, 0 to 999.
  long status;
  /// The status line and the headers as received.
  const uint8_t *head;
  size_t headLength;
  const uint8_t *body;
  size_t bodyLength;
};

/// A request that is in progress or has ended.
struct CurlTransfer;

/// Loads libcurl, once.
///
/// Returns NULL on success, or else the reason why it cannot be loaded. Thread-safe.
const char *curlLoad(void);

/// Creates a transfer. Returns NULL if libcurl cannot be loaded or memory cannot be allocated.
struct CurlTransfer *curlTransferCreate(void);

/// Sends a request and waits for the response. Must be called only once for each transfer.
///
/// Redirects are not followed. Proxies are taken from the environment, and certificates from the
/// system. It raises no signals in the process.
struct CurlAnswer curlTransferPerform(
    struct CurlTransfer *transfer, const struct CurlRequest *request);

/// Cancels a transfer that is in progress or has not started. Any thread may call it while the
/// transfer exists.
void curlTransferCancel(struct CurlTransfer *transfer);

/// Frees a transfer. If a host name lookup is in progress, this may take until the lookup ends.
void curlTransferFree(struct CurlTransfer *transfer);

#endif
