#pragma once

#include "oa/io/bytes/output.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace oa::io {

/// A state that reads ended in.
struct Sample {
  std::vector<std::uint8_t> x;
  double energy = 0.0;
  std::int64_t count = 0;  ///< of the reads that ended in it
  std::int64_t first = 0;  ///< the first of them, from 0
};

/// Collects what reads ended in, each state once.
class Samples {
 public:
  void add(std::span<const std::uint8_t> x);

  /// All states, best first, then by x.
  [[nodiscard]] std::vector<Sample> ranked(const qubo::Quadratic& f) const;

 private:
  struct Seen {
    std::int64_t count = 0;
    std::int64_t first = 0;
  };
  std::unordered_map<std::string, Seen> seen_;  // by the bytes of x
  std::int64_t reads_ = 0;
};

enum class SampleFormat : std::uint8_t { Lines, Csv, Npy };

/// By the end of its name: .csv, .npy, or else lines of JSON.
[[nodiscard]] SampleFormat sample_format(const std::string& path);

/// Writes samples of `f`, which is called `file`; oa-anneal(1), --samples.  Only
/// lines of JSON may be followed by those of another problem.
void write_samples(Output& output,
                   SampleFormat format,
                   const std::string& file,
                   const std::vector<Sample>& samples,
                   const qubo::Quadratic& f);

}  // namespace oa::io
