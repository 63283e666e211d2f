#pragma once

#include "oa/io/bytes/output.h"
#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace oa::io {

/// A state in which reads ended.
struct Sample {
  std::vector<std::uint8_t> x;
  double energy = 0.0;
  std::int64_t count = 0;  ///< reads that ended in it
  std::int64_t first = 0;  ///< the first such read, from 0
};

/// Collects the final states of reads, each state once.
class Samples {
 public:
  void add(std::span<const std::uint8_t> x);

  /// All states, sorted by energy, then by x.
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

/// By the suffix of the file's name: .csv, .npy, or JSON lines for others.
[[nodiscard]] SampleFormat sample_format(const std::string& path);

/// Writes samples of the problem `f`, named `file`; oa-anneal(1), --samples.  Only JSON
/// lines allow several problems in one file.
void write_samples(Output& output,
                   SampleFormat format,
                   const std::string& file,
                   const std::vector<Sample>& samples,
                   const qubo::Quadratic& f);

}  // namespace oa::io
