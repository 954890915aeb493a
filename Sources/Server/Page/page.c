// Written by make-table.py.
#include "CPage.h"

// Clang accepts #embed (C23, section 6.10.4) in every version of C, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "files/again/again.js"
};

static const unsigned char file_1[] = {
#embed "files/again/camera.js"
};

static const unsigned char file_2[] = {
#embed "files/again/card.js"
};

static const unsigned char file_3[] = {
#embed "files/again/guide.js"
};

static const unsigned char file_4[] = {
#embed "files/again/later.js"
};

static const unsigned char file_5[] = {
#embed "files/again/meter.js"
};

static const unsigned char file_6[] = {
#embed "files/again/overlay.js"
};

static const unsigned char file_7[] = {
#embed "files/again/refused.js"
};

static const unsigned char file_8[] = {
#embed "files/again/review.js"
};

static const unsigned char file_9[] = {
#embed "files/again/shoot.js"
};

static const unsigned char file_10[] = {
#embed "files/again/unsent.js"
};

static const unsigned char file_11[] = {
#embed "files/alerts.js"
};

static const unsigned char file_12[] = {
#embed "files/align/advice.js"
};

static const unsigned char file_13[] = {
#embed "files/align/aligner.js"
};

static const unsigned char file_14[] = {
#embed "files/align/blank.js"
};

static const unsigned char file_15[] = {
#embed "files/align/border.js"
};

static const unsigned char file_16[] = {
#embed "files/align/field.js"
};

static const unsigned char file_17[] = {
#embed "files/align/fourier.js"
};

static const unsigned char file_18[] = {
#embed "files/align/parallax.js"
};

static const unsigned char file_19[] = {
#embed "files/align/picture.js"
};

static const unsigned char file_20[] = {
#embed "files/align/score.js"
};

static const unsigned char file_21[] = {
#embed "files/align/search.js"
};

static const unsigned char file_22[] = {
#embed "files/align/similarity.js"
};

static const unsigned char file_23[] = {
#embed "files/align/tiles.js"
};

static const unsigned char file_24[] = {
#embed "files/align/worker.js"
};

static const unsigned char file_25[] = {
#embed "files/api.js"
};

static const unsigned char file_26[] = {
#embed "files/app.js"
};

static const unsigned char file_27[] = {
#embed "files/app.webmanifest"
};

static const unsigned char file_28[] = {
#embed "files/dom.js"
};

static const unsigned char file_29[] = {
#embed "files/edits.js"
};

static const unsigned char file_30[] = {
#embed "files/events.js"
};

static const unsigned char file_31[] = {
#embed "files/first.js"
};

static const unsigned char file_32[] = {
#embed "files/geodesy.js"
};

static const unsigned char file_33[] = {
#embed "files/icon-192.png"
};

static const unsigned char file_34[] = {
#embed "files/icon-512.png"
};

static const unsigned char file_35[] = {
#embed "files/icon.svg"
};

static const unsigned char file_36[] = {
#embed "files/icons.svg"
};

static const unsigned char file_37[] = {
#embed "files/index.html"
};

static const unsigned char file_38[] = {
#embed "files/map/directions.js"
};

static const unsigned char file_39[] = {
#embed "files/map/drawing.js"
};

static const unsigned char file_40[] = {
#embed "files/map/filters.js"
};

static const unsigned char file_41[] = {
#embed "files/map/gestures.js"
};

static const unsigned char file_42[] = {
#embed "files/map/me.js"
};

static const unsigned char file_43[] = {
#embed "files/map/mercator.js"
};

static const unsigned char file_44[] = {
#embed "files/map/opening.js"
};

static const unsigned char file_45[] = {
#embed "files/map/outlines.js"
};

static const unsigned char file_46[] = {
#embed "files/map/palettes.js"
};

static const unsigned char file_47[] = {
#embed "files/map/photomap.js"
};

static const unsigned char file_48[] = {
#embed "files/map/pins.js"
};

static const unsigned char file_49[] = {
#embed "files/map/scale.js"
};

static const unsigned char file_50[] = {
#embed "files/map/tiles.js"
};

static const unsigned char file_51[] = {
#embed "files/map/world.js"
};

static const unsigned char file_52[] = {
#embed "files/map/years.js"
};

static const unsigned char file_53[] = {
#embed "files/no-picture.svg"
};

static const unsigned char file_54[] = {
#embed "files/panel/choices.js"
};

static const unsigned char file_55[] = {
#embed "files/panel/filtering.js"
};

static const unsigned char file_56[] = {
#embed "files/panel/layers.js"
};

