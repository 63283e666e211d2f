#pragma once

#include "oa/base/rng.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/qubo/problem.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The bytes of a file.
[[nodiscard]] std::string slurp(const std::string& path);

/// Makes a file of these bytes.
void spill(const std::string& path, std::string_view bytes);

/// The names in a folder, sorted, those that begin with a dot included.
[[nodiscard]] std::vector<std::string> names_in(const std::filesystem::path& folder);

[[nodiscard]] inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// Input that arrives by a pipe, so that nobody knows how much will come; at most 64
/// KB.
[[nodiscard]] io::Input piped(std::string_view bytes);

/// The message of the `Error` that `work` throws, or what happened instead.
template <class Error, class Work>
[[nodiscard]] std::string message_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

/// "xxx" n times.
[[nodiscard]] std::string repeated(std::string_view text, std::size_t n);

/// A safetensors file of this header and so many zero bytes of data.
[[nodiscard]] std::string raw_safetensors(std::string_view header, std::size_t data);

/// The bytes that `write` writes to an Output.
[[nodiscard]] std::string written(const std::function<void(io::Output&)>& write);

/// The written bytes, at most 64 KB, by a pipe: much faster than by a file on disk.
[[nodiscard]] std::string written_small(const std::function<void(io::Output&)>& write);

/// A random attention problem: J = 2VV' of `m` values of width `d`, `n` queries.
[[nodiscard]] qubo::Problem random_problem(Rng& rng, int m, int n, int d);

/// The problem as one of a task: query i has the first sizes[i] variables only.
[[nodiscard]] qubo::Problem with_sizes(const qubo::Problem& problem,
                                       std::vector<int> sizes);

/// Makes a random_problem() with random coefficients, energies and bounds that are
/// right.
[[nodiscard]] qubo::SolvedProblem random_solution(Rng& rng, int m, int n, int d);

}  // namespace oa::test
