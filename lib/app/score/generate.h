#pragma once

#include "app/context.h"

#include <cstdint>
#include <string>

namespace oa::app {

/// How a text is continued.
struct GenerateOptions {
  std::int64_t count = 0;    ///< characters to write
  std::string prompt;        ///< what comes before them
  double temperature = 0.8;  ///< of what is drawn; 0: the most probable character
  std::uint64_t seed = 1;
};

struct Generated {
  std::string text;  ///< with the prompt
  std::int64_t qubos = 0;
  std::int64_t proved = 0;  ///< of them
};

/// Continues a text with the model at `path`, character by character; coefficients that
/// are binary are the optima of each step's problems.  Ends early if interrupted.
/// Throws InputError if the model is not of a text or the prompt has a character that
/// it does not know.
[[nodiscard]] Generated generate(const std::string& path,
                                 const GenerateOptions& options,
                                 Context& context);

}  // namespace oa::app
