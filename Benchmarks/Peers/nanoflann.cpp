// nanoflann: a k-d tree over unit vectors, with its usual leaves of ten.
//
//   c++ -O3 -std=c++17 nanoflann.cpp    (Debian: libnanoflann-dev)
#include "tree.hpp"

class Index {
  Cloud cloud;
  Tree tree;
  std::vector<std::pair<uint32_t, double>> found;

 public:
  explicit Index(const std::vector<Place> &points)
      : cloud(makeCloud(points)), tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10)) {
    tree.buildIndex();
  }

  void within(const Place &center, double meters, std::vector<Hit> &hits) {
    const Vector vector(center);
    const double limit = chord(meters);
    tree.radiusSearch(&vector.x, limit * limit, found, nanoflann::SearchParams(32, 0, false));
    hits.clear();
    for (const auto &[id, squaredChord] : found) hits.push_back({groundMeters(squaredChord), id});
    std::sort(hits.begin(), hits.end());
  }

  void nearest(const Place &center, size_t count, std::vector<Hit> &hits) {
    const Vector vector(center);
    uint32_t ids[nearestCount];
    double squaredChords[nearestCount];
    const size_t got = tree.knnSearch(&vector.x, count, ids, squaredChords);
    hits.clear();
    for (size_t i = 0; i < got; i++) hits.push_back({groundMeters(squaredChords[i]), ids[i]});
    std::sort(hits.begin(), hits.end());
  }
};

int main(int count, char **arguments) { return measure<Index>(count, arguments); }
