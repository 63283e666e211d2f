#include "oa/solve/exact/tree/blocks.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr std::int64_t kMaxEdges = 2'000'000;  // 64 bytes an edge as integers
constexpr double kBlockShare =
    0.8;  // of the remaining time: for a block, and for its first value

/// True if a graph with this many edges can have a cut vertex:
/// at most a complete graph of n - 1 vertices with one more vertex attached.
bool may_fall_apart(const qubo::Quadratic& f) {
  const std::int64_t n = f.size();
  return n > 2 && f.pairs() <= std::min(kMaxEdges, (n - 1) * (n - 2) / 2 + 1);
}

/// A block without its head: the head attaches the block to the rest.
struct Block {
  int head;
  std::vector<int> others;
};

/// Finds blocks by depth-first search (Hopcroft and Tarjan,
/// "Efficient algorithms for graph manipulation", 1973).
class Walk {
 public:
  explicit Walk(const WholeFunction& f)
      : f_(f),
        turn_(at(f.size())),
        earliest_(at(f.size())) {}

  /// Returns the blocks of the component of `root`.
  /// A block comes after all blocks attached to its variables.
  std::vector<Block> from(int root) {
    walk(root);
    for (int i = 0; i < f_.size(); ++i) {
      if (turn_[at(i)] == 0) {
        walk(i);
      }
    }
    return std::move(blocks_);
  }

 private:
  struct Visit {
    int variable;
    std::size_t next = 0;  // next coupling to follow
  };

  void arrive(int i) {
    turn_[at(i)] = earliest_[at(i)] = ++turns_;
    path_.push_back({i});
    open_.push_back(i);
  }

  void walk(int root) {
    arrive(root);
    while (!path_.empty()) {
      Visit& here = path_.back();
      const std::vector<WholeCoupling>& row = f_.rows[at(here.variable)];
      if (here.next == row.size()) {
        leave();
        continue;
      }
      const int other = row[here.next++].other;
      if (turn_[at(other)] == 0) {
        arrive(other);
      } else {
        int& earliest = earliest_[at(here.variable)];
        earliest = std::min(earliest, turn_[at(other)]);
      }
    }
    open_.clear();
  }

  void leave() {
    const int i = path_.back().variable;
    path_.pop_back();
    if (path_.empty()) {
      return;
    }
    const int head = path_.back().variable;
    earliest_[at(head)] = std::min(earliest_[at(head)], earliest_[at(i)]);
    if (earliest_[at(i)] >= turn_[at(head)]) {
      // Paths from these variables do not pass `head`.
      const auto found = std::find(open_.rbegin(), open_.rend(), i);
      const auto first = found.base() - 1;
      blocks_.push_back({head, {first, open_.end()}});
      open_.erase(first, open_.end());
    }
  }

  const WholeFunction& f_;
  std::vector<int> turn_;      // time at which a variable was reached; 0: not yet
  std::vector<int> earliest_;  // earliest time reachable from it or its descendants
  int turns_ = 0;
  std::vector<Visit> path_;
  std::vector<int> open_;  // reached, but in no block yet
  std::vector<Block> blocks_;
};

/// Returns the blocks attached to the largest block.  A first search finds the size of
/// the largest block; a second search starts inside it.
std::vector<Block> hanging_blocks(const WholeFunction& f) {
  const auto size = [](const Block& block) { return block.others.size(); };
  const std::vector<Block> any = Walk(f).from(0);
  if (any.size() < 2) {
    return {};
  }
  const Block& largest = *std::ranges::max_element(any, {}, size);
  std::vector<Block> blocks = Walk(f).from(largest.head);
  blocks.erase(std::ranges::find_if(blocks, [&](const Block& block) {
    return block.head == largest.head && size(block) == size(largest);
  }));
  return blocks;
}

Whole value_of(const WholeFunction& f, std::span<const std::uint8_t> x) {
  Whole sum = 0;
  for (int i = 0; i < f.size(); ++i) {
    if (x[at(i)] != 0) {
      sum += f.linear[at(i)];
      for (const WholeCoupling& c : f.rows[at(i)]) {
        sum += c.other < i && x[at(c.other)] != 0 ? c.weight : 0;
      }
    }
  }
  return sum;
}

