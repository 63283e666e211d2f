#include "oa/solve/exact/box/exact.h"

#include "oa/base/index.h"
#include "oa/solve/exact/box/box.h"
#include "oa/solve/exact/box/convex.h"
#include "oa/solve/exact/box/dual_shift.h"
#include "oa/solve/exact/box/twins.h"
#include "oa/solve/method/collector.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Measured on attention problems of 49 to 625 variables; none is critical.
constexpr int kEnumerate = kMaxEnumerated;  // fewer free variables are enumerated
constexpr int kFirstPasses = 4;             // of coordinate descent, before rounding
constexpr int kRootPasses = 8;              // after rounding
constexpr int kNodePasses = 5;              // at nodes below the root
constexpr int kNarrow = 64;  // smaller matrices are not worth restricting
// The number of nodes of an indefinite problem before the more expensive shift.
constexpr std::int64_t kQuickNodes = 3000;

/// Returns an upper bound of the sum of magnitudes.
double sum_above(std::span<const qubo::Term> rests) {
  double sum = 0.0;
  for (const qubo::Term& t : rests) {
    sum = std::nextafter(sum + std::abs(t.weight), kInfinity);
  }
  return sum;
}

/// A problem over a subset of variables, with all others fixed.
struct Level {
  Convex q;
  std::vector<num::Line> c;                  // linear term
  std::vector<int> variables;                // numbers in the whole problem
  double base = 0.0;                         // energy of fixed variables
  double magnitude = 0.0;                    // sum of |A_ij| and |c_i|
  double error = 0.0;                        // rounding error of base and c
  std::deque<std::vector<num::Line>> nodes;  // one array a depth

  [[nodiscard]] const double* linear() const { return num::elements(c.data()); }

  Node node(int depth) {
    while (std::ssize(nodes) <= depth) {
      nodes.emplace_back(at(4 * q.stride / num::kLine));
    }
    return {nodes[at(depth)].data(), q.stride};
  }

  // Sets node(0) to the problem of the first `size` variables with linear term h;
  // later variables are 0.
  Node begin(std::span<const double> h, int size) {
    c.resize(at(q.stride / num::kLine));
    const Node root = node(0);
    magnitude = q.magnitude + start(q, h, num::elements(c.data()), root);
    std::fill(root.hi + size, root.hi + q.n, 0.0);
    return root;
  }

  // Bounds the rounding error of bounds and energies after `moves` changes of y.
  //
  // Let u = 2^-53, R_i = |c_i| + sum over j of |A_ij|, M = sum of R_i, s = moves.  A
  // move rounds the step (u |A_ik| in g_i), the product (u |A_ik|) and the sum (u R_i).
  // So g_i errs by at most 3 s u R_i, all of g by 3 s u M, and the bound,
  // whose weight of g_i is at most 3/2, by 4.5 s u M.  Summing two terms per lane adds
  // (2 n + 8) u M; storing A_ii = J_ii + D_ii and c_i adds 2 u M;
  // enumeration (at most 24 additions), energies and comparisons add 40 u M.
  // Subnormals: each operation adds the smallest normal number.
  [[nodiscard]] double slack(int moves) const {
    constexpr double kUnit = 0x1p-53;
    const double operations = 5.0 * moves + 2.0 * q.stride + 64.0;
    return error + operations * (kUnit * magnitude +
                                 q.stride * std::numeric_limits<double>::min());
  }
};

}  // namespace

class Exact::Search {
 public:
  Search(const qubo::Matrix& j, const Settings& settings, const Stop& stop)
      : j_(j),
        settings_(settings),
        one_(settings.top == 1 ||
             (settings.top == 2 && std::isfinite(settings.window))),
        window_(settings.top == 1 ? 0.0 : settings.window),
        found_(j, settings.top),
        twins_(j),
        x_(at(j.size())) {
    Level& whole = levels_.emplace_back();
    whole.q = convexified(j, stop);
    whole.variables.resize(at(j.size()));
    std::iota(whole.variables.begin(), whole.variables.end(), 0);
  }

  Result solve(std::span<const double> h,
               const Stop& stop,
               std::span<const std::uint8_t> known,
               std::span<const qubo::Term> rests);
  std::vector<Decision> decisions(std::span<const double> h, double energy);

