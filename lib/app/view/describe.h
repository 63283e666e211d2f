#pragma once

#include "oa/base/json_text.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/cut.h"
#include "oa/model/architecture.h"

#include <string>

namespace oa::app {

struct DescribeSettings {
  bool json = false;     ///< one JSON object instead of text
  bool tensors = false;  ///< show all tensors of all frames; in JSON also elements
  bool color = false;
  io::Cut cut;  ///< the part of a stream to describe
};

/// Describes `input`: any file that a tool reads or writes, recognised by content;
/// streams frame by frame in constant memory.  Throws InputError at the first error,
/// after describing the content before it.
[[nodiscard]] io::CutResult describe(io::Input& input,
                                     io::Output& output,
                                     const DescribeSettings& settings);

/// Writes the formula of each layer of a model file, an operation a line.
void write_formula(io::Input& input, io::Output& output, bool json);

/// The formulas of all layers for a sequence of `tokens`.
[[nodiscard]] JsonArray formulas_of(const model::Architecture& architecture,
                                    int tokens);

struct CheckResult {
  std::string summary;  ///< "stream of 3 images: 3 solutions, 147 of 147 proved"
  std::string json;     ///< the summary as a JSON object
  bool complete = true;
};

/// Reads all of `input` and checks end marks, checksums, symmetry of J, energies,
/// bounds and all files in archives.  Throws InputError at the first error.
[[nodiscard]] CheckResult check(io::Input& input);

}  // namespace oa::app
