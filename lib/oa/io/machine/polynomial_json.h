#pragma once

#include "oa/qubo/polynomial.h"

#include <string>

namespace oa::io {

/// Writes a polynomial with its constraints as in a manifest: oa-cim(5), MANIFEST.
/// Sense and vartype are other fields of the manifest.
[[nodiscard]] std::string json_of(const qubo::Polynomial& p);

/// Reads a polynomial of json_of().  Throws InputError, whose message begins with
/// `where`, if it has more than `most` variables or is malformed.
[[nodiscard]] qubo::Polynomial polynomial_of_json(const std::string& text,
                                                  int most,
                                                  const std::string& where);

}  // namespace oa::io
