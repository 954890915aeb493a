/// A tree of paths by their components in reverse order, from the file name. It has branches only
/// where paths differ: a path that is the only one below a node ends there.
struct SuffixTree {
  /// A node's child for a component.
  private struct Edge: Hashable {
    let node: Int32
    let component: Int32
  }

  private var children: [Edge: Int32] = [:]
  /// The number of paths through each node.
  private var counts: [Int32] = [0]
  /// The path of each node with a single path; −1 for other nodes.
  private var paths: [Int32] = [-1]
  /// The paths that end at each node with several paths; they have the same components.
  private var ends: [Int32: [Int32]] = [:]

  /// The result of a search.
  enum Found: Equatable {
    case none
    /// The only path with the most components in common.
    case one(Int32)
    /// Several paths have as many components in common.
    case several(depth: Int)
  }

  /// Adds a path. `component` returns the component of a path at a depth, counted from the file
  /// name; `nil` beyond its end.
  mutating func insert(_ path: Int32, _ component: (Int32, Int) -> Int32?) {
    guard let name = component(path, 0) else { return }
    var node = child(of: 0, name)
    var depth = 1
    while true {
      counts[Int(node)] += 1
      if counts[Int(node)] == 1 {
        paths[Int(node)] = path
        return
      }
      if counts[Int(node)] == 2 {
        let resident = paths[Int(node)]
        paths[Int(node)] = -1
        if let next = component(resident, depth) {
          let next = child(of: node, next)
          counts[Int(next)] = 1
          paths[Int(next)] = resident
        } else {
          ends[node, default: []].append(resident)
        }
      }
      guard let next = component(path, depth) else {
        ends[node, default: []].append(path)
        return
      }
      node = child(of: node, next)
      depth += 1
    }
  }

  /// Returns a node's child for a component, which is added if it is missing.
  private mutating func child(of node: Int32, _ component: Int32) -> Int32 {
    let edge = Edge(node: node, component: component)
    if let known = children[edge] { return known }
    let new = Int32(counts.count)
    counts.append(0)
    paths.append(-1)
    children[edge] = new
    return new
  }

  /// Finds the paths with the most components in common with a path, which is given in reverse
  /// order.
  ///
  /// - Complexity: O(*c*) for *c* components.
  func find(_ components: [Int32]) -> Found {
    guard let (node, depth) = deepest(components) else { return .none }
    return counts[Int(node)] == 1 ? .one(paths[Int(node)]) : .several(depth: depth)
  }

  /// Returns the paths that have exactly the given components.
  func exactMatches(_ components: [Int32]) -> [Int32] {
    deepest(components).flatMap { $0.depth == components.count ? ends[$0.node] : nil } ?? []
  }

  /// Returns the deepest node with the components of a path, and its depth.
  private func deepest(_ components: [Int32]) -> (node: Int32, depth: Int)? {
    guard let name = components.first, var node = children[Edge(node: 0, component: name)] else {
      return nil
    }
    var depth = 1
    while counts[Int(node)] > 1, depth < components.count,
      let next = children[Edge(node: node, component: components[depth])]
    {
      node = next
      depth += 1
    }
    return (node, depth)
  }
}