 private:
  void search(std::span<const double> h);
  double threshold(const Level& level, const Node& v, int moves);
  void explore(std::size_t number, Node v, int depth, double bound, int moves);
  void branch(std::size_t number, Node v, int depth, double bound, int moves);
  void narrow(std::size_t number, const Node& v, double bound, int moves);
  void finish(const Level& level, const Node& v, int moves);
  void fix(const Level& level, const Node& v, int k, double value) const;
  void set(const Level& level, const double* values);

  const qubo::Matrix& j_;
  Settings settings_;
  bool one_;  // wants only solutions within window_ of the best
  double window_;
  Collector found_;
  Twins twins_;
  std::deque<Level> levels_;  // a deque keeps references valid as it grows

  const Stop never_;

  // The current problem.
  int size_ = 0;           // of the leading block
  std::vector<double> h_;  // 0 beyond the leading block
  const Stop* stop_ = nullptr;
  Pace pace_{never_};
  double upper_ = kInfinity;  // upper bound of the lowest energy, with rounding
  double open_ = kInfinity;   // lowest bound of unexplored nodes
  std::int64_t nodes_ = 0;
  std::int64_t budget_ = 0;  // remaining nodes
  bool dual_ = false;        // shifts are those of dual_shift()
  bool use_twins_ = false;

  // Scratch memory.
  std::vector<std::uint8_t> x_;
  std::vector<int> elements_;
  std::vector<double> least_;
  Enumeration all_;
};

Result Exact::Search::solve(std::span<const double> linear,
                            const Stop& stop,
                            std::span<const std::uint8_t> known,
                            std::span<const qubo::Term> rests) {
  size_ = static_cast<int>(linear.size());
  h_.assign(linear.begin(), linear.end());
  h_.resize(at(j_.size()));
  const std::span<const double> h = h_;
  stop_ = &stop;
  pace_ = Pace(stop);
  found_.begin(h, rests);
  if (!known.empty()) {
    found_.offer(known);
  }
  upper_ = kInfinity;
  open_ = kInfinity;
  nodes_ = 0;
  twins_.set_linear(h);
  use_twins_ = twins_.any() && settings_.top == 1 && rests.empty();

  Level& whole = levels_[0];
  whole.error = sum_above(rests);
  budget_ =
      whole.q.lifted ? std::min(settings_.max_nodes, kQuickNodes) : settings_.max_nodes;
  search(h);
  if (open_ < kInfinity && budget_ < settings_.max_nodes && !stop()) {
    // A hard problem is worth a better shift, which depends on h.
    Convex plain;
    const double open = open_;
    dual_ = dual_shift_seconds(whole.q.n) <= stop.left_s();
    if (dual_) {
      plain = std::exchange(whole.q, convexified(j_, h, stop));
    }
    open_ = kInfinity;
    budget_ = settings_.max_nodes;
    search(h);
    open_ = open_ < kInfinity ? std::max(open, open_) : kInfinity;
    if (std::exchange(dual_, false)) {
      whole.q = std::move(plain);
    }
  }
  if (found_.pool().best().empty()) {  // stopped before finding any
    const Node root = whole.begin(h, size_);
    relax(whole.q,
          whole.linear(),
          root,
          {.threshold = kInfinity, .passes = kFirstPasses, .enough = kEnumerate},
          pace_);
    round(whole.q, whole.linear(), root, whole.node(1), pace_);
    set(whole, whole.node(1).y);
    found_.offer(x_);
  }

  Result result = found_.take_result(open_ < kInfinity);
  if (open_ == kInfinity) {
    result.status = qubo::Status::ProvedOptimal;
  }
  result.bound = std::min(open_, result.best[0].energy);
  if (open_ < kInfinity && result.best[0].rest < 0.0) {
    // The exact energy may be below the energy as a double.
    result.bound = std::min(open_, std::nextafter(result.best[0].energy, -kInfinity));
  }
  for (Solution& s : result.best) {
    s.x.resize(at(size_));
  }
  result.nodes = nodes_;
  return result;
}