std::vector<std::uint8_t> values(std::span<const std::uint8_t> x,
                                 std::span<const int> variables) {
  std::vector<std::uint8_t> some;
  for (const int i : variables) {
    some.push_back(x[at(i)]);
  }
  return some;
}

std::vector<std::uint8_t> complement(std::vector<std::uint8_t> x) {
  for (std::uint8_t& value : x) {
    value ^= 1U;
  }
  return x;
}

/// The remaining problem while blocks are removed.
class Trunk {
 public:
  Trunk(const PartTask& task, WholeFunction f)
      : task_(task),
        f_(std::move(f)),
        removed_(at(f_.size())),
        needed_(at(f_.size())),
        place_(at(f_.size()), kElsewhere) {}

  /// Replaces proved blocks by linear terms.  Returns true if there are any.
  /// A block may be as hard as all others together.
  bool cut(std::vector<Block> blocks, const PartProver& prove_block, const Stop& stop) {
    for (Block& block : blocks) {
      const bool bare =
          std::ranges::none_of(block.others, [&](int i) { return needed_[at(i)]; });
      if (!bare || stop() || !cut(block, prove_block, stop.share(kBlockShare))) {
        needed_[at(block.head)] = true;
      }
    }
    return !cuts_.empty();
  }

  /// Solves the remaining problem.
  Result solve(const PartProver& solve_rest, const Stop& stop) {
    std::vector<int> variables;
    for (int i = 0; i < f_.size(); ++i) {
      if (!removed_[at(i)]) {
        variables.push_back(i);
      }
    }
    qubo::Quadratic f = in_doubles(restricted(variables));
    ExactSum constant;
    constant.add(task_.f.offset);
    for (const qubo::Term& t : task_.f.rests()) {
      constant.add(t.first == qubo::kConstant ? t.weight : 0.0);
    }
    const TwoDoubles of_cuts = in_doubles(offset_, f_.unit);
    constant.add(of_cuts.value);
    constant.add(of_cuts.rest);
    f.add_constant(std::move(constant));

    const Solution known = solution(f, values(task_.known.x, variables));
    PartTask task{.f = f,
                  .settings = task_.settings,
                  .known = known,
                  .threads = task_.threads,
                  .target = task_.target,
                  .bounded = task_.bounded};
    task.settings.max_nodes -= nodes_;
    for (const std::vector<std::uint8_t>& x : task_.starts) {
      task.starts.push_back(values(x, variables));
    }
    if (task_.improved) {
      task.improved = [&](std::span<const std::uint8_t> y) {
        task_.improved(whole(y, variables));
      };
    }
    if (task.improved) {
      task.improved(known.x);
    }
    Result result = solve_rest(task, stop);
    for (Solution& s : result.best) {
      s = solution(task_.f, whole(s.x, variables));
    }
    result.nodes += nodes_;
    return result;
  }

 private:
  static constexpr int kElsewhere = -1;

  /// A removed block with its optima.
  struct Cut {
    Block block;
    std::vector<std::uint8_t> at_zero;  // its optimum if the head is 0
    std::vector<std::uint8_t> at_one;
  };

  static Solution solution(const qubo::Quadratic& f, std::vector<std::uint8_t> x) {
    const TwoDoubles energy = exact_energy(f, x).two();
    return {energy, std::move(x)};
  }

  bool cut(Block& block, const PartProver& prove_block, const Stop& stop) {
    WholeFunction f = restricted(block.others);
    auto zero = minimum(
        f, values(task_.known.x, block.others), prove_block, stop.share(kBlockShare));
    if (!zero) {
      return false;
    }
    const Whole at_zero = value_of(f, *zero);
    const bool symmetric = add_head(block, f);
    auto one = symmetric ? complement(*zero) : minimum(f, *zero, prove_block, stop);
    if (!one) {
      return false;
    }
    offset_ += at_zero;
    f_.linear[at(block.head)] += value_of(f, *one) - at_zero;
    for (const int i : block.others) {
      removed_[at(i)] = true;
    }
    cuts_.push_back({std::move(block), *std::move(zero), *std::move(one)});
    return true;
  }

