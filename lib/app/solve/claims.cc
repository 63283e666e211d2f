#include "app/solve/claims.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <iterator>

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

void Claims::check_none_left(std::size_t problems, const Context& context) const {
  if (problems < all_.size() && !context.interrupted() && context.left_out() == 0) {
    throw InputError(path_ + ": more results than problems");
  }
}

}  // namespace oa::app
