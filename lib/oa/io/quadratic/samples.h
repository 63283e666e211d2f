#pragma once

#include "oa/io/bytes/output.h"
#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace oa::io {

/// A final state of reads.
struct Sample {
  std::vector<std::uint8_t> x;
  double energy = 0.0;
  std::int64_t count = 0;  ///< reads that ended in this state
  std::int64_t first = 0;  ///< the first read that ended in this state, from 0
};

/// Collects the distinct final states of reads.
class Samples {
 public:
  void add(std::span<const std::uint8_t> x);

  /// Returns the states, sorted by energy, then by x.
  [[nodiscard]] std::vector<Sample> ranked(const qubo::Model& model) const;

 private:
  struct Seen {
    std::int64_t count = 0;
    std::int64_t first = 0;
  };
  std::unordered_map<std::string, Seen> seen_;  // key: the bytes of x
  std::int64_t reads_ = 0;
};

enum class SampleFormat : std::uint8_t { Lines, Csv, Npy };

/// Returns the format by the suffix: .csv, .npy, or JSON lines for other suffixes.
[[nodiscard]] SampleFormat sample_format(const std::string& path);

/// Writes samples of the problem `f` of file `file`; oa-anneal(1), --samples.
/// JSON lines are the only format that allows several problems in one file.
void write_samples(Output& output,
                   SampleFormat format,
                   const std::string& file,
                   const std::vector<Sample>& samples,
                   const qubo::Quadratic& f);

}  // namespace oa::io
