#pragma once

#include "oa/base/rng.h"
#include "oa/io/output.h"
#include "oa/qubo/problem.h"

#include <functional>
#include <string>

namespace oa::test {

/// An empty folder that is removed with the object.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  [[nodiscard]] std::string path(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

/// The bytes of a file.
[[nodiscard]] std::string slurp(const std::string& path);

/// What `write` writes to an Output.
[[nodiscard]] std::string written(const std::function<void(io::Output&)>& write);

/// A random attention problem: J = 2VV' of `m` values of width `d`, `n` queries.
[[nodiscard]] qubo::ImageProblem random_problem(Rng& rng, int m, int n, int d);

/// The same with random coefficients, energies and bounds that are right.
[[nodiscard]] qubo::ImageSolution random_solution(Rng& rng, int m, int n, int d);

}  // namespace oa::test
