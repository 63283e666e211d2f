#include "oa/solve/heuristic/descent.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

namespace oa::solve {
namespace {

/// The minimum of many changing numbers: a tree whose leaves are the numbers;
/// each node is the smaller of its two children.
class Least {
 public:
  explicit Least(std::size_t n)
      : leaves_(std::bit_ceil(std::max<std::size_t>(n, 1))),
        node_(2 * leaves_, std::numeric_limits<double>::infinity()) {}

  double* numbers() { return node_.data() + leaves_; }
  double& operator[](std::size_t i) { return numbers()[i]; }

  /// Updates the tree after a change of number i.
  void changed(std::size_t i) {
    for (std::size_t k = (leaves_ + i) / 2; k > 0; k /= 2) {
      node_[k] = std::min(node_[2 * k], node_[2 * k + 1]);
    }
  }

  /// Updates the tree after many changes.
  void all_changed() {
    for (std::size_t k = leaves_; k-- > 1;) {
      node_[k] = std::min(node_[2 * k], node_[2 * k + 1]);
    }
  }

  [[nodiscard]] double value() const { return node_[1]; }

  /// The index of the first smallest number.
  [[nodiscard]] std::size_t place() const {
    std::size_t k = 1;
    while (k < leaves_) {
      k = node_[2 * k] == node_[k] ? 2 * k : 2 * k + 1;
    }
    return k - leaves_;
  }

 private:
  std::size_t leaves_;
  std::vector<double> node_;
};

/// Sets change[i] to f(x with x_i flipped) - f(x); if stopped, to numbers >= 0.
void make_changes(const qubo::Quadratic& f,
                  std::span<const std::uint8_t> x,
                  Least& change,
                  Pace& pace) {
  const bool zero = std::ranges::all_of(x, [](std::uint8_t b) { return b == 0; });
  const std::int64_t work_of_row = 1 + 2 * f.pairs() / std::max(f.size(), 1);
  for (int i = 0; i < f.size(); ++i) {
    double field = f.linear[at(i)];
    if (!zero) {
      if (pace(work_of_row)) {
        return;
      }
      f.row(i).each([&](std::int32_t other, double weight) {
        field += x[at(other)] != 0 ? weight : 0.0;
      });
    }
    change[at(i)] = x[at(i)] != 0 ? -field : field;
  }
  change.all_changed();
}

}  // namespace

std::vector<std::uint8_t> descend(const qubo::Quadratic& f,
                                  std::vector<std::uint8_t> x,
                                  const Stop& stop) {
  Pace pace(stop);
  Least change(x.size());
  make_changes(f, x, change, pace);
  const auto levels = std::bit_width(x.size());
  const bool dense = f.couplings().dense();
  // Each flip lowers f, except for rounding; the limit ends cycles of flips.
  const std::size_t most = 4 * x.size();
  for (std::size_t flips = 0; flips < most && change.value() < 0.0; ++flips) {
    const std::size_t i = change.place();
    const auto row = f.row(static_cast<int>(i));
    const bool many = dense || row.size() * static_cast<std::size_t>(levels) > x.size();
    if (pace(many ? 3 * std::ssize(x) : std::ssize(row) * levels)) {
      break;
    }
    double* changes = change.numbers();
    row.each([changes, bits = x.data(), bit = x[i]](std::int32_t other, double weight) {
      const std::size_t k = at(other);
      changes[k] += bits[k] == bit ? weight : -weight;
    });
    if (!many) {
      row.each([&](std::int32_t other, double) { change.changed(at(other)); });
    }
    change[i] = -change[i];
    x[i] ^= 1;
    if (many) {
      change.all_changed();
    } else {
      change.changed(i);
    }
  }
  return x;
}

void descend_exactly(const qubo::Quadratic& f,
                     std::span<std::uint8_t> x,
                     const Stop& stop) {
  const bool spins = f.vartype == qubo::Vartype::Spin;
  const double sign = f.sense == qubo::Sense::Min ? 1.0 : -1.0;
  const auto value = [&](int i) { return x[at(i)] != 0 ? 1.0 : (spins ? -1.0 : 0.0); };
  std::vector<std::vector<qubo::Coupling>> rests(
      x.size());  // products of a variable with itself are linear
  for (const qubo::Term& t : f.rests()) {
    if (t.first != qubo::kConstant) {
      rests[at(t.first)].push_back({t.second, t.weight});
    }
    if (t.first != t.second) {
      rests[at(t.second)].push_back({t.first, t.weight});
    }
  }
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < f.size() && !stop(); ++i) {
      ExactSum field;
      field.add(f.linear[at(i)]);
      for (const qubo::Coupling& c : f.row(i)) {
        field.add(c.weight * value(c.other));
      }
      for (const qubo::Coupling& c : rests[at(i)]) {
        field.add(c.other == i ? c.weight : c.weight * value(c.other));
      }
      if ((x[at(i)] != 0 ? -sign : sign) * field.value() < 0.0) {
        x[at(i)] ^= 1;
        again = true;
      }
    }
  }
}

}  // namespace oa::solve
