#include "oa/qubo/fixed.h"

#include "oa/base/error.h"
#include "oa/base/index.h"

#include <algorithm>
#include <utility>

namespace oa::qubo {
namespace {

/// Groups the terms of a model by their number of free variables.
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

  void monomial(const Monomial& m) {
    Monomial left{{}, m.weight};
    for (const std::int32_t i : m.variables) {
      if (is_free(i)) {
        left.variables.push_back(place_[at(i)]);
      } else {
        left.weight *= value(i);
      }
    }
    switch (left.variables.size()) {
      case 0: constant_.add(left.weight); break;
      case 1:
        linear_.push_back({left.variables[0], left.variables[0], left.weight});
        break;
      case 2:
        pairs_.push_back({left.variables[0], left.variables[1], left.weight});
        break;
      default: higher_.push_back(std::move(left));
    }
  }

  void constraint(const Constraint& c) {
    Constraint left{c.name, {}, c.relation, 0.0};
    ExactSum right;
    right.add(c.right);
    for (const Term& t : c.terms) {
      if (is_free(t.first)) {
        left.terms.push_back({place_[at(t.first)], place_[at(t.first)], t.weight});
      } else {
        right.add(-t.weight * value(t.first));
      }
    }
    const TwoDoubles sum = right.two();
    if (sum.rest != 0.0) {
      throw InputError("the constraint " + c.name +
                       " has weights of too many digits for values of its variables");
    }
    left.right = sum.value;
    constraints_.push_back(std::move(left));
  }

  void add_to(Model& model) {
    model.higher = std::move(higher_);
    std::erase_if(model.higher, [](const Monomial& m) { return m.weight == 0.0; });
    model.constraints = std::move(constraints_);
    model.f.add(pairs_);
    model.f.add_linear(linear_);
    model.f.add_constant(constant_);
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
  std::vector<Monomial> higher_;
  std::vector<Constraint> constraints_;
};

}  // namespace

Fixed::Fixed(const Model& model, std::vector<std::uint8_t> values)
    : values_(std::move(values)) {
  const Quadratic& f = model.f;
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
  std::ranges::for_each(model.higher, [&](const Monomial& m) { sorter.monomial(m); });
  std::ranges::for_each(model.constraints,
                        [&](const Constraint& c) { sorter.constraint(c); });
  rest_.f = Quadratic(sorter.free());
  rest_.f.vartype = f.vartype;
  rest_.f.sense = f.sense;
  for (std::int32_t i = 0; i < f.size() && !f.names.empty(); ++i) {
    if (sorter.is_free(i)) {
      rest_.f.names.push_back(f.names[at(i)]);
    }
  }
  sorter.add_to(rest_);
}

std::vector<std::uint8_t> Fixed::whole(std::span<const std::uint8_t> x) const {
  std::vector<std::uint8_t> all = values_;
  std::size_t next = 0;
  for (std::uint8_t& value : all) {
    value = value == kFree ? x[next++] : value;
  }
  return all;
}

std::vector<std::uint8_t> Fixed::part(std::span<const std::uint8_t> x) const {
  std::vector<std::uint8_t> open;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (values_[i] == kFree) {
      open.push_back(x[i]);
    }
  }
  return open;
}

}  // namespace oa::qubo
