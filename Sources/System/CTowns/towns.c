#include "CTowns.h"

// Clang takes #embed (C23, section 6.10.4) in every version of C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char towns[] = {
#embed "towns.bin"
};

const void *photospots_towns(void) { return towns; }

size_t photospots_towns_size(void) { return sizeof towns; }

static const unsigned char villages[] = {
#embed "villages.bin"
};

const void *photospots_villages(void) { return villages; }

size_t photospots_villages_size(void) { return sizeof villages; }

static const unsigned char other_names[] = {
#embed "other-names.bin"
};

const void *photospots_other_names(void) { return other_names; }

size_t photospots_other_names_size(void) { return sizeof other_names; }
