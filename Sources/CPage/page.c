// Written by make-table.py.
#include "CPage.h"

// Clang takes #embed (C23, section 6.10.4) in every version of C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "files/alerts.js"
};

static const unsigned char file_1[] = {
#embed "files/api.js"
};

static const unsigned char file_2[] = {
#embed "files/app.js"
};

static const unsigned char file_3[] = {
#embed "files/app.webmanifest"
};

static const unsigned char file_4[] = {
#embed "files/dom.js"
};

static const unsigned char file_5[] = {
#embed "files/events.js"
};

static const unsigned char file_6[] = {
#embed "files/geodesy.js"
};

static const unsigned char file_7[] = {
#embed "files/icon-192.png"
};

static const unsigned char file_8[] = {
#embed "files/icon-512.png"
};

static const unsigned char file_9[] = {
#embed "files/icon.svg"
};

static const unsigned char file_10[] = {
#embed "files/icons.svg"
};

static const unsigned char file_11[] = {
#embed "files/index.html"
};

static const unsigned char file_12[] = {
#embed "files/map/directions.js"
};

static const unsigned char file_13[] = {
#embed "files/map/drawing.js"
};

static const unsigned char file_14[] = {
#embed "files/map/gestures.js"
};

static const unsigned char file_15[] = {
#embed "files/map/me.js"
};

static const unsigned char file_16[] = {
#embed "files/map/mercator.js"
};

static const unsigned char file_17[] = {
#embed "files/map/outlines.js"
};

static const unsigned char file_18[] = {
#embed "files/map/palettes.js"
};

static const unsigned char file_19[] = {
#embed "files/map/photomap.js"
};

static const unsigned char file_20[] = {
#embed "files/map/pins.js"
};

static const unsigned char file_21[] = {
#embed "files/map/scale.js"
};

static const unsigned char file_22[] = {
#embed "files/map/tiles.js"
};

static const unsigned char file_23[] = {
#embed "files/map/world.js"
};

static const unsigned char file_24[] = {
#embed "files/map/years.js"
};

static const unsigned char file_25[] = {
#embed "files/no-picture.svg"
};

static const unsigned char file_26[] = {
#embed "files/panel/panel.js"
};

static const unsigned char file_27[] = {
#embed "files/panel/search.js"
};

static const unsigned char file_28[] = {
#embed "files/panel/sheet.js"
};

static const unsigned char file_29[] = {
#embed "files/panel/tabs.js"
};

static const unsigned char file_30[] = {
#embed "files/panel/theme.js"
};

static const unsigned char file_31[] = {
#embed "files/panel/toasts.js"
};

static const unsigned char file_32[] = {
#embed "files/router.js"
};

static const unsigned char file_33[] = {
#embed "files/store.js"
};

static const unsigned char file_34[] = {
#embed "files/styles/base.css"
};

static const unsigned char file_35[] = {
#embed "files/styles/map.css"
};

static const unsigned char file_36[] = {
#embed "files/styles/panel.css"
};

static const unsigned char file_37[] = {
#embed "files/styles/photo.css"
};

static const unsigned char file_38[] = {
#embed "files/styles/views.css"
};

static const unsigned char file_39[] = {
#embed "files/views/alerts.js"
};

static const unsigned char file_40[] = {
#embed "files/views/cluster.js"
};

static const unsigned char file_41[] = {
#embed "files/views/fields.js"
};

static const unsigned char file_42[] = {
#embed "files/views/key.js"
};

static const unsigned char file_43[] = {
#embed "files/views/later.js"
};

static const unsigned char file_44[] = {
#embed "files/views/nearby.js"
};

static const unsigned char file_45[] = {
#embed "files/views/parts.js"
};

static const unsigned char file_46[] = {
#embed "files/views/photo.js"
};

static const unsigned char file_47[] = {
#embed "files/views/replay.js"
};

static const unsigned char file_48[] = {
#embed "files/views/settings.js"
};

