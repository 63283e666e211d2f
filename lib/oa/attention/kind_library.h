#pragma once

#include "oa/attention/kind.h"

#include <span>
#include <string>
#include <string_view>

namespace oa::attention {

/// The kinds of attention in a shared library, which exports them as `oa_kinds`.
struct KindLibrary {
  std::string_view version;  ///< kVersion
  std::span<const Kind* const> kinds;
};

/// Opens a library and adds its kinds; no effect if it is open already.
/// Throws InputError if the file has no kinds, or a kind that is already known.
void open_kind_library(const std::string& path);

/// The path of liboa-survey.so if the file is missing, or nothing.
[[nodiscard]] std::string missing_survey();

}  // namespace oa::attention

// NOLINTNEXTLINE(readability-identifier-naming): the name of a symbol
extern "C" const oa::attention::KindLibrary oa_kinds;
