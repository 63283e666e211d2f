#include "oa/solve/lattice/sphere.h"

#include "oa/base/index.h"
#include "oa/solve/lattice/triangle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

class SphereSearch {
 public:
  SphereSearch(const PartTask& task, const LeastSquares& squares, const Stop& stop)
      : task_(task),
        squares_(squares),
        pace_(stop),
        t_(centred_triangle_of(squares)),
        m_(at(t_.size())),
        pool_(task.settings.top),
        sums_(m_ * (m_ + 1)),
        stale_(m_, m_ - 1),
        children_(m_),
        next_(m_),
        costs_(m_ + 1),
        least_(m_ + 1),
        by_place_(m_),
        z_(m_),
        chosen_(m_) {
    for (std::size_t k = 0; k < m_; ++k) {
      sums_[k * (m_ + 1) + m_] = t_.target[k];
      double least = kInfinite;
      for (const double v : t_.values[k]) {
        least = std::min(least, alone(k, v));
      }
      least_[k + 1] = least_[k] + least;
    }
    if (!task.known.x.empty()) {
      take(task.known);
    }
  }

  Result run() {
    costs_[m_] = t_.constant;
    std::size_t place = m_;
    descend(place);
    bool done = false;
    const bool sound = std::isfinite(t_.constant) && std::isfinite(t_.error);
    while (sound && !done && nodes_ < task_.settings.max_nodes &&
           !pace_(static_cast<std::int64_t>(m_))) {
      done = !advance(place);
    }
    Result result;
    result.nodes = nodes_;
    result.best = pool_.take_best();
    result.status = done ? qubo::Status::ProvedOptimal : qubo::Status::Stopped;
    result.proof = "sphere";
    if (done) {
      result.bound = exact_energy(task_.f, result.best.front().x).rounded_down();
    }
    return result;
  }

 private:
  struct Child {
    double cost;
    int level;
  };

  /// The cost of number k outside the squares.
  [[nodiscard]] double alone(std::size_t k, double v) const {
    return (t_.curve[k] * v + t_.slope[k]) * v;
  }

  /// Lists the children of a node whose numbers from `place` on are decided,
  /// and moves `place` to the children.
  void descend(std::size_t& place) {
    const std::size_t k = place - 1;
    double* sums = sums_.data() + k * (m_ + 1);
    const double* row = t_.r.data() + k * m_;
    if (place < m_) {
      for (std::size_t i = stale_[k] + 1; i-- > place;) {
        sums[i] = sums[i + 1] - row[i] * z_[i];
      }
      if (k > 0) {
        stale_[k - 1] = std::max(stale_[k - 1], stale_[k]);
      }
      stale_[k] = place;
    }
    std::vector<Child>& children = children_[k];
    children.clear();
    for (std::size_t v = 0; v < t_.values[k].size(); ++v) {
      const double value = t_.values[k][v];
      const double left = sums[place] - row[k] * value;
      const double cost = costs_[place] + left * left + alone(k, value);
      if (cost + least_[k] <= cutoff_) {
        children.push_back({cost, static_cast<int>(v)});
      }
    }
    std::ranges::sort(children,
                      [](const Child& a, const Child& b) { return a.cost < b.cost; });
    next_[k] = 0;
    place = k;
  }

  /// Moves to the next node within the sphere.  Returns false if there is none.
  bool advance(std::size_t& place) {
    while (next_[place] == children_[place].size() ||
           children_[place][next_[place]].cost + least_[place] > cutoff_) {
      if (++place == m_) {
        return false;
      }
    }
    const Child child = children_[place][next_[place]++];
    ++nodes_;
    costs_[place] = child.cost;
    by_place_[place] = child.level;
    z_[place] = t_.values[place][at(child.level)];
    if (place == 0) {
      leaf();
      return true;
    }
    stale_[place - 1] = std::max(stale_[place - 1], place);
    descend(place);
    return true;
  }

  void leaf() {
    for (std::size_t k = 0; k < m_; ++k) {
      chosen_[at(t_.order[k])] = by_place_[k];
    }
    std::vector<std::uint8_t> x = vector_of(squares_, chosen_);
    const TwoDoubles value = exact_energy(task_.f, x).two();
    take({value, std::move(x)});
  }

  /// Takes a solution; energies above the cutoff are no longer wanted.
  void take(const Solution& s) {
    const bool better =
        pool_.best().empty() || s.value() < pool_.best().front().value();
    if (!pool_.insert(s.value(), s.x)) {
      return;
    }
    if (better && task_.improved) {
      task_.improved(s.x);
    }
    cutoff_ = std::nextafter(pool_.limit(task_.settings.window) + t_.error, kInfinite);
  }

  const PartTask& task_;
  const LeastSquares& squares_;
  Pace pace_;
  Triangle t_;
  std::size_t m_;
  Pool pool_;
  double cutoff_ = kInfinite;
  std::int64_t nodes_ = 0;

  std::vector<double> sums_;                  // (m,m+1): t - Rz over the decided places
  std::vector<std::size_t> stale_;            // of each row: last place that changed
  std::vector<std::vector<Child>> children_;  // of each place, sorted by cost
  std::vector<std::size_t> next_;
  std::vector<double> costs_;  // cost of the decided places
  std::vector<double> least_;  // energies of one-digit variables, up to each place
  std::vector<int> by_place_;
  std::vector<double> z_;
  std::vector<int> chosen_;
};

}  // namespace

Result search_sphere(const PartTask& task,
                     const LeastSquares& squares,
                     const Stop& stop) {
  return SphereSearch(task, squares, stop).run();
}

}  // namespace oa::solve
