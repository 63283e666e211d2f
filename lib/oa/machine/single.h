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
  /// The value of each variable that the user fixed, or qubo::kFree; empty: all free.
  std::vector<std::uint8_t> given = {};
  /// The original model, if f is a reduction of it.
  /// The variables of this model are the first variables of f.
  std::optional<qubo::Model> model = {};
};

}  // namespace oa::machine