static const unsigned char file_57[] = {
#embed "files/panel/panel.js"
};

static const unsigned char file_58[] = {
#embed "files/panel/search.js"
};

static const unsigned char file_59[] = {
#embed "files/panel/sheet.js"
};

static const unsigned char file_60[] = {
#embed "files/panel/suggestions.js"
};

static const unsigned char file_61[] = {
#embed "files/panel/tabs.js"
};

static const unsigned char file_62[] = {
#embed "files/panel/theme.js"
};

static const unsigned char file_63[] = {
#embed "files/panel/toasts.js"
};

static const unsigned char file_64[] = {
#embed "files/phones/apps.js"
};

static const unsigned char file_65[] = {
#embed "files/phones/invite.js"
};

static const unsigned char file_66[] = {
#embed "files/phones/joined.js"
};

static const unsigned char file_67[] = {
#embed "files/phones/letin.js"
};

static const unsigned char file_68[] = {
#embed "files/phones/parts.js"
};

static const unsigned char file_69[] = {
#embed "files/places/arrange.js"
};

static const unsigned char file_70[] = {
#embed "files/places/collections.js"
};

static const unsigned char file_71[] = {
#embed "files/places/details.js"
};

static const unsigned char file_72[] = {
#embed "files/places/fields.js"
};

static const unsigned char file_73[] = {
#embed "files/places/import.js"
};

static const unsigned char file_74[] = {
#embed "files/places/keeping.js"
};

static const unsigned char file_75[] = {
#embed "files/places/mark.js"
};

static const unsigned char file_76[] = {
#embed "files/places/notes.js"
};

static const unsigned char file_77[] = {
#embed "files/places/pins.js"
};

static const unsigned char file_78[] = {
#embed "files/places/places.js"
};

static const unsigned char file_79[] = {
#embed "files/places/position.js"
};

static const unsigned char file_80[] = {
#embed "files/places/rows.js"
};

static const unsigned char file_81[] = {
#embed "files/router.js"
};

static const unsigned char file_82[] = {
#embed "files/session.js"
};

static const unsigned char file_83[] = {
#embed "files/store.js"
};

static const unsigned char file_84[] = {
#embed "files/styles/base.css"
};

static const unsigned char file_85[] = {
#embed "files/styles/filters.css"
};

static const unsigned char file_86[] = {
#embed "files/styles/folders.css"
};

static const unsigned char file_87[] = {
#embed "files/styles/link.css"
};

static const unsigned char file_88[] = {
#embed "files/styles/map.css"
};

static const unsigned char file_89[] = {
#embed "files/styles/panel.css"
};

static const unsigned char file_90[] = {
#embed "files/styles/phones.css"
};

static const unsigned char file_91[] = {
#embed "files/styles/photo.css"
};

static const unsigned char file_92[] = {
#embed "files/styles/places.css"
};

static const unsigned char file_93[] = {
#embed "files/styles/search.css"
};

static const unsigned char file_94[] = {
#embed "files/styles/thennow.css"
};

static const unsigned char file_95[] = {
#embed "files/styles/views.css"
};

static const unsigned char file_96[] = {
#embed "files/thennow/alignments.js"
};

static const unsigned char file_97[] = {
#embed "files/thennow/compare.js"
};

static const unsigned char file_98[] = {
#embed "files/thennow/dialog.js"
};

static const unsigned char file_99[] = {
#embed "files/thennow/pairs.js"
};

static const unsigned char file_100[] = {
#embed "files/thennow/pictures.js"
};

static const unsigned char file_101[] = {
#embed "files/thennow/reveal.js"
};

static const unsigned char file_102[] = {
#embed "files/thennow/share.js"
};

static const unsigned char file_103[] = {
#embed "files/trust.svg"
};

static const unsigned char file_104[] = {
#embed "files/views/alerts.js"
};

static const unsigned char file_105[] = {
#embed "files/views/browsers.js"
};

static const unsigned char file_106[] = {
#embed "files/views/cluster.js"
};

static const unsigned char file_107[] = {
#embed "files/views/devices.js"
};

static const unsigned char file_108[] = {
#embed "files/views/fields.js"
};

static const unsigned char file_109[] = {
#embed "files/views/folders.js"
};

static const unsigned char file_110[] = {
#embed "files/views/home.js"
};

static const unsigned char file_111[] = {
#embed "files/views/keep.js"
};

static const unsigned char file_112[] = {
#embed "files/views/key.js"
};

static const unsigned char file_113[] = {
#embed "files/views/later.js"
};

static const unsigned char file_114[] = {
#embed "files/views/lazily.js"
};

