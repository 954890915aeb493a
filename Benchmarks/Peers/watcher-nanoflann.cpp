// One 100 m query of a k-d tree for every fix of a walk: what a watcher without memory would ask, before it
// decides anything. Reads what `watcher-peer write` wrote.
//
//   c++ -O3 -std=c++17 watcher-nanoflann.cpp    (Debian: libnanoflann-dev)
#include "tree.hpp"

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
  const Cloud cloud = makeCloud(readPlaces(arguments[1]));
  const std::vector<Place> fixes = readPlaces(arguments[2]);
  Tree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  tree.buildIndex();
  const double limit = chord(100);
  std::vector<std::pair<uint32_t, double>> found;
  size_t hits = 0;
  const double start = processorNanoseconds();
  for (const Place &fix : fixes) {
    const Vector here(fix);
    hits += tree.radiusSearch(&here.x, limit * limit, found, nanoflann::SearchParams(32, 0, false));
  }
  std::printf("%.1f ns a fix, %.1f spots\n", (processorNanoseconds() - start) / fixes.size(),
              double(hits) / fixes.size());
}
