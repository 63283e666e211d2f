#pragma once

#include "oa/qubo/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::machine {

/// The user's original problem, kept beside its matrix so that results can use the
/// user's variables and energies.
struct Single {
  std::string file;
  std::string format;  ///< name of the file format
  qubo::Quadratic f;
  /// For each variable 0, 1 or qubo::kFree, as the user fixed it; empty: all are free.
  std::vector<std::uint8_t> given = {};
  /// The original model, if f is a reduction of it.  Its variables are the first ones
  /// of f.
  std::optional<qubo::Model> model = {};
};

}  // namespace oa::machine
