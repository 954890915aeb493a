// A k-d tree of nanoflann over unit vectors.
#pragma once

#include "peer.hpp"

#include <nanoflann.hpp>

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

inline Cloud makeCloud(const std::vector<Place> &points) {
  return {std::vector<Vector>(points.begin(), points.end())};
}

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud,
                                                 3, uint32_t>;
