#include "oa/qubo/fixed.h"

#include "oa/base/index.h"

#include <utility>

namespace oa::qubo {
namespace {

/// Sorts the terms of f by the number of free variables.
class Sorter {
 public:
  Sorter(const std::vector<std::uint8_t>& values, Vartype vartype)
      : values_(values),
        zero_(vartype == Vartype::Spin ? -1.0 : 0.0),
        place_(values.size(), -1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == kFree) {
        place_[i] = free_++;
      }
    }
  }

  [[nodiscard]] int free() const { return free_; }
  [[nodiscard]] bool is_free(std::int32_t i) const { return place_[at(i)] >= 0; }

  void linear(std::int32_t i, double weight) {
    if (is_free(i)) {
      linear_.push_back({place_[at(i)], place_[at(i)], weight});
    } else {
      constant_.add(weight * value(i));
    }
  }

  void pair(std::int32_t i, std::int32_t k, double weight) {
    if (!is_free(i)) {
      linear(k, weight * value(i));
    } else if (!is_free(k)) {
      linear(i, weight * value(k));
    } else {
      pairs_.push_back({place_[at(i)], place_[at(k)], weight});
    }
  }

  void constant(double weight) { constant_.add(weight); }

  void add_to(Quadratic& f) const {
    f.add(pairs_);
    f.add_linear(linear_);
    f.add_constant(constant_);
  }

 private:
  [[nodiscard]] double value(std::int32_t i) const {
    return values_[at(i)] == 1 ? 1.0 : zero_;
  }

  const std::vector<std::uint8_t>& values_;
  double zero_;
  std::vector<std::int32_t> place_;
  std::int32_t free_ = 0;
  Terms pairs_;
  std::vector<Term> linear_;
  ExactSum constant_;
};

}  // namespace

std::vector<std::uint8_t> filled(std::vector<std::uint8_t> values,
                                 std::span<const std::uint8_t> x) {
  std::size_t next = 0;
  for (std::uint8_t& value : values) {
    value = value == kFree ? x[next++] : value;
  }
  return values;
}

std::vector<std::uint8_t> free_part(std::span<const std::uint8_t> values,
                                    std::span<const std::uint8_t> x) {
  std::vector<std::uint8_t> open;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kFree) {
      open.push_back(x[i]);
    }
  }
  return open;
}

Polynomial fixed(const Polynomial& p, std::span<const std::uint8_t> values) {
  Polynomial rest;
  rest.vartype = p.vartype;
  rest.sense = p.sense;
  std::vector<std::int32_t> place(values.size(), -1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kFree) {
      place[i] = rest.n++;
      if (!p.names.empty()) {
        rest.names.push_back(p.names[i]);
      }
    }
  }
  const double zero = p.vartype == Vartype::Spin ? -1.0 : 0.0;
  for (const Monomial& m : p.monomials) {
    Monomial one{{}, m.weight};
    for (const std::int32_t i : m.variables) {
      if (place[at(i)] >= 0) {
        one.variables.push_back(place[at(i)]);
      } else {
        one.weight *= values[at(i)] != 0 ? 1.0 : zero;
      }
    }
    if (one.weight != 0.0) {
      rest.monomials.push_back(std::move(one));
    }
  }
  return rest;
}

Fixed::Fixed(const Quadratic& f, std::vector<std::uint8_t> values)
    : values_(std::move(values)) {
  Sorter sorter(values_, f.vartype);
  sorter.constant(f.offset);
  for (std::int32_t i = 0; i < f.size(); ++i) {
    sorter.linear(i, f.linear[at(i)]);
    f.row(i).each([&](std::int32_t other, double weight) {
      if (other > i) {
        sorter.pair(i, other, weight);
      }
    });
  }
  for (const Term& t : f.rests()) {
    if (t.first == kConstant) {
      sorter.constant(t.weight);
    } else if (t.first == t.second) {
      sorter.linear(t.first, t.weight);
    } else {
      sorter.pair(t.first, t.second, t.weight);
    }
  }
  rest_ = Quadratic(sorter.free());
  rest_.vartype = f.vartype;
  rest_.sense = f.sense;
  for (std::int32_t i = 0; i < f.size() && !f.names.empty(); ++i) {
    if (sorter.is_free(i)) {
      rest_.names.push_back(f.names[at(i)]);
    }
  }
  sorter.add_to(rest_);
}

}  // namespace oa::qubo
