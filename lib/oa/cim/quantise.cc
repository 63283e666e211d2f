#include "oa/cim/quantise.h"

#include "oa/base/index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace oa::cim {
namespace {

/// The sum of |couplings| of spin i: a larger field alone decides the spin.
double pull(const machine::Spins& s, int i) {
  double sum = 0.0;
  for (int k = 0; k < s.n; ++k) {
    sum += std::abs(s.row(i)[k]);
  }
  return sum;
}

bool decided(const machine::Spins& s, int i) {
  return std::abs(s.fields[at(i)]) > pull(s, i);
}

void couple(machine::Block& block, int i, int k, int level) {
  const auto value = static_cast<std::int16_t>(level);
  block.levels[at(i) * at(block.spins()) + at(k)] = value;
  block.levels[at(k) * at(block.spins()) + at(i)] = value;
}

int pull(const machine::Block& block, int i) {
  int sum = 0;
  for (int k = 0; k < block.n; ++k) {
    sum += std::abs(int{block.row(i)[k]});
  }
  return sum;
}

/// Tests a b = c d exactly, with products as sums of two doubles.
bool equal_products(double a, double b, double c, double d) {
  const double ab = a * b;
  const double cd = c * d;
  return ab == cd && std::fma(a, b, -ab) == std::fma(c, d, -cd);
}

/// The bits of a signed level of the given magnitude.
int bits(int level) {
  return level == 0 ? 0 : 1 + std::bit_width(static_cast<unsigned>(level));
}

/// Calls visit(number) for each coupling and each field.
template <class Visit>
void each_coefficient(const machine::Spins& s, const Visit& visit) {
  for (int i = 0; i < s.n; ++i) {
    std::for_each_n(s.row(i), i, visit);
  }
  std::ranges::for_each(s.fields, visit);
}

/// The exact greatest common divisor of a and b; 0 if below `least`.
double common_divisor(double a, double b, double least) {
  while (b != 0.0) {
    if (b < least) {
      return 0.0;
    }
    a = std::exchange(b, std::fmod(a, b));
  }
  return a;
}

}  // namespace

double largest_scale(const machine::Spins& s, const Rule& rule) {
  double most = 0.0;  // largest |coupling| or |share of a field|
  for (int i = 0; i < s.n; ++i) {
    for (int k = 0; k < i; ++k) {
      most = std::max(most, std::abs(s.row(i)[k]));
    }
    if (!rule.clip || !decided(s, i)) {
      most = std::max(most, std::abs(s.fields[at(i)]) / rule.auxiliaries);
    }
  }
  return most > 0.0 ? rule.top_level / most : 1.0;
}

std::optional<double> whole_scale(const machine::Spins& s, int top_level) {
  double most = 0.0;
  bool whole = true;
  each_coefficient(s, [&](double value) {
    most = std::max(most, std::abs(value));
    whole = whole && value == std::nearbyint(value);
  });
  if (whole && most <= top_level) {
    return 1.0;
  }
  const double least = most / top_level;
  double unit = most;
  each_coefficient(s, [&](double value) {
    if (unit > 0.0) {
      unit = common_divisor(unit, std::abs(value), least);
    }
  });
  if (unit == 0.0 || most / unit > top_level) {
    return std::nullopt;
  }
  return std::floor(top_level / (most / unit)) / unit;
}

std::optional<machine::Block> quantise(const machine::Spins& s, const Rule& rule) {
  machine::Block block{s.n, rule.auxiliaries - 1, {}};
  block.levels.resize(at(block.spins()) * at(block.spins()));
  for (int i = 0; i < s.n; ++i) {
    for (int k = 0; k < i; ++k) {
      const double level = std::nearbyint(rule.scale * s.row(i)[k]);
      if (std::abs(level) > rule.top_level) {
        return std::nullopt;
      }
      couple(block, i, k, static_cast<int>(level));
    }
  }
  const int shares = rule.auxiliaries;
  int uneven = 0;
  for (int i = 0; i < s.n; ++i) {
    double field = std::nearbyint(rule.scale * s.fields[at(i)]);
    if (rule.clip && decided(s, i)) {
      const double enough = pull(block, i) + 1;
      field = std::copysign(std::min(std::abs(field), enough), s.fields[at(i)]);
      // Rounding must not stop the field from deciding its spin.
      field = std::abs(field) < enough ? std::copysign(enough, field) : field;
    }
    if (std::abs(field) > 1.0 * rule.top_level * shares) {
      return std::nullopt;
    }
    const int whole = static_cast<int>(field);
    const int share = whole / shares;
    const int rest = whole % shares;  // has the sign of `whole`
    uneven += rest != 0 ? 1 : 0;
    for (int a = 0; a < shares; ++a) {
      const int more = a < std::abs(rest) ? (rest > 0 ? 1 : -1) : 0;
      couple(block, i, s.n + a, share + more);
    }
  }
  const int tie = uneven / shares + 1;
  if (shares > 1 && tie > rule.top_level) {
    return std::nullopt;
  }
  for (int a = 0; a < shares; ++a) {
    for (int b = 0; b < a; ++b) {
      couple(block, s.n + a, s.n + b, tie);
    }
  }
  return block;
}

bool is_multiple(const machine::Block& block,
                 const qubo::Matrix& j,
                 std::span<const double> h) {
  if (block.extra > 0) {
    return false;
  }
  const machine::TaskMatrix q = machine::task_matrix_of(block);
  const auto own = [&](int i, int k) {
    return i == k ? 0.5 * j(i, i) + h[at(i)] : j(i, k);
  };
  double most = 0.0;  // largest coefficient, and its level
  double level = 0.0;
  for (int i = 0; i < q.n; ++i) {
    for (int k = i; k < q.n; ++k) {
      if (std::abs(own(i, k)) > std::abs(most)) {
        most = own(i, k);
        level = double{q.row(i)[k - i]};
      }
    }
  }
  for (int i = 0; i < q.n; ++i) {
    for (int k = i; k < q.n; ++k) {
      if (!equal_products(double{q.row(i)[k - i]}, most, own(i, k), level)) {
        return false;
      }
    }
  }
  return most == 0.0 || level / most > 0.0;
}

machine::Loss loss_of(const machine::Spins& s,
                      const Rule& rule,
                      const machine::Block& block) {
  machine::Loss loss;
  loss.scale = rule.scale;
  int coupling = 0;
  int field = 0;
  for (int i = 0; i < s.n; ++i) {
    for (int k = 0; k < i; ++k) {
      const int level = block.row(i)[k];
      const double exact = s.row(i)[k];
      coupling = std::max(coupling, std::abs(level));
      loss.couplings += exact != 0.0 ? 1 : 0;
      loss.couplings_lost += exact != 0.0 && level == 0 ? 1 : 0;
      loss.worst_error =
          std::max(loss.worst_error, std::abs(rule.scale * exact - level));
    }
    int total = 0;
    for (int a = s.n; a < block.spins(); ++a) {
      field = std::max(field, std::abs(int{block.row(i)[a]}));
      total += block.row(i)[a];
    }
    if (!rule.clip || !decided(s, i)) {
      const double exact = rule.scale * s.fields[at(i)];
      loss.worst_error = std::max(loss.worst_error, std::abs(exact - total));
    }
  }
  loss.coupling_bits = bits(coupling);
  loss.field_bits = bits(field);
  return loss;
}

}  // namespace oa::cim
