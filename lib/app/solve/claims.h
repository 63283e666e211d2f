#pragma once

#include "app/context.h"
#include "app/solve/reading.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/solve/method/states.h"

#include <cstddef>
#include <string>
#include <vector>

namespace oa::app {

/// The results or vectors of a file, one for each single problem.
class Claims {
 public:
  /// Reads all of the file by `read`.  An empty path is a file without claims.
  Claims(const std::string& path,
         std::vector<io::Claim> (*read)(io::Input&),
         const Context& context);

  /// The claim for problem number k.  Throws InputError if there is none, or if its x
  /// does not have one element for each variable.
  [[nodiscard]] const io::Claim& of(const SingleProblem& problem, std::size_t k) const;

  /// The states where reads of problem number k begin, with 0 for open values: its
  /// claim, or if it is the only problem, all claims.  Throws InputError as of() does.
  [[nodiscard]] solve::States starts_of(const SingleProblem& problem,
                                        std::size_t k,
                                        bool only);

  /// Throws InputError if claims remain after all `problems` were read: not after an
  /// interruption, nor where inputs were left out.
  void check_none_left(std::size_t problems, const Context& context) const;

 private:
  std::string path_;
  std::vector<io::Claim> all_;
  std::size_t used_ = 0;
};

}  // namespace oa::app
