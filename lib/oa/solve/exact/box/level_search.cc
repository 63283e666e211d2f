#include "oa/solve/exact/box/level_search.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/solve/exact/box/box.h"
#include "oa/solve/exact/box/convex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kFarUp = std::numeric_limits<double>::infinity();
constexpr int kLevelPasses = 200;  // of coordinate descent; usually fewer are needed
constexpr double kNear =
    1e-3;  // in levels: coordinate descent stops this close to the minimum
constexpr double kInside =
    1e-6;  // in levels: distance from the box's border that counts as inside
constexpr double kMorePivot = 1e-10;  // of the diagonal; exceeds the rounding of pivots
// The number of nodes (about 1 ms) after which the O(n^3) order pays off.
constexpr std::int64_t kMaxNodes = 20'000;
constexpr int kMaxFree = 1024;  // maximum for a search that may succeed

}  // namespace

class LevelSearch::Search {
 public:
  Search(const qubo::Matrix& j, int levels, const Settings& settings, const Stop& stop)
      : j_(j),
        top_(levels - 1),
        settings_(settings),
        convex_(convexified(j, stop)),
        memory_(at(4 * convex_.stride / num::kLine)),
        c_(at(convex_.stride / num::kLine)),
        node_(memory_.data(), convex_.stride),
        x_(at(j.size())) {
    double* shift = num::elements(convex_.shift.data());
    for (int i = 0; i < j.size(); ++i) {
      double& own = convex_.row(i)[i];
      const double more = kMorePivot * own;
      own += more;
      shift[i] += more;
      num::elements(convex_.diagonal.data())[i] = own;
      num::elements(convex_.inverse.data())[i] = own > 0.0 ? 1.0 / own : 0.0;
    }
  }

  Result solve(std::span<const double> h, const Stop& stop);

 private:
  void begin(std::span<const double> h);
  void descend();
  void restrict(double bound);
  void settle_fixed();
  void order();
  void search_tree();
  [[nodiscard]] std::size_t inner() const;
  bool order_by_variance();
  bool factorise(bool choose);
  void descend_into(int row);
  [[nodiscard]] double part(int row, double before, int level) const;
  void offer();
  [[nodiscard]] TwoDoubles energy() const;
  [[nodiscard]] double most() const;
  [[nodiscard]] bool inside(int i) const {
    return node_.y[i] > kInside && node_.y[i] < top_ - kInside;
  }
  [[nodiscard]] double factor(int row, int column) const {
    return factor_[at(row) * free_.size() + at(column)];
  }

  const qubo::Matrix& j_;
  int top_;  // the highest level
  Settings settings_;
  Convex convex_;  // J + D
  std::vector<num::Line> memory_;
  std::vector<num::Line> c_;  // linear terms of f
  Node node_;

  // The current problem: coefficients of the leading block.
  int size_ = 0;
  std::span<const double> h_;
  Pool pool_{1};
  double slack_ = 0.0;          // maximal rounding error of a bound
  double base_ = 0.0;           // f of fixed coefficients
  std::vector<int> free_;       // in the order of the rows of R
  std::vector<double> factor_;  // R
  std::vector<double> cost_;    // cost_[r]: cost of rows r and later
  std::vector<double> step_;    // k - y of free coefficients
  std::int64_t nodes_ = 0;
  std::int64_t budget_ = 0;  // remaining nodes
  bool open_ = false;        // a part of the tree was left out
  const Stop never_;
  Pace pace_{never_};
  std::vector<std::uint8_t> x_;
};

void LevelSearch::Search::begin(std::span<const double> h) {
  h_ = h;
  size_ = static_cast<int>(h.size());
  double* c = num::elements(c_.data());
  const double* shift = num::elements(convex_.shift.data());
  double magnitude = 0.0;
  double roots = 0.0;
  for (int i = 0; i < convex_.stride; ++i) {
    const bool used = i < size_;
    c[i] = used ? h[at(i)] - 0.5 * top_ * shift[i] : 0.0;
    node_.y[i] = node_.lo[i] = 0.0;
    node_.hi[i] = used ? top_ : 0.0;
    node_.g[i] = c[i];
    magnitude += top_ * std::abs(c[i]);
    roots += used ? std::sqrt(convex_.row(i)[i]) : 0.0;
  }
  magnitude += roots * roots * top_ * top_;
  // As Exact::slack(), with y up to the top level N.  Let u = 2^-53, s = moves so far,
  // M = sum of N |c_i| + sum of N^2 sqrt(A_ii A_jj) >= N^2 |A_ij|.
  // error(g) <= 3 s u M and error(bound) <= 4.5 s u M.
  // R'R differs from A by at most (n + 1) u sqrt(A_ii A_jj) (N. J. Higham, Accuracy
  // and Stability of Numerical Algorithms, theorem 10.3).  Squared sums of a row of R
  // add 2 n u M, other operations a few u M.  Moves add their error when they happen.
  slack_ = magnitude * 0x1p-53;
}

