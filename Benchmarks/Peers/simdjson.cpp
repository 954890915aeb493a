// simdjson on demand: every value of an index file, looked at once and thrown away.
//
//   c++ -O3 -std=c++17 simdjson.cpp -lsimdjson    (Debian: libsimdjson-dev)
//
//   simdjson INDEX    prints the milliseconds from the file in memory to the last value
#include <simdjson.h>
#include <time.h>

#include <cstdio>

using namespace simdjson;

static double numbers = 0;
static size_t texts = 0;

static void visit(ondemand::value value) {
  switch (value.type()) {
    case ondemand::json_type::array:
      for (auto element : value.get_array()) visit(element.value());
      break;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) visit(field.value().value());
      break;
    case ondemand::json_type::number:
      // Nanoseconds and inodes are whole numbers of more digits than a double has; as here, their type is
      // asked for first.
      switch (value.get_number_type()) {
        case ondemand::number_type::floating_point_number: numbers += double(value.get_double()); break;
        case ondemand::number_type::signed_integer: numbers += double(int64_t(value.get_int64())); break;
        default: numbers += double(uint64_t(value.get_uint64()));
      }
      break;
    case ondemand::json_type::string: texts += std::string_view(value.get_string()).size(); break;
    case ondemand::json_type::boolean: numbers += bool(value.get_bool()); break;
    default: break;
  }
}

static double milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s INDEX\n", arguments[0]);
    return 64;
  }
  try {
    const padded_string json = padded_string::load(arguments[1]);
    const double start = milliseconds();
    ondemand::parser parser;
    ondemand::document document = parser.iterate(json);
    for (auto field : document.get_object()) visit(field.value().value());
    std::printf("parse\tms\t%.3f\n", milliseconds() - start);
    // So that nothing of it is left out.
    std::printf("sum\tnumbers\t%g\nsum\tbytes of texts\t%zu\n", numbers, texts);
  } catch (const simdjson_error &error) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], error.what());
    return 65;
  }
}