static const unsigned char file_115[] = {
#embed "files/views/nearby.js"
};

static const unsigned char file_116[] = {
#embed "files/views/parts.js"
};

static const unsigned char file_117[] = {
#embed "files/views/phones.js"
};

static const unsigned char file_118[] = {
#embed "files/views/photo.js"
};

static const unsigned char file_119[] = {
#embed "files/views/place.js"
};

static const unsigned char file_120[] = {
#embed "files/views/places.js"
};

static const unsigned char file_121[] = {
#embed "files/views/replay.js"
};

static const unsigned char file_122[] = {
#embed "files/views/settings.js"
};

static const unsigned char file_123[] = {
#embed "files/views/spot.js"
};

static const unsigned char file_124[] = {
#embed "files/views/tour.js"
};

static const unsigned char file_125[] = {
#embed "files/views/trust.js"
};

static const unsigned char file_126[] = {
#embed "files/words/en.js"
};

static const unsigned char file_127[] = {
#embed "files/words/es.js"
};

static const unsigned char file_128[] = {
#embed "files/words/speech.js"
};

static const unsigned char file_129[] = {
#embed "files/words/words.js"
};

static const unsigned char file_130[] = {
#embed "files/world-110.bin"
};

static const unsigned char file_131[] = {
#embed "files/world-50.bin"
};

