#include "oa/solve/program/product_search.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kTrialPasses = 40;  // to compare ways
constexpr int kRootPasses = 400;
constexpr int kPasses = 5;
constexpr double kRootPace = 1.0;
constexpr double kPace = 0.6;
constexpr double kSlower = 0.7;
constexpr int kIdlePasses = 20;  // passes without a better bound

}  // namespace

ProductSearch::ProductSearch(const WholeProgram& p, Whole best, Improved improved)
    : p_(p),
      best_(best),
      improved_(std::move(improved)),
      pace_(stop_),
      values_(p.rows, p.size()),
      bound_(p) {}

bool ProductSearch::ended() const {
  return enough_ || work_ <= 0 || pace_.stopped();
}

/// The least bound that proves that no x improves on the best.
double ProductSearch::enough_bound() const {
  return std::ldexp(static_cast<double>(best_ - p_.step), bound_.shift()) + 1.0;
}

bool ProductSearch::run(std::int64_t work, const Stop& stop) {
  stop_ = stop;
  pace_ = Pace(stop_);
  work_ = work;
  bool open = true;
  if (!begun_) {
    open = begin();
  } else if (entering_) {
    values_.undo(entering_->length);
    open = enter(*entering_);
  }
  while (!complete_ && !ended()) {
    if (open) {
      choices_.push_back(choose());
      open = enter(choices_.back());
    } else if (choices_.empty()) {
      complete_ = true;
    } else {
      Choice other = choices_.back();
      choices_.pop_back();
      values_.undo(other.length);
      // Earlier choices imply the other value of the last variable.
      other.value = other.value == 0 ? 1 : 0;
      open = enter(other);
    }
  }
  return complete_;
}

/// Computes the first bound.
bool ProductSearch::begin() {
  const std::size_t length = values_.length();
  const bool open =
      values_.propagate(pace_) && choose_way() && look(kRootPasses, kRootPace);
  if (open && highest_ > -HUGE_VAL) {
    const auto units =
        static_cast<Whole>(std::ceil(std::ldexp(highest_, -bound_.shift())));
    first_bound_ = (units + (units > 0 ? p_.step - 1 : 0)) / p_.step * p_.step;
  }
  begun_ = !ended();
  if (!begun_) {
    values_.undo(length);  // the next run starts at the root, with better prices
    return true;
  }
  return open;
}

/// Improves the bound from the start in both ways, and keeps the better way.
/// Returns false if no x improves on the best.
bool ProductSearch::choose_way() {
  const ProductBound::Prices start = bound_.prices();
  way_ = ProductBound::Way::Even;
  if (!look(kTrialPasses, kRootPace)) {
    return false;
  }
  const double even = highest_;
  ProductBound::Prices prices = bound_.prices();
  bound_.set_prices(start);
  way_ = ProductBound::Way::Step;
  if (!look(kTrialPasses, kRootPace)) {
    return false;
  }
  if (even > highest_) {
    way_ = ProductBound::Way::Even;
    bound_.set_prices(std::move(prices));
  }
  return true;
}

/// Improves the bound of the present values, and fixes variables.
/// Returns false if no x with these values improves on the best.
bool ProductSearch::look(int passes, double pace) {
  highest_ = -HUGE_VAL;
  int idle = 0;
  bound_.enter(values_);
  for (int pass = 0;; ++pass) {
    const auto open = std::ssize(bound_.open());
    if (open == 0) {
      return leaf();
    }
    if (pass == passes || ended()) {
      return true;
    }
    work_ -= open * open;
    if (pace_(4 * open * open)) {
      return true;
    }
    const double bound = bound_.evaluate();
    const double missing = enough_bound() - bound;
    if (missing <= 0.0) {
      return false;
    }
    idle = bound > highest_ ? 0 : idle + 1;
    highest_ = std::max(highest_, bound);
    if (idle == kIdlePasses) {
      pace *= kSlower;
      idle = 0;
    }
    const std::size_t length = values_.length();
    if (!fix(missing) || !values_.propagate(pace_)) {
      return pace_.stopped();
    }
    if (values_.length() > length) {
      bound_.enter(values_);
    }
    bound_.improve(way_, pace, missing);
  }
}

/// Sets variables whose other value costs at least `missing`.
bool ProductSearch::fix(double missing) {
  return std::ranges::all_of(bound_.open(), [&](std::int32_t i) {
    const double cost = bound_.reduced_cost(i);
    return std::abs(cost) < missing || values_.set(i, cost > 0.0 ? 0 : 1);
  });
}

/// Takes the values of all variables.
bool ProductSearch::leaf() {
  const Whole value = value_of(p_, values_.values());
  if (value < best_) {
    best_ = value;
    enough_ = improved_(values_.values());
  }
  return false;
}

/// Returns false if no x with this value improves on the best.
bool ProductSearch::enter(const Choice& choice) {
  entering_ = choice;
  const bool open = values_.set(choice.variable, choice.value) &&
                    values_.propagate(pace_) && look(kPasses, kPace);
  if (!ended()) {
    entering_.reset();
  }
  return open;
}

/// Chooses the open variable that the bound decides least, and its likely value.
ProductSearch::Choice ProductSearch::choose() const {
  const std::int32_t i =
      *std::ranges::min_element(bound_.open(), {}, [&](std::int32_t k) {
        return std::abs(bound_.reduced_cost(k));
      });
  const std::uint8_t likely = bound_.reduced_cost(i) > 0.0 ? 0 : 1;
  return {values_.length(), i, likely};
}

}  // namespace oa::solve
