// What every peer of the spatial index has in common: the files it reads, what it measures, and how it
// tells its times and answers. A peer defines a class with
//
//   explicit Index(const std::vector<Place> &points);
//   void within(const Place &center, double meters, std::vector<Hit> &hits);
//   void nearest(const Place &center, size_t count, std::vector<Hit> &hits);
//
// and hands it to measure<Index>(). Both queries give the points with their distances on the ground, the
// nearest first. `Benchmarks/Peers/SpatialPeer` is the same for the index of PhotoSpots: what is
// changed here is changed there.
#pragma once

#include "CHeap/include/CHeap.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

constexpr double earthRadiusMeters = 6371008.8;

struct Place {
  double latitude, longitude;
  int kind;  // of a query: 0 at home, 1 past other photos, 2 in a city, 3 far from all photos
};

struct Hit {
  double meters;
  uint32_t id;
  bool operator<(const Hit &other) const {
    return meters != other.meters ? meters < other.meters : id < other.id;
  }
};

struct Vector {
  double x, y, z;
  explicit Vector(const Place &place) {
    const double radians = M_PI / 180;
    const double equatorial = std::cos(place.latitude * radians);
    x = equatorial * std::cos(place.longitude * radians);
    y = equatorial * std::sin(place.longitude * radians);
    z = std::sin(place.latitude * radians);
  }
};

// The chord through the unit sphere that spans a distance on the ground, and the way back.
inline double chord(double meters) {
  return 2 * std::sin(std::min(meters / (2 * earthRadiusMeters), M_PI / 2));
}
inline double groundMeters(double squaredChord) {
  return 2 * earthRadiusMeters * std::asin(std::min(1.0, std::sqrt(squaredChord) / 2));
}

inline std::vector<Place> readPlaces(const char *path) {
  FILE *file = std::fopen(path, "rb");
  if (!file) {
    std::perror(path);
    std::exit(66);
  }
  std::vector<Place> places;
  double row[3];
  while (std::fread(row, sizeof row, 1, file) == 1) places.push_back({row[0], row[1], int(row[2])});
  std::fclose(file);
  if (places.empty()) {
    std::fprintf(stderr, "%s: no rows of three float64 numbers\n", path);
    std::exit(65);
  }
  return places;
}

inline double nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

// Nearest rank.
inline double percentile(std::vector<double> &times, int percent) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  const size_t rank = (times.size() * percent + 99) / 100;
  return times[std::max<size_t>(rank, 1) - 1];
}

// SplitMix64's mixing.
inline uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

// An answer in a line: how many, a sum over the ids, the sum of the distances. Where only so many are
// wanted, any of those at the greatest distance may be among them, so these do not count in the sum.
inline void writeAnswer(FILE *file, const char *work, size_t query, const std::vector<Hit> &hits,
                        bool isCut) {
  uint64_t ids = 0;
  double meters = 0;
  const double below = isCut && !hits.empty() ? hits.back().meters - 1e-6 : INFINITY;
  for (const Hit &hit : hits) {
    meters += hit.meters;
    if (hit.meters < below) ids += mix(hit.id);
  }
  std::fprintf(file, "%s\t%zu\t%zu\t%016llx\t%.6f\n", work, query, hits.size(),
               (unsigned long long)ids, meters);
}

struct Work {
  const char *name;
  double meters;   // 0: the nearest
  size_t queries;  // at most so many, since large answers take their time
};

constexpr size_t nearestCount = 10;
constexpr size_t homeQueries = 3;
const Work works[] = {
    {"50 m", 50, 10000}, {"200 m", 200, 3000}, {"5 km", 5000, 50}, {"10 nearest", 0, 10000}};

template <class Index>
int measure(int count, char **arguments) {
  if (count < 3 || count > 5) {
    std::fprintf(stderr, "usage: %s POINTS QUERIES [ANSWERS [WORK]]\n", arguments[0]);
    return 64;
  }
  const std::vector<Place> points = readPlaces(arguments[1]);
  const std::vector<Place> queries = readPlaces(arguments[2]);
  FILE *answers = count > 3 ? std::fopen(arguments[3], "w") : nullptr;
  if (count > 3 && !answers) {
    std::perror(arguments[3]);
    return 73;
  }
  const size_t heapBefore = heapBytes();
  const double start = nanoseconds();
  Index index(points);
  std::printf("build\tms\t%.3f\n", (nanoseconds() - start) / 1e6);
  std::printf("index\tbytes a point\t%.2f\n", double(heapBytes() - heapBefore) / points.size());

  std::vector<Hit> hits;
  for (const Work &work : works) {
    if (count == 5 && std::string(work.name) != arguments[4]) continue;
    std::vector<double> past, away, home;
    size_t results = 0;
    // The first round fills the caches.
    for (int round = 0; round < 2; round++) {
      size_t atHome = 0;
      for (size_t query = 0; query < std::min(queries.size(), work.queries); query++) {
        const Place &place = queries[query];
        if (place.kind == 0 && ++atHome > homeQueries) continue;
        const double before = nanoseconds();
        if (work.meters > 0) {
          index.within(place, work.meters, hits);
        } else {
          index.nearest(place, nearestCount, hits);
        }
        const double time = nanoseconds() - before;
        if (round == 0) {
          if (answers) writeAnswer(answers, work.name, query, hits, work.meters == 0);
          continue;
        }
        (place.kind == 0 ? home : away).push_back(time);
        if (place.kind == 1) {
          past.push_back(time);
          results += hits.size();
        }
      }
    }
    std::printf("%s\tp50 past photos, ns\t%.0f\n", work.name, percentile(past, 50));
    std::printf("%s\tp99 without home, ns\t%.0f\n", work.name, percentile(away, 99));
    std::printf("%s\tp50 at home, ns\t%.0f\n", work.name, percentile(home, 50));
    std::printf("%s\tpast photos, ns a result\t%.3f\n", work.name,
                std::accumulate(past.begin(), past.end(), 0.0) / std::max<size_t>(results, 1));
  }
  if (answers && std::fclose(answers) != 0) {
    std::perror(arguments[3]);
    return 74;
  }
  return 0;
}
