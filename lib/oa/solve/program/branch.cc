#include "oa/solve/program/branch.h"

#include "oa/base/index.h"
#include "oa/solve/program/cuts.h"
#include "oa/solve/program/propagation.h"
#include "oa/solve/program/pseudo_costs.h"
#include "oa/solve/program/relaxation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kWhole = 1e-6;             // a value so close to 0 or 1 is whole
constexpr std::int64_t kMaxSize = 200'000;  // of the program: columns plus rows
constexpr std::int64_t kMaxEntries = 5'000'000;
constexpr int kMaxProducts = 3;  // for each variable; bounds are weak with more
constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr int kReliable = 4;   // known gains that make a variable predictable
constexpr int kMaxTries = 10;  // variables tried at a node
constexpr int kCutRounds = 30;
constexpr int kPatience = 4;          // rounds of cuts with little gain
constexpr double kLittle = 1e-3;      // gain of a round / gain of all rounds
constexpr std::size_t kMinCuts = 50;  // minimum for a round
constexpr std::size_t kMaxCuts = 500;
constexpr Whole kNoValue = Whole{1} << 125;  // above every value and bound

WholeProgram tight(WholeProgram p) {
  for (qubo::ProgramRow& row : p.rows) {
    row = tightened(std::move(row));
  }
  return p;
}

}  // namespace

class BranchAndBound::Search {
 public:
  Search(const WholeProgram& p, Events events)
      : p_(p),
        linear_(tight(linearised(p))),
        events_(std::move(events)),
        values_(linear_.rows, linear_.size()),
        relaxation_(linear_),
        costs_(linear_.size()) {
    open(Node{});
  }

  void know(Whole value) {
    if (value < best_) {
      best_ = value;
      relaxation_.set_cutoff(value);
    }
  }

  bool run(std::int64_t nodes, std::int64_t work, const Stop& stop) {
    Pace pace(stop);
    stop_ = &stop;
    pace_ = &pace;
    most_work_ = relaxation_.work() + work;
    while (!decided() && nodes-- > 0 && !enough_ && !spent()) {
      visit(next_ >= 0 ? std::exchange(next_, -1) : open_.begin()->second);
      tell();
    }
    return decided();
  }

 private:
  struct Node {
    Whole bound = -kNoValue;
    double least = 0.0;     // bound of the parent, unrounded
    double distance = 0.0;  // of the value from the parent's solution
    int parent = -1;
    std::int32_t variable = -1;
    std::uint8_t value = 0;
  };

  void open(const Node& node) {
    open_.emplace(node.bound, static_cast<int>(nodes_.size()));
    nodes_.push_back(node);
  }

  [[nodiscard]] bool closed(Whole bound) const { return bound >= best_; }

  /// True if no open node can improve on the best x.
  [[nodiscard]] bool decided() const {
    return open_.empty() || closed(open_.begin()->first);
  }

  [[nodiscard]] bool spent() const {
    return relaxation_.work() >= most_work_ || (*stop_)();
  }

  /// Reports the lowest bound of open nodes.
  void tell() {
    const Whole bound = open_.empty() ? best_ : std::min(best_, open_.begin()->first);
    if (bound > told_ && bound < kNoValue) {
      told_ = bound;
      events_.bounded(bound);
    }
  }

  void visit(int number) {
    Node& node = nodes_[at(number)];
    open_.erase({node.bound, number});
    const bool follows = node.parent == entered_ && number > 0;
    entered_ = -1;
    if (closed(node.bound)) {
      return;
    }
    bool divides = enter(number, follows) && look(node);
    if (divides) {
      dive();
    }
    std::optional<std::int32_t> i;
    while (divides && !(i = choose()) && !(*stop_)()) {
      divides = values_.propagate(*pace_) && look(node);
    }
    if ((*stop_)()) {
      open_.emplace(node.bound, number);
    } else if (divides) {
      entered_ = number;
      divide(number, *i);
    }
  }

  /// Sets the values of a node.  Returns false if these values violate a row.
  bool enter(int number, bool follows) {
    std::vector<int> path;
    if (!follows) {
      values_.undo(root_);
      if (number > 0 && best_ < fixed_for_) {
        fixed_for_ = best_;
        if (!fix(at_root_)) {
          return false;
        }
        root_ = values_.length();
      }
    }
    for (int k = number; k > 0 && (path.empty() || !follows);
         k = nodes_[at(k)].parent) {
      path.push_back(k);
    }
    bool right = values_.propagate(*pace_);
    for (auto k = path.rbegin(); k != path.rend() && right; ++k) {
      const auto& [bound, least, distance, parent, i, value] = nodes_[at(*k)];
      right = values_.open(i) ? values_.set(i, value) && values_.propagate(*pace_)
                              : values_.values()[at(i)] == value;
    }
    return right;
  }

