#include "app/solve/claims.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oa::app {

Claims::Claims(const std::string& path,
               std::vector<io::Claim> (*read)(io::Input&),
               const Context& context)
    : path_(path) {
  if (!path.empty()) {
    io::Input input = io::Input::open(path, context.token());
    all_ = read(input);
  }
}

const io::Claim& Claims::of(const SingleProblem& problem, std::size_t k) const {
  if (k >= all_.size()) {
    throw InputError(path_ + ": fewer results than problems");
  }
  const io::Claim& claim = all_[k];
  const int n = problem.model.size();
  if (std::ssize(claim.x) != n) {
    throw InputError(claim.where + ": x has " + format(std::ssize(claim.x)) +
                     " elements (expected " + format(n) + ")");
  }
  return claim;
}

std::vector<std::uint8_t> Claims::start_of(const SingleProblem& problem,
                                           std::size_t k,
                                           bool only) {
  std::vector<std::uint8_t> best;
  double least = 0.0;
  const double sign = problem.model.f.sense == qubo::Sense::Max ? -1.0 : 1.0;
  const std::size_t end = only ? std::max(all_.size(), k + 1) : k + 1;
  for (std::size_t c = k; c < end; ++c) {
    std::vector<std::uint8_t> x = of(problem, c).x;
    std::ranges::replace(x, qubo::kFree, std::uint8_t{0});
    const double energy = sign * qubo::exact_value(problem.model, x).value();
    if (best.empty() || energy < least) {
      least = energy;
      best = std::move(x);
    }
  }
  used_ = end;
  return best;
}

void Claims::check_none_left(std::size_t problems, const Context& context) const {
  if (std::max(problems, used_) < all_.size() && !context.interrupted() &&
      context.left_out() == 0) {
    throw InputError(path_ + ": more results than problems");
  }
}

}  // namespace oa::app
