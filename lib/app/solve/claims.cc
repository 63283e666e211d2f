#include "app/solve/claims.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/vectors.h"

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

solve::States Claims::starts_of(const SingleProblem& problem,
                                std::size_t k,
                                bool only) {
  solve::States states;
  used_ = only ? std::max(all_.size(), k + 1) : k + 1;
  for (std::size_t c = k; c < used_; ++c) {
    const bool named = c < all_.size() && !all_[c].values.empty();
    const qubo::Model& model = problem.model;
    std::vector<std::uint8_t>& x = states.emplace_back(
        named ? io::fixed_by(all_[c], model.f, model.integers) : of(problem, c).x);
    std::ranges::replace(x, qubo::kFree, std::uint8_t{0});
  }
  return states;
}

void Claims::check_none_left(std::size_t problems, const Context& context) const {
  if (std::max(problems, used_) < all_.size() && !context.interrupted() &&
      context.left_out() == 0) {
    throw InputError(path_ + ": more results than problems");
  }
}

}  // namespace oa::app
