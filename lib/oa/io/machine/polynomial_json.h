#pragma once

#include "oa/qubo/polynomial.h"

#include <string>

namespace oa::io {

/// A polynomial and its constraints as a manifest holds them: oa-cim(5), MANIFEST.
/// Sense and vartype are stored beside it.
[[nodiscard]] std::string json_of(const qubo::Polynomial& p);

/// Reads it back.  Throws InputError, which begins with `where`, if it has more than
/// `most` variables or is malformed.
[[nodiscard]] qubo::Polynomial polynomial_of_json(const std::string& text,
                                                  int most,
                                                  const std::string& where);

}  // namespace oa::io