  /// Changes a block's function from head 0 to head 1.  Returns true if the minima for
  /// head 1 are those for head 0, inverted, as for spins without fields.
  bool add_head(const Block& block, WholeFunction& f) {
    bool symmetric = true;
    for (std::size_t k = 0; k < block.others.size(); ++k) {
      Whole twice = 2 * f.linear[k];  // plus couplings in the block
      for (const WholeCoupling& c : f.rows[k]) {
        twice += c.weight;
      }
      for (const WholeCoupling& c : f_.rows[at(block.others[k])]) {
        if (c.other == block.head) {
          f.linear[k] += c.weight;
          twice += c.weight;
        }
      }
      symmetric = symmetric && twice == 0;
    }
    return symmetric;
  }

  /// Returns a proved minimum, if found in time.
  std::optional<std::vector<std::uint8_t>> minimum(const WholeFunction& whole,
                                                   std::vector<std::uint8_t> x,
                                                   const PartProver& prove_block,
                                                   const Stop& stop) {
    const qubo::Quadratic f = in_doubles(whole);
    const Solution known = solution(f, std::move(x));
    PartTask task{
        .f = f, .settings = task_.settings, .known = known, .threads = task_.threads};
    task.settings.max_nodes -= nodes_;
    Result result = prove_block(task, stop);
    nodes_ += result.nodes;
    if (result.status != qubo::Status::ProvedOptimal) {
      return std::nullopt;
    }
    return std::move(result.best.front().x);
  }

  /// The function of `variables` alone.
  WholeFunction restricted(std::span<const int> variables) {
    for (std::size_t k = 0; k < variables.size(); ++k) {
      place_[at(variables[k])] = static_cast<int>(k);
    }
    WholeFunction f{f_.unit, {}, {}};
    for (const int i : variables) {
      f.linear.push_back(f_.linear[at(i)]);
      std::vector<WholeCoupling>& row = f.rows.emplace_back();
      for (const WholeCoupling& c : f_.rows[at(i)]) {
        if (const int place = place_[at(c.other)]; place != kElsewhere) {
          row.push_back({place, c.weight});
        }
      }
    }
    for (const int i : variables) {
      place_[at(i)] = kElsewhere;
    }
    return f;
  }

  /// Extends an x of the remaining problem to the original problem.
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> left,
                                                std::span<const int> variables) const {
    std::vector<std::uint8_t> x(removed_.size());
    for (std::size_t k = 0; k < variables.size(); ++k) {
      x[at(variables[k])] = left[k];
    }
    for (auto cut = cuts_.rbegin(); cut != cuts_.rend(); ++cut) {
      const auto& from = x[at(cut->block.head)] != 0 ? cut->at_one : cut->at_zero;
      for (std::size_t k = 0; k < from.size(); ++k) {
        x[at(cut->block.others[k])] = from[k];
      }
    }
    return x;
  }

  const PartTask& task_;
  WholeFunction f_;  // rows still list removed variables
  Whole offset_ = 0;
  std::vector<bool> removed_;
  std::vector<bool> needed_;  // heads of blocks that stay
  std::vector<int> place_;    // scratch of restricted()
  std::vector<Cut> cuts_;
  std::int64_t nodes_ = 0;
};

}  // namespace

std::optional<Result> solve_by_blocks(const PartTask& task,
                                      const PartProver& prove_block,
                                      const PartProver& solve_rest,
                                      double share,
                                      const Stop& stop) {
  if (!may_fall_apart(task.f)) {
    return std::nullopt;
  }
  Pace pace(stop);
  WholeFunction f = in_whole_numbers(task.f, digits_of(task.f).unit, pace);
  if (pace.stopped()) {
    return std::nullopt;
  }
  std::vector<Block> blocks = hanging_blocks(f);
  Trunk trunk(task, std::move(f));
  if (!trunk.cut(std::move(blocks), prove_block, stop.share(share))) {
    return std::nullopt;
  }
  return trunk.solve(solve_rest, stop);
}

}  // namespace oa::solve