static const struct photospots_page_file files[] = {
  {"again/again.js", file_0, sizeof file_0},
  {"again/camera.js", file_1, sizeof file_1},
  {"again/card.js", file_2, sizeof file_2},
  {"again/guide.js", file_3, sizeof file_3},
  {"again/later.js", file_4, sizeof file_4},
  {"again/meter.js", file_5, sizeof file_5},
  {"again/overlay.js", file_6, sizeof file_6},
  {"again/refused.js", file_7, sizeof file_7},
  {"again/review.js", file_8, sizeof file_8},
  {"again/shoot.js", file_9, sizeof file_9},
  {"again/unsent.js", file_10, sizeof file_10},
  {"alerts.js", file_11, sizeof file_11},
  {"align/advice.js", file_12, sizeof file_12},
  {"align/aligner.js", file_13, sizeof file_13},
  {"align/blank.js", file_14, sizeof file_14},
  {"align/border.js", file_15, sizeof file_15},
  {"align/field.js", file_16, sizeof file_16},
  {"align/fourier.js", file_17, sizeof file_17},
  {"align/parallax.js", file_18, sizeof file_18},
  {"align/picture.js", file_19, sizeof file_19},
  {"align/score.js", file_20, sizeof file_20},
  {"align/search.js", file_21, sizeof file_21},
  {"align/similarity.js", file_22, sizeof file_22},
  {"align/tiles.js", file_23, sizeof file_23},
  {"align/worker.js", file_24, sizeof file_24},
  {"api.js", file_25, sizeof file_25},
  {"app.js", file_26, sizeof file_26},
  {"app.webmanifest", file_27, sizeof file_27},
  {"dom.js", file_28, sizeof file_28},
  {"edits.js", file_29, sizeof file_29},
  {"events.js", file_30, sizeof file_30},
  {"first.js", file_31, sizeof file_31},
  {"geodesy.js", file_32, sizeof file_32},
  {"icon-192.png", file_33, sizeof file_33},
  {"icon-512.png", file_34, sizeof file_34},
  {"icon.svg", file_35, sizeof file_35},
  {"icons.svg", file_36, sizeof file_36},
  {"index.html", file_37, sizeof file_37},
  {"map/directions.js", file_38, sizeof file_38},
  {"map/drawing.js", file_39, sizeof file_39},
  {"map/filters.js", file_40, sizeof file_40},
  {"map/gestures.js", file_41, sizeof file_41},
  {"map/me.js", file_42, sizeof file_42},
  {"map/mercator.js", file_43, sizeof file_43},
  {"map/opening.js", file_44, sizeof file_44},
  {"map/outlines.js", file_45, sizeof file_45},
  {"map/palettes.js", file_46, sizeof file_46},
  {"map/photomap.js", file_47, sizeof file_47},
  {"map/pins.js", file_48, sizeof file_48},
  {"map/scale.js", file_49, sizeof file_49},
  {"map/tiles.js", file_50, sizeof file_50},
  {"map/world.js", file_51, sizeof file_51},
  {"map/years.js", file_52, sizeof file_52},
  {"no-picture.svg", file_53, sizeof file_53},
  {"panel/choices.js", file_54, sizeof file_54},
  {"panel/filtering.js", file_55, sizeof file_55},
  {"panel/layers.js", file_56, sizeof file_56},
  {"panel/panel.js", file_57, sizeof file_57},
  {"panel/search.js", file_58, sizeof file_58},
  {"panel/sheet.js", file_59, sizeof file_59},
  {"panel/suggestions.js", file_60, sizeof file_60},
  {"panel/tabs.js", file_61, sizeof file_61},
  {"panel/theme.js", file_62, sizeof file_62},
  {"panel/toasts.js", file_63, sizeof file_63},
  {"phones/apps.js", file_64, sizeof file_64},
  {"phones/invite.js", file_65, sizeof file_65},
  {"phones/joined.js", file_66, sizeof file_66},
  {"phones/letin.js", file_67, sizeof file_67},
  {"phones/parts.js", file_68, sizeof file_68},
  {"places/arrange.js", file_69, sizeof file_69},
  {"places/collections.js", file_70, sizeof file_70},
  {"places/details.js", file_71, sizeof file_71},
  {"places/fields.js", file_72, sizeof file_72},
  {"places/import.js", file_73, sizeof file_73},
  {"places/keeping.js", file_74, sizeof file_74},
  {"places/mark.js", file_75, sizeof file_75},
  {"places/notes.js", file_76, sizeof file_76},
  {"places/pins.js", file_77, sizeof file_77},
  {"places/places.js", file_78, sizeof file_78},
  {"places/position.js", file_79, sizeof file_79},
  {"places/rows.js", file_80, sizeof file_80},
  {"router.js", file_81, sizeof file_81},
  {"session.js", file_82, sizeof file_82},
  {"store.js", file_83, sizeof file_83},
  {"styles/base.css", file_84, sizeof file_84},
  {"styles/filters.css", file_85, sizeof file_85},
  {"styles/folders.css", file_86, sizeof file_86},
  {"styles/link.css", file_87, sizeof file_87},
  {"styles/map.css", file_88, sizeof file_88},
  {"styles/panel.css", file_89, sizeof file_89},
  {"styles/phones.css", file_90, sizeof file_90},
  {"styles/photo.css", file_91, sizeof file_91},
  {"styles/places.css", file_92, sizeof file_92},
  {"styles/search.css", file_93, sizeof file_93},
  {"styles/thennow.css", file_94, sizeof file_94},
  {"styles/views.css", file_95, sizeof file_95},
  {"thennow/alignments.js", file_96, sizeof file_96},
  {"thennow/compare.js", file_97, sizeof file_97},
  {"thennow/dialog.js", file_98, sizeof file_98},
  {"thennow/pairs.js", file_99, sizeof file_99},
  {"thennow/pictures.js", file_100, sizeof file_100},
  {"thennow/reveal.js", file_101, sizeof file_101},
  {"thennow/share.js", file_102, sizeof file_102},
  {"trust.svg", file_103, sizeof file_103},
  {"views/alerts.js", file_104, sizeof file_104},
  {"views/browsers.js", file_105, sizeof file_105},
  {"views/cluster.js", file_106, sizeof file_106},
  {"views/devices.js", file_107, sizeof file_107},
  {"views/fields.js", file_108, sizeof file_108},
  {"views/folders.js", file_109, sizeof file_109},
  {"views/home.js", file_110, sizeof file_110},
  {"views/keep.js", file_111, sizeof file_111},
  {"views/key.js", file_112, sizeof file_112},
  {"views/later.js", file_113, sizeof file_113},
  {"views/lazily.js", file_114, sizeof file_114},
  {"views/nearby.js", file_115, sizeof file_115},
  {"views/parts.js", file_116, sizeof file_116},
  {"views/phones.js", file_117, sizeof file_117},
  {"views/photo.js", file_118, sizeof file_118},
  {"views/place.js", file_119, sizeof file_119},
  {"views/places.js", file_120, sizeof file_120},
  {"views/replay.js", file_121, sizeof file_121},
  {"views/settings.js", file_122, sizeof file_122},
  {"views/spot.js", file_123, sizeof file_123},
  {"views/tour.js", file_124, sizeof file_124},
  {"views/trust.js", file_125, sizeof file_125},
  {"words/en.js", file_126, sizeof file_126},
  {"words/es.js", file_127, sizeof file_127},
  {"words/speech.js", file_128, sizeof file_128},
  {"words/words.js", file_129, sizeof file_129},
  {"world-110.bin", file_130, sizeof file_130},
  {"world-50.bin", file_131, sizeof file_131},
};

const struct photospots_page_file *photospots_page_files(void) { return files; }

size_t photospots_page_file_count(void) { return sizeof files / sizeof files[0]; }
