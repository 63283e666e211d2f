#pragma once

#include "oa/qubo/polynomial.h"

#include <string>

namespace oa::io {

/// A polynomial and its constraints, as a manifest has them: oa-cim(5), MANIFEST.  Its
/// sense and vartype stand elsewhere.
[[nodiscard]] std::string json_of(const qubo::Polynomial& p);

/// The same read back; it has at most `most` variables.  Throws InputError, whose text
/// begins with `where`.
[[nodiscard]] qubo::Polynomial polynomial_of_json(const std::string& text,
                                                  int most,
                                                  const std::string& where);

}  // namespace oa::io
