// Boost.Geometry: an R-tree over unit vectors, packed when it is built, 16 to a node.
//
//   c++ -O3 -std=c++17 boost.cpp    (Debian: libboost-dev)
#include "peer.hpp"

#define BOOST_ALLOW_DEPRECATED_HEADERS  // of its own
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

class Index {
  using Point = bg::model::point<double, 3, bg::cs::cartesian>;
  using Value = std::pair<Point, uint32_t>;
  bgi::rtree<Value, bgi::quadratic<16>> tree;

  static Point point(const Place &place) {
    const Vector vector(place);
    return {vector.x, vector.y, vector.z};
  }

  static std::vector<Value> values(const std::vector<Place> &points) {
    std::vector<Value> values;
    values.reserve(points.size());
    for (const Place &place : points) values.emplace_back(point(place), values.size());
    return values;
  }

 public:
  explicit Index(const std::vector<Place> &points) : tree(values(points)) {}

  void within(const Place &center, double meters, std::vector<Hit> &hits) {
    const Point middle = point(center);
    const double limit = chord(meters);
    const double x = middle.get<0>(), y = middle.get<1>(), z = middle.get<2>();
    const bg::model::box<Point> box(Point(x - limit, y - limit, z - limit),
                                    Point(x + limit, y + limit, z + limit));
    hits.clear();
    for (auto found = tree.qbegin(bgi::intersects(box)); found != tree.qend(); ++found) {
      const double squaredChord = bg::comparable_distance(found->first, middle);
      if (squaredChord <= limit * limit)
        hits.push_back({groundMeters(squaredChord), found->second});
    }
    std::sort(hits.begin(), hits.end());
  }

  void nearest(const Place &center, size_t count, std::vector<Hit> &hits) {
    const Point middle = point(center);
    hits.clear();
    for (auto found = tree.qbegin(bgi::nearest(middle, unsigned(count))); found != tree.qend();
         ++found)
      hits.push_back(
          {groundMeters(bg::comparable_distance(found->first, middle)), found->second});
    std::sort(hits.begin(), hits.end());
  }
};

int main(int count, char **arguments) { return measure<Index>(count, arguments); }