Result LevelSearch::Search::solve(std::span<const double> h, const Stop& stop) {
  begin(h);
  pool_ = Pool(settings_.top);
  nodes_ = 0;
  open_ = false;
  pace_ = Pace(stop);
  std::ranges::fill(x_, std::uint8_t{0});
  const Relaxed relaxed =
      relax(convex_,
            num::elements(c_.data()),
            node_,
            {.threshold = kFarUp, .passes = kLevelPasses, .tolerance = kNear},
            pace_);
  slack_ *= 5.0 * (relaxed.moves + 2 * size_) + 24.0 * size_ + 128.0;
  slack_ += size_ * std::numeric_limits<double>::min();
  descend();
  offer();
  restrict(relaxed.bound);
  settle_fixed();
  order();
  if (std::ssize(free_) > kMaxFree || pace_.stopped() || !factorise(true)) {
    open_ = true;
  } else {
    search_tree();
  }
  Result result;
  result.best = pool_.take_best();
  for (Solution& s : result.best) {
    s.x.resize(h.size());
  }
  result.nodes = nodes_;
  result.status = open_ ? qubo::Status::Stopped : qubo::Status::ProvedOptimal;
  const Solution& best = result.best.front();
  result.bound = !open_
                     ? best.energy
                     : std::min(relaxed.bound - slack_,
                                best.rest < 0.0 ? std::nextafter(best.energy, -kFarUp)
                                                : best.energy);
  return result;
}

// Rounds y, then repeats the best change of one coefficient while it lowers f.
void LevelSearch::Search::descend() {
  std::vector<double> g(node_.g, node_.g + size_);  // of f at x
  std::vector<double> k(at(size_));
  const auto move = [&](int i, double step) {
    k[at(i)] += step;
    for (int a = 0; a < size_; ++a) {
      g[at(a)] += step * convex_.row(i)[a];
    }
  };
  for (int i = 0; i < size_; ++i) {
    k[at(i)] = node_.y[i];
    if (const double step = std::nearbyint(node_.y[i]) - node_.y[i]; step != 0.0) {
      move(i, step);
      k[at(i)] = std::nearbyint(node_.y[i]);
    }
  }
  const double* inverse = num::elements(convex_.inverse.data());
  for (int changes = 0; changes < 2 * size_ && !pace_(2 * size_); ++changes) {
    int best = -1;
    double best_step = 0.0;
    double least = -slack_;
    for (int i = 0; i < size_; ++i) {
      const double to = std::clamp(
          std::nearbyint(k[at(i)] - g[at(i)] * inverse[i]), 0.0, double(top_));
      const double step = to - k[at(i)];
      const double change = step * (g[at(i)] + 0.5 * step * convex_.row(i)[i]);
      if (change < least) {
        least = change;
        best = i;
        best_step = step;
      }
    }
    if (best < 0) {
      break;
    }
    move(best, best_step);
  }
  for (int i = 0; i < size_; ++i) {
    x_[at(i)] = static_cast<std::uint8_t>(k[at(i)]);
  }
}

// Excludes levels whose term in g exceeds `bound`.
void LevelSearch::Search::restrict(double bound) {
  const double gap = most() - bound;
  for (int i = 0; i < size_; ++i) {
    const double g = node_.g[i];
    if (std::abs(g) * top_ > gap) {
      const double room = std::floor(gap / std::abs(g));
      (g > 0.0 ? node_.hi[i] : node_.lo[i]) = g > 0.0 ? room : top_ - room;
    }
  }
}

// Sets y to the fixed levels and moves their part of f into base_.
void LevelSearch::Search::settle_fixed() {
  const double* c = num::elements(c_.data());
  const double* shift = num::elements(convex_.shift.data());
  free_.clear();
  base_ = 0.0;
  for (int i = 0; i < size_; ++i) {
    if (node_.lo[i] < node_.hi[i]) {
      free_.push_back(i);
      continue;
    }
    const double level = node_.lo[i];
    x_[at(i)] = static_cast<std::uint8_t>(level);
    base_ += 0.5 * shift[i] * level * (top_ - level);
    if (const double step = level - node_.y[i]; step != 0.0) {
      for (int a = 0; a < convex_.stride; ++a) {
        node_.g[a] += step * convex_.row(i)[a];
      }
      node_.y[i] = level;
    }
  }
  for (int i = 0; i < size_; ++i) {
    base_ += 0.5 * node_.y[i] * (node_.g[i] + c[i]);
  }
  for (const int i : free_) {
    const double g = node_.g[i];
    base_ += g * ((g > 0.0 ? node_.lo[i] : node_.hi[i]) - node_.y[i]);
  }
}