static const unsigned char file_49[] = {
#embed "files/views/spot.js"
};

static const unsigned char file_50[] = {
#embed "files/words/en.js"
};

static const unsigned char file_51[] = {
#embed "files/words/es.js"
};

static const unsigned char file_52[] = {
#embed "files/words/speech.js"
};

static const unsigned char file_53[] = {
#embed "files/words/words.js"
};

static const unsigned char file_54[] = {
#embed "files/world-110.bin"
};

static const unsigned char file_55[] = {
#embed "files/world-50.bin"
};

static const struct photospots_page_file files[] = {
  {"alerts.js", file_0, sizeof file_0},
  {"api.js", file_1, sizeof file_1},
  {"app.js", file_2, sizeof file_2},
  {"app.webmanifest", file_3, sizeof file_3},
  {"dom.js", file_4, sizeof file_4},
  {"events.js", file_5, sizeof file_5},
  {"geodesy.js", file_6, sizeof file_6},
  {"icon-192.png", file_7, sizeof file_7},
  {"icon-512.png", file_8, sizeof file_8},
  {"icon.svg", file_9, sizeof file_9},
  {"icons.svg", file_10, sizeof file_10},
  {"index.html", file_11, sizeof file_11},
  {"map/directions.js", file_12, sizeof file_12},
  {"map/drawing.js", file_13, sizeof file_13},
  {"map/gestures.js", file_14, sizeof file_14},
  {"map/me.js", file_15, sizeof file_15},
  {"map/mercator.js", file_16, sizeof file_16},
  {"map/outlines.js", file_17, sizeof file_17},
  {"map/palettes.js", file_18, sizeof file_18},
  {"map/photomap.js", file_19, sizeof file_19},
  {"map/pins.js", file_20, sizeof file_20},
  {"map/scale.js", file_21, sizeof file_21},
  {"map/tiles.js", file_22, sizeof file_22},
  {"map/world.js", file_23, sizeof file_23},
  {"map/years.js", file_24, sizeof file_24},
  {"no-picture.svg", file_25, sizeof file_25},
  {"panel/panel.js", file_26, sizeof file_26},
  {"panel/search.js", file_27, sizeof file_27},
  {"panel/sheet.js", file_28, sizeof file_28},
  {"panel/tabs.js", file_29, sizeof file_29},
  {"panel/theme.js", file_30, sizeof file_30},
  {"panel/toasts.js", file_31, sizeof file_31},
  {"router.js", file_32, sizeof file_32},
  {"store.js", file_33, sizeof file_33},
  {"styles/base.css", file_34, sizeof file_34},
  {"styles/map.css", file_35, sizeof file_35},
  {"styles/panel.css", file_36, sizeof file_36},
  {"styles/photo.css", file_37, sizeof file_37},
  {"styles/views.css", file_38, sizeof file_38},
  {"views/alerts.js", file_39, sizeof file_39},
  {"views/cluster.js", file_40, sizeof file_40},
  {"views/fields.js", file_41, sizeof file_41},
  {"views/key.js", file_42, sizeof file_42},
  {"views/later.js", file_43, sizeof file_43},
  {"views/nearby.js", file_44, sizeof file_44},
  {"views/parts.js", file_45, sizeof file_45},
  {"views/photo.js", file_46, sizeof file_46},
  {"views/replay.js", file_47, sizeof file_47},
  {"views/settings.js", file_48, sizeof file_48},
  {"views/spot.js", file_49, sizeof file_49},
  {"words/en.js", file_50, sizeof file_50},
  {"words/es.js", file_51, sizeof file_51},
  {"words/speech.js", file_52, sizeof file_52},
  {"words/words.js", file_53, sizeof file_53},
  {"world-110.bin", file_54, sizeof file_54},
  {"world-50.bin", file_55, sizeof file_55},
};

const struct photospots_page_file *photospots_page_files(void) { return files; }

size_t photospots_page_file_count(void) { return sizeof files / sizeof files[0]; }