// Searches the tree with the current shift.
void Exact::Search::search(std::span<const double> h) {
  Level& whole = levels_[0];
  const Node root = whole.begin(h, size_);
  const Relaxed first =
      relax(whole.q,
            whole.linear(),
            root,
            {.threshold = kInfinity, .passes = kFirstPasses, .enough = kEnumerate},
            pace_);
  if (one_ && first.free > kEnumerate) {
    const int moves = first.moves + 3 * whole.q.n;
    const double energy = round(whole.q, whole.linear(), root, whole.node(1), pace_);
    upper_ = std::min(upper_, energy + whole.slack(moves) + window_);
  }
  explore(0, root, 0, first.bound, first.moves);
}

// A node whose bound exceeds this contains no wanted solution.
double Exact::Search::threshold(const Level& level, const Node& v, int moves) {
  double most = std::min(upper_, found_.pool().limit(settings_.window));
  if (found_.pool().full()) {
    const Solution& worst = found_.pool().worst();
    // Energies are multiples of step(): a better energy is at least a step below the
    // worst.  Equal energies matter only if some x here is lexicographically smaller.
    if (found_.step() > 0.0) {
      set(level, v.lo);
      if (!std::ranges::lexicographical_compare(x_, worst.x)) {
        most = std::min(most, worst.energy - 0.5 * found_.step());
      }
    }
  }
  return most - level.base + level.slack(moves);
}

void Exact::Search::explore(
    std::size_t number, Node v, int depth, double bound, int moves) {
  Level& level = levels_[number];
  if (nodes_ >= budget_ || pace_(level.q.stride)) {
    open_ = std::min(open_, level.base + bound - level.slack(moves));
    return;
  }
  ++nodes_;
  // Restricts the matrix below this number of free variables.
  // A smaller matrix is faster, and gives a better bound if the matrix is indefinite.
  int few = kEnumerate;
  if (level.q.lifted && number == 0 && depth < 2) {
    few = std::max(few, level.q.n * 3 / 4);
  } else if (level.q.n > kNarrow) {
    few = std::max(few, level.q.n / 8);
  }
  const int passes = depth == 0 ? kRootPasses : kNodePasses;
  const double most = threshold(level, v, moves + passes * level.q.n);
  const Relaxed r = relax(level.q,
                          level.linear(),
                          v,
                          {.threshold = most, .passes = passes, .enough = few},
                          pace_);
  moves += r.moves;
  bound = std::max(bound, r.bound);
  if (bound > most) {
    return;
  }
  if (r.free <= kEnumerate) {
    finish(level, v, moves);
  } else if (pace_.stopped()) {
    open_ = std::min(open_, level.base + bound - level.slack(moves));
  } else if (r.free <= few) {
    narrow(number, v, bound, moves);
  } else {
    branch(number, v, depth, bound, moves);
  }
}

void Exact::Search::branch(
    std::size_t number, Node v, int depth, double bound, int moves) {
  Level& level = levels_[number];
  // Branches on the most doubtful variable.
  // Without an energy limit, branches on the least doubtful one,
  // so that the first solutions come from enumerating doubtful variables.
  const bool limited = found_.pool().limit(settings_.window) < kInfinity;
  const double sign = limited || upper_ < kInfinity ? 1.0 : -1.0;
  int k = -1;
  double most = -kInfinity;
  for (int i = 0; i < level.q.n; ++i) {
    if (v.lo[i] < v.hi[i]) {
      const double doubt = std::min(v.y[i], 1.0 - v.y[i]);
      const double score = sign * doubt * std::sqrt(level.q.row(i)[i]);
      if (score > most) {
        most = score;
        k = i;
      }
    }
  }
  const double first = v.y[k] > 0.5 ? 1.0 : 0.0;
  const Node child = level.node(depth + 1);
  std::copy_n(v.y, 4 * level.q.stride, child.y);
  fix(level, child, k, first);
  explore(number, child, depth + 1, bound, moves);
  fix(level, v, k, 1.0 - first);
  explore(number, v, std::max(depth, 1), bound, moves);
}

// Fixes a variable and its twins: earlier twins at 0, or later twins at 1.
void Exact::Search::fix(const Level& level, const Node& v, int k, double value) const {
  v.lo[k] = v.hi[k] = value;
  if (!use_twins_) {
    return;
  }
  int twin = level.variables[at(k)];
  while (twin = value > 0.5 ? twins_.next(twin) : twins_.previous(twin), twin >= 0) {
    const auto place = std::ranges::lower_bound(level.variables, twin);
    const auto i = place - level.variables.begin();
    if (place != level.variables.end() && *place == twin && v.lo[i] < v.hi[i]) {
      v.lo[i] = v.hi[i] = value;
    }
  }
}