  /// Solves a node's linear program.  Returns false if the node is closed.
  bool look(Node& node) {
    const bool root = node.variable < 0;
    for (bool again = true; again;) {
      solved_ = relaxation_.solve(values_.values(), *stop_);
      node.bound = std::max(node.bound, relaxation_.rounded(solved_.least));
      if ((*stop_)()) {
        return false;
      }
      if (!root && node.distance > 0.0) {
        const double gain = relaxation_.in_units(solved_.least) - node.least;
        costs_.learn(node.variable, node.value, std::max(0.0, gain) / node.distance);
        node.distance = 0.0;
      }
      if (solved_.empty || closed(node.bound)) {
        return false;
      }
      if (solved_.solved) {
        offer();
      }
      if (closed(node.bound) || !fix(solved_)) {
        return false;
      }
      again = contradicts() || (root && add_cuts());
    }
    if (root) {
      at_root_ = solved_;
      root_ = values_.length();
    }
    return true;
  }

  /// Fixes variables by reduced costs.  Returns false if a row fails.
  bool fix(const Relaxed& solved) {
    if (best_ == kNoValue) {
      return true;
    }
    const std::vector<Whole>& slopes = solved.function.slopes;
    const Whole most = relaxation_.most_below(best_) - solved.least;
    for (std::int32_t i = 0; i < linear_.size(); ++i) {
      const Whole slope = slopes[at(i)];
      if ((slope < 0 ? -slope : slope) > most && values_.open(i) &&
          !values_.set(i, slope < 0 ? 1 : 0)) {
        return false;
      }
    }
    return values_.propagate(*pace_);
  }

  /// True if a fixed variable has another value in the linear program's solution.
  [[nodiscard]] bool contradicts() const {
    for (std::size_t i = 0; i < solved_.x.size(); ++i) {
      const std::uint8_t value = values_.values()[i];
      if (value != Propagation::kUnset && std::abs(solved_.x[i] - value) > 0.5) {
        return solved_.solved;
      }
    }
    return false;
  }

  /// Adds violated cuts to the root program as long as its bound rises.
  bool add_cuts() {
    if (!solved_.solved || cut_rounds_ == kCutRounds) {
      return false;
    }
    const double least = relaxation_.in_units(solved_.least);
    if (cut_rounds_ == 0) {
      first_ = last_ = least;
    }
    const bool little = least - last_ <= kLittle * (least - first_);
    idle_ = little ? idle_ + 1 : 0;
    last_ = std::max(last_, least);
    ++cut_rounds_;
    relaxation_.drop_slack(solved_.x);
    if (idle_ == kPatience) {
      return false;
    }
    if (!cuts_) {
      cuts_.emplace(linear_.rows, linear_.size());
    }
    std::vector<qubo::ProgramRow> found =
        cuts_->find(solved_.x, std::clamp(linear_.rows.size() / 4, kMinCuts, kMaxCuts));
    const bool any = !found.empty();
    relaxation_.add(std::move(found));
    return any;
  }

  /// Rounds the linear program's solution to an x, and offers this x.
  void offer() {
    std::vector<std::uint8_t> x;
    for (int i = 0; i < p_.size(); ++i) {
      x.push_back(solved_.x[at(i)] > 0.5 ? 1 : 0);
    }
    offer(x);
  }

  void offer(const std::vector<std::uint8_t>& x) {
    if (!feasible(p_.rows, x)) {
      return;
    }
    const Whole value = value_of(p_, x);
    if (value < best_) {
      know(value);
      enough_ = events_.improved(x);
    }
  }

  [[nodiscard]] double distance(std::int32_t i) const {
    return values_.open(i) ? std::min(solved_.x[at(i)], 1.0 - solved_.x[at(i)]) : 0.0;
  }

  /// Repeatedly rounds a variable near 0 or 1 (every other time to 1) and solves again,
  /// until all variables are whole.
  void dive() {
    constexpr int kTurns = 8;
    if (made_++ < next_dive_ || !solved_.solved) {
      return;
    }
    next_dive_ = 2 * made_;
    const bool upwards = dives_++ % 2 != 0;
    const std::size_t length = values_.length();
    const Relaxed kept = solved_;
    for (int turns = 0; turns < kTurns && !spent();) {
      std::int32_t nearest = -1;
      for (std::int32_t i = 0; i < p_.size(); ++i) {
        if (distance(i) > kWhole &&
            (nearest < 0 || (upwards ? solved_.x[at(i)] > solved_.x[at(nearest)]
                                     : distance(i) < distance(nearest)))) {
          nearest = i;
        }
      }
      if (nearest < 0) {
        break;
      }
      const std::uint8_t value = upwards || solved_.x[at(nearest)] > 0.5 ? 1 : 0;
      const std::size_t before = values_.length();
      if (!follow(nearest, value)) {
        values_.undo(before);
        turns += 1;
        if (!follow(nearest, value == 0 ? 1 : 0)) {
          break;
        }
      }
    }
    values_.undo(length);
    solved_ = kept;
  }

  /// Sets a variable in a dive.  Returns false if no better x remains.
  bool follow(std::int32_t i, std::uint8_t value) {
    if (!values_.set(i, value) || !values_.propagate(*pace_)) {
      return false;
    }
    solved_ = relaxation_.solve(values_.values(), *stop_);
    if (!solved_.solved || closed(relaxation_.rounded(solved_.least))) {
      return false;
    }
    offer();
    return fix(solved_);
  }

