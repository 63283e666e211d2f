#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::machine {

/// A single problem of the user, kept beside its matrix, so that results name the
/// user's variables and energies.
struct Single {
  std::string file;
  std::string format;  ///< name of the file's format
  qubo::Quadratic f;
  /// For each variable 0, 1 or qubo::kFree, as the user fixed it; empty: all free.
  std::vector<std::uint8_t> given = {};
  /// The model that f was reduced from, if it is not f.  Its variables are the first
  /// ones of f.
  std::optional<qubo::Model> model = {};
};

}  // namespace oa::machine