// Orders free coefficients.  The search starts at R's last rows: coefficients at the
// border of the box, and last the coefficient with the largest gradient.
void LevelSearch::Search::order() {
  std::ranges::stable_sort(free_, [&](int a, int b) {
    const bool in_a = inside(a);
    return in_a != inside(b) ? in_a
                             : !in_a && std::abs(node_.g[a]) < std::abs(node_.g[b]);
  });
}

// Searches few nodes first, then all nodes in a better order.
void LevelSearch::Search::search_tree() {
  const int last = static_cast<int>(free_.size()) - 1;
  budget_ = std::min(settings_.max_nodes, kMaxNodes);
  descend_into(last);
  if (!open_ || pace_.stopped() || budget_ == settings_.max_nodes ||
      !order_by_variance() || !factorise(false)) {
    return;
  }
  open_ = false;
  budget_ = settings_.max_nodes;
  descend_into(last);
}

// The number of free coefficients inside the box, which come first.
std::size_t LevelSearch::Search::inner() const {
  const auto border = std::ranges::find_if(free_, [&](int i) { return !inside(i); });
  return at(border - free_.begin());
}

// Orders coefficients inside the box as V-BLAST does (P. W. Wolniansky et al., ISSSE
// 1998): repeatedly gives the last free row of R to the coefficient of least variance.
// Variances are the diagonal of the inverse.
// Returns false if rounding makes the order useless.
bool LevelSearch::Search::order_by_variance() {
  const std::size_t r = inner();
  std::vector<double> a(r * r);
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t k = 0; k < r; ++k) {
      a[i * r + k] = convex_.row(free_[i])[free_[k]];
    }
  }
  // Sweeping all rows of A gives minus its inverse; sweeping row p again gives minus
  // the inverse without p.
  const auto sweep = [&](std::size_t p) {
    const double pivot = a[p * r + p];
    for (std::size_t i = 0; i < r; ++i) {
      const double factor = a[i * r + p] / pivot;
      for (std::size_t k = 0; i != p && k < r; ++k) {
        a[i * r + k] -= k != p ? factor * a[p * r + k] : 0.0;
      }
    }
    for (std::size_t i = 0; i < r; ++i) {
      a[i * r + p] /= pivot;
      a[p * r + i] = a[i * r + p];
    }
    a[p * r + p] = -1.0 / pivot;
    return pivot;
  };
  for (std::size_t p = 0; p < r; ++p) {
    if (!(sweep(p) > 0.0) || pace_(static_cast<std::int64_t>(r * r))) {
      return false;
    }
  }
  std::vector<std::size_t> left(r);
  std::iota(left.begin(), left.end(), std::size_t{0});
  const std::vector<int> before(free_.begin(), free_.begin() + std::ssize(left));
  for (std::size_t row = r; row-- > 0;) {
    const auto next =
        std::ranges::max_element(left, {}, [&](std::size_t i) { return a[i * r + i]; });
    const std::size_t p = *next;
    if (!(a[p * r + p] < 0.0) || pace_(static_cast<std::int64_t>(r * r))) {
      return false;
    }
    free_[row] = before[p];
    left.erase(next);
    sweep(p);
  }
  return true;
}

// Computes R of free coefficients.  If `choose`, the least pivot among coefficients
// inside the box goes first, so that rows at the start of the search have large pivots.
// Returns false if J + D is not positive semidefinite, because of rounding.
bool LevelSearch::Search::factorise(bool choose) {
  const std::size_t r = free_.size();
  std::vector<double> a(r * r);
  factor_.assign(r * r, 0.0);
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t k = 0; k < r; ++k) {
      a[i * r + k] = convex_.row(free_[i])[free_[k]];
    }
  }
  const auto swap = [&](std::size_t p, std::size_t q) {
    std::swap(free_[p], free_[q]);
    for (std::size_t t = 0; t < r; ++t) {
      std::swap(a[p * r + t], a[q * r + t]);
    }
    for (std::size_t t = 0; t < r; ++t) {
      std::swap(a[t * r + p], a[t * r + q]);
      std::swap(factor_[t * r + p], factor_[t * r + q]);
    }
  };
  const std::size_t chosen = choose ? inner() : 0;
  for (std::size_t p = 0; p < r; ++p) {
    if (pace_(static_cast<std::int64_t>((r - p) * (r - p)))) {
      return false;
    }
    std::size_t least = p;
    for (std::size_t t = p + 1; t < chosen; ++t) {
      least = a[t * r + t] < a[least * r + least] ? t : least;
    }
    if (least != p) {
      swap(p, least);
    }
    const double pivot = a[p * r + p];
    if (pivot <= 0.0) {
      if (convex_.row(free_[p])[free_[p]] == 0.0) {
        continue;  // leaves a row of zeros
      }
      return false;
    }
    const double root = std::sqrt(pivot);
    factor_[p * r + p] = root;
    for (std::size_t t = p + 1; t < r; ++t) {
      factor_[p * r + t] = a[p * r + t] / root;
    }
    for (std::size_t i = p + 1; i < r; ++i) {
      for (std::size_t k = p + 1; k < r; ++k) {
        a[i * r + k] -= factor_[p * r + i] * factor_[p * r + k];
      }
    }
  }
  cost_.assign(r + 1, 0.0);
  cost_[r] = base_;
  step_.assign(r, 0.0);
  return true;
}

