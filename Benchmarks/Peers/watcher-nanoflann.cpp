// One 100 m query of a k-d tree for every fix of a walk: what a watcher without memory would ask, before it
// decides anything. Reads what `watcher-peer write` wrote.
//
//   c++ -O3 -std=c++17 watcher-nanoflann.cpp    (Debian: libnanoflann-dev)
#include <time.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <nanoflann.hpp>

struct Vector {
  double x, y, z;
  Vector(double latitude, double longitude) {
    const double radians = M_PI / 180, equatorial = std::cos(latitude * radians);
    x = equatorial * std::cos(longitude * radians);
    y = equatorial * std::sin(longitude * radians);
    z = std::sin(latitude * radians);
  }
};

struct Cloud {
  std::vector<Vector> vectors;
  size_t kdtree_get_point_count() const { return vectors.size(); }
  double kdtree_get_pt(size_t index, size_t dimension) const {
    return (&vectors[index].x)[dimension];
  }
  template <class Box>
  bool kdtree_get_bbox(Box &) const {
    return false;
  }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud,
                                                 3, uint32_t>;

struct Row {
  double latitude, longitude, third;
};

static std::vector<Row> readRows(const char *path) {
  FILE *file = std::fopen(path, "rb");
  if (!file) {
    std::perror(path);
    std::exit(66);
  }
  std::vector<Row> rows;
  Row row;
  while (std::fread(&row, sizeof row, 1, file) == 1) rows.push_back(row);
  std::fclose(file);
  return rows;
}

static double processorNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: %s SPOTS FIXES\n", arguments[0]);
    return 64;
  }
  Cloud cloud;
  for (const Row &spot : readRows(arguments[1]))
    cloud.vectors.push_back({spot.latitude, spot.longitude});
  const std::vector<Row> fixes = readRows(arguments[2]);
  Tree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  tree.buildIndex();
  const double chord = 2 * std::sin(100 / (2 * 6371008.8));
  std::vector<std::pair<uint32_t, double>> found;
  size_t hits = 0;
  const double start = processorNanoseconds();
  for (const Row &fix : fixes) {
    const Vector here(fix.latitude, fix.longitude);
    hits += tree.radiusSearch(&here.x, chord * chord, found, nanoflann::SearchParams(32, 0, false));
  }
  std::printf("%.1f ns a fix, %.1f spots\n", (processorNanoseconds() - start) / fixes.size(),
              double(hits) / fixes.size());
}
