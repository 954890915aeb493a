// S2: S2ClosestPointQuery over an S2PointIndex.
//
//   c++ -O3 -std=c++17 s2.cpp -ls2    (Debian: libs2-dev)
#include "peer.hpp"

#include <s2/s2closest_point_query.h>
#include <s2/s2latlng.h>
#include <s2/s2point_index.h>

class Index {
  S2PointIndex<int> points;
  S2ClosestPointQuery<int> query;
  std::vector<S2ClosestPointQuery<int>::Result> found;

  static S2Point point(const Place &place) {
    return S2LatLng::FromDegrees(place.latitude, place.longitude).ToPoint();
  }

  // A query object is kept, as its documentation advises.
  void answer(const S2ClosestPointQuery<int>::Options &options, const Place &center,
              std::vector<Hit> &hits) {
    *query.mutable_options() = options;
    S2ClosestPointQuery<int>::PointTarget target(point(center));
    query.FindClosestPoints(&target, &found);
    hits.clear();
    for (const auto &result : found)
      hits.push_back({groundMeters(result.distance().length2()), uint32_t(result.data())});
    std::sort(hits.begin(), hits.end());
  }

 public:
  explicit Index(const std::vector<Place> &places) {
    for (size_t i = 0; i < places.size(); i++) points.Add(point(places[i]), int(i));
    query.Init(&points);
  }

  void within(const Place &center, double meters, std::vector<Hit> &hits) {
    S2ClosestPointQuery<int>::Options options;
    options.set_inclusive_max_distance(S1Angle::Radians(meters / earthRadiusMeters));
    answer(options, center, hits);
  }

  void nearest(const Place &center, size_t count, std::vector<Hit> &hits) {
    S2ClosestPointQuery<int>::Options options;
    options.set_max_results(int(count));
    answer(options, center, hits);
  }
};

int main(int count, char **arguments) { return measure<Index>(count, arguments); }