// Returns a level's contribution to the bound, without that of D,
// which increases with the distance from its minimum.
// `before` is the contribution of later rows to this row.
double LevelSearch::Search::part(int row, double before, int level) const {
  const int i = free_[at(row)];
  const double g = node_.g[i];
  const double miss = factor(row, row) * (level - node_.y[i]) + before;
  return 0.5 * miss * miss + g * (level - (g > 0.0 ? node_.lo[i] : node_.hi[i]));
}

void LevelSearch::Search::descend_into(int row) {
  if (row < 0) {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      const int i = free_[r];
      x_[at(i)] = static_cast<std::uint8_t>(std::lround(node_.y[i] + step_[r]));
    }
    offer();
    return;
  }
  const int i = free_[at(row)];
  const double own = factor(row, row);
  const double g = node_.g[i];
  double before = 0.0;
  for (int t = row + 1; t < static_cast<int>(free_.size()); ++t) {
    before += factor(row, t) * step_[at(t)];
  }
  double centre = g > 0.0 ? node_.lo[i] : node_.hi[i];
  if (own > 0.0) {
    centre = node_.y[i] - (before + g / own) / own;
  } else if (g == 0.0) {
    centre = node_.y[i];
  }
  centre = std::clamp(centre, node_.lo[i], node_.hi[i]);
  const int low = static_cast<int>(node_.lo[i]);
  const int high = static_cast<int>(node_.hi[i]);
  const double half_shift = 0.5 * num::elements(convex_.shift.data())[i];
  int level = static_cast<int>(std::nearbyint(centre));
  int up = level + 1;
  int down = level - 1;
  for (;;) {
    if (++nodes_ > budget_ || pace_(16)) {
      open_ = true;
      return;
    }
    const double cost = cost_[at(row) + 1] + part(row, before, level);
    if (cost > most()) {
      return;
    }
    cost_[at(row)] = cost + half_shift * level * (top_ - level);
    if (cost_[at(row)] <= most()) {
      step_[at(row)] = level - node_.y[i];
      descend_into(row - 1);
      if (open_) {
        return;
      }
    }
    if (up > high && down < low) {
      return;
    }
    const bool go_up = up <= high && (down < low || up - centre <= centre - down);
    level = go_up ? up++ : down--;
  }
}

void LevelSearch::Search::offer() {
  pool_.insert(energy(), x_);
}

TwoDoubles LevelSearch::Search::energy() const {
  ExactSum sum;
  for (int a = 0; a < size_; ++a) {
    const double k = x_[at(a)];
    if (k == 0.0) {
      continue;
    }
    const double* row = j_.row(a);
    sum.add(k * h_[at(a)]);
    sum.add(0.5 * row[a] * (k * k));
    for (int b = 0; b < a; ++b) {
      if (x_[at(b)] != 0) {
        sum.add(row[b] * (k * x_[at(b)]));
      }
    }
  }
  return sum.two();
}

// A node whose bound exceeds this contains no wanted solution.
double LevelSearch::Search::most() const {
  return pool_.full() ? pool_.worst().energy + slack_ : kFarUp;
}

LevelSearch::LevelSearch(const qubo::Matrix& j,
                         int levels,
                         const Settings& settings,
                         const Stop& stop)
    : search_(std::make_unique<Search>(j, levels, settings, stop)) {}
LevelSearch::LevelSearch(LevelSearch&&) noexcept = default;
LevelSearch& LevelSearch::operator=(LevelSearch&&) noexcept = default;
LevelSearch::~LevelSearch() = default;

Result LevelSearch::solve(std::span<const double> h, const Stop& stop) {
  return search_->solve(h, stop);
}

}  // namespace oa::solve