  void divide(int number, std::int32_t i) {
    if (i < 0) {  // all variables are set, and all rows hold
      offer({values_.values().begin(), values_.values().begin() + p_.size()});
      return;
    }
    const Whole bound = nodes_[at(number)].bound;
    const double x = solved_.solved ? std::clamp(solved_.x[at(i)], 0.0, 1.0) : 0.5;
    const std::uint8_t nearest = x > 0.5 ? 1 : 0;
    for (const std::uint8_t value : {std::uint8_t(1 - nearest), nearest}) {
      open({.bound = bound,
            .least = relaxation_.in_units(solved_.least),
            .distance = solved_.solved ? std::abs(value - x) : 0.0,
            .parent = number,
            .variable = i,
            .value = value});
    }
    next_ = static_cast<int>(nodes_.size()) - 1;
  }

  /// The branching variable, preferably a variable of the original program; -1 if none
  /// is open.  Empty if a variable was set because its other value is closed.
  std::optional<std::int32_t> choose() {
    std::vector<std::pair<double, std::int32_t>> all;
    std::int32_t any = -1;
    for (std::int32_t i = 0; i < linear_.size(); ++i) {
      if (i == p_.size() && any >= 0) {
        break;
      }
      any = any < 0 && values_.open(i) ? i : any;
      if (solved_.solved && distance(i) > kWhole) {
        all.emplace_back(-costs_.score(i, solved_.x[at(i)]), i);
      }
    }
    std::ranges::sort(all);
    double most = 0.0;
    int tries = 0;
    for (const auto& [less, i] : all) {
      double score = -less;
      if (costs_.known(i) < kReliable && tries < kMaxTries && !spent()) {
        ++tries;
        const double zero = gain(i, 0);
        const double one = gain(i, 1);
        if (zero == kEndless || one == kEndless) {
          if (!(*stop_)()) {
            values_.set(i, zero == kEndless ? 1 : 0);
          }
          return std::nullopt;
        }
        score = PseudoCosts::product(zero, one);
      }
      if (score > most) {
        most = score;
        any = i;
      }
    }
    return any;
  }

  /// The rise of the bound if a variable gets `value`; endless if no better x remains.
  double gain(std::int32_t i, std::uint8_t value) {
    const std::size_t length = values_.length();
    double gain = kEndless;
    if (values_.set(i, value) && values_.propagate(*pace_)) {
      const Relaxed tried = relaxation_.solve(values_.values(), *stop_);
      if (!tried.empty && !closed(relaxation_.rounded(tried.least))) {
        gain = std::max(0.0, relaxation_.in_units(tried.least - solved_.least));
        costs_.learn(i, value, gain / std::abs(value - solved_.x[at(i)]));
      }
    }
    values_.undo(length);
    return gain;
  }

  const WholeProgram& p_;
  WholeProgram linear_;
  Events events_;
  Propagation values_;
  LinearRelaxation relaxation_;
  PseudoCosts costs_;
  std::optional<Cuts> cuts_;
  std::vector<Node> nodes_;
  std::set<std::pair<Whole, int>> open_;
  Whole best_ = kNoValue;
  Whole told_ = -kNoValue;
  Relaxed solved_;              // of the last program
  Relaxed at_root_;             // of the root program with cuts
  Whole fixed_for_ = kNoValue;  // best value when at_root_ fixed variables
  int next_ = -1;               // child of the last node
  int entered_ = -1;            // node whose values are set
  std::size_t root_ = 0;        // number of values that hold everywhere
  bool enough_ = false;
  std::int64_t most_work_ = 0;
  std::int64_t made_ = 0;  // branched nodes
  std::int64_t next_dive_ = 0;
  int dives_ = 0;
  int cut_rounds_ = 0;
  int idle_ = 0;
  double first_ = 0.0;
  double last_ = 0.0;
  const Stop* stop_ = nullptr;
  Pace* pace_ = nullptr;
};

bool BranchAndBound::suits(const WholeProgram& p) {
  std::int64_t entries = 0;
  std::int64_t size = p.size() + std::ssize(p.rows);
  for (const qubo::ProgramRow& row : p.rows) {
    entries += std::ssize(row.entries);
  }
  for (const WholeProgram::Product& product : p.products) {
    entries += 2 * std::ssize(product.variables);
    size += 1 + (product.weight < 0 ? std::ssize(product.variables) : 1);
  }
  const bool few = std::ssize(p.products) <= kMaxProducts * p.size();
  return few && size <= kMaxSize && entries <= kMaxEntries &&
         LinearProgram::available();
}

BranchAndBound::BranchAndBound(const WholeProgram& p, Events events)
    : search_(std::make_unique<Search>(p, std::move(events))) {}

BranchAndBound::~BranchAndBound() = default;

void BranchAndBound::know(Whole value) {
  search_->know(value);
}

bool BranchAndBound::run(std::int64_t nodes, std::int64_t work, const Stop& stop) {
  return search_->run(nodes, work, stop);
}

}  // namespace oa::solve
