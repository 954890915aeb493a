#pragma once
#include <stdint.h>

/// How often this thread has asked for memory since it began; UINT64_MAX where that is not counted:
/// beside a sanitizer, or a C library other than glibc.
uint64_t allocation_count(void);
