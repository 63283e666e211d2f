#pragma once

#include "app/context.h"

#include <cstdint>
#include <string>

namespace oa::app {

/// How to continue a text.
struct GenerateOptions {
  std::int64_t count = 0;    ///< characters to generate
  std::string prompt;        ///< the beginning of the text
  double temperature = 0.8;  ///< 0: always the most probable character
  std::uint64_t seed = 1;
};

struct Generated {
  std::string text;  ///< the text, including the prompt
  std::int64_t qubos = 0;
  std::int64_t proved = 0;  ///< optima that were proved
};

/// Continues a text with the model at `path`, character by character.
/// Binary coefficients are optima of each step's problems.  Ends early if interrupted.
/// Throws InputError if the model is not of texts or lacks a character of the prompt.
[[nodiscard]] Generated generate(const std::string& path,
                                 const GenerateOptions& options,
                                 Context& context);

}  // namespace oa::app