// Continues on a restricted matrix of the free variables.
void Exact::Search::narrow(std::size_t number, const Node& v, double bound, int moves) {
  if (levels_.size() == number + 1) {
    levels_.emplace_back();
  }
  const Level& from = levels_[number];
  Level& to = levels_[number + 1];
  std::vector<int> free(at(from.q.n));
  free.resize(at(list_free(from.q, v, free.data())));
  to.base = from.base + settle(from.q, from.linear(), v, moves);
  to.error = from.slack(moves);
  set(from, v.lo);
  to.variables.clear();
  std::vector<double> h;
  for (const int i : free) {
    to.variables.push_back(from.variables[at(i)]);
    h.push_back(v.g[i] + 0.5 * num::elements(from.q.shift.data())[i]);
  }
  if (dual_ && number == 0) {
    to.q = convexified(j_.restricted(to.variables), h, *stop_);
  } else {
    to.q = from.q.lifted && !dual_ ? convexified(j_.restricted(to.variables), *stop_)
                                   : restricted(from.q, free);
  }
  to.nodes.clear();
  explore(number + 1, to.begin(h, to.q.n), 0, bound + from.base - to.base, 0);
}

// Enumerates the free variables.
void Exact::Search::finish(const Level& level, const Node& v, int moves) {
  const double base = settle(level.q, level.linear(), v, moves);
  enumerate(level.q, v, base, all_);
  double limit = threshold(level, v, moves);
  if (all_.least > limit) {
    return;
  }
  const double slack = 2.0 * level.slack(moves);
  if (one_) {
    limit = std::min(limit, all_.least + slack + window_);
  }
  select(all_, limit, elements_);
  if (const auto top = settings_.top; top > 1 && std::ssize(elements_) > top) {
    least_.clear();
    for (const int s : elements_) {
      least_.push_back(num::elements(all_.energies.data())[s]);
    }
    std::nth_element(least_.begin(), least_.begin() + top - 1, least_.end());
    select(all_, least_[at(top - 1)] + slack, elements_);
  }
  set(level, v.lo);
  for (const int s : elements_) {
    for (int a = 0; a < all_.free; ++a) {
      x_[at(level.variables[at(all_.variables[at(a)])])] = (s >> a) & 1;
    }
    found_.offer(x_);
  }
}

// Writes the variables of this level to x_.
void Exact::Search::set(const Level& level, const double* values) {
  for (int i = 0; i < level.q.n; ++i) {
    x_[at(level.variables[at(i)])] = values[i] != 0.0 ? 1 : 0;
  }
}

std::vector<Decision> Exact::Search::decisions(std::span<const double> h,
                                               double energy) {
  constexpr int kPasses = 100;
  Level& whole = levels_[0];
  whole.error = 0.0;
  const Node root = whole.begin(h, whole.q.n);
  const double most = energy + whole.slack(kPasses * whole.q.n);
  Pace pace(never_);
  relax(whole.q, whole.linear(), root, {.threshold = most, .passes = kPasses}, pace);
  std::vector<Decision> result;
  for (int i = 0; i < whole.q.n; ++i) {
    result.push_back(root.lo[i] < root.hi[i] ? Decision::Free
                     : root.lo[i] > 0.5      ? Decision::One
                                             : Decision::Zero);
  }
  return result;
}

Exact::Exact(const qubo::Matrix& j, const Settings& settings, const Stop& stop)
    : search_(std::make_unique<Search>(j, settings, stop)) {}
Exact::Exact(Exact&&) noexcept = default;
Exact& Exact::operator=(Exact&&) noexcept = default;
Exact::~Exact() = default;

Result Exact::solve(std::span<const double> h,
                    const Stop& stop,
                    std::span<const std::uint8_t> known,
                    std::span<const qubo::Term> rests) {
  return search_->solve(h, stop, known, rests);
}

std::vector<Decision> Exact::decisions(std::span<const double> h, double energy) {
  return search_->decisions(h, energy);
}

}  // namespace oa::solve
