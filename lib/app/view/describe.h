#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/cut.h"

#include <string>

namespace oa::app {

struct DescribeSettings {
  bool json = false;     ///< one JSON object instead of text for a person
  bool tensors = false;  ///< every tensor of every frame; in JSON, their elements too
  bool color = false;
  io::Cut cut;  ///< of a stream, what to describe
};

/// Writes what `input` holds: any file that a tool of the suite reads or writes, told
/// apart by content.  A stream is described frame by frame, in constant memory.  Throws
/// InputError on anything malformed, after describing what came before.
[[nodiscard]] io::CutResult describe(io::Input& input,
                                     io::Output& output,
                                     const DescribeSettings& settings);

/// What check() found.
struct CheckResult {
  std::string summary;  ///< "stream of 3 images: 3 solutions, 147 of 147 proved"
  std::string json;     ///< the same as one JSON object
  bool complete = true;
};

/// Reads all of `input` as describe() does and verifies everything that can be: end
/// marks, checksums, the symmetry of J, energies against x, bounds, every file in an
/// archive.  Throws InputError
/// at the first thing that is wrong.
[[nodiscard]] CheckResult check(io::Input& input);

}  // namespace oa::app
