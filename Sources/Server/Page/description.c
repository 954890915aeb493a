#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char description[] = {
#embed "../SpotService/openapi.json"
};

const void *photospots_api_description(void) { return description; }

size_t photospots_api_description_size(void) { return sizeof description; }
