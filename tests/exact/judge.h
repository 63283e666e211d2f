#pragma once

#include "exact/asked.h"
#include "exact/problem_text.h"

#include <span>
#include <string>
#include <vector>

namespace oa::exact {

/// The results of an exhaustive search.
struct Truth {
  const Stated& stated;
  std::vector<Mask> best;  ///< as many as were asked for, in order
};
[[nodiscard]] Truth truth_of(const Stated& stated, int top);

/// Errors of `answer`, a line each, "kind: what".
///
/// Energies are the real numbers rounded once.  A bound holds for the real numbers; of
/// a proved optimum it is the energy as it is written.  What is proved is all of
/// `best`: the solutions and their order, energies compared as real numbers, then the
/// x.
[[nodiscard]] std::vector<std::string> wrong_in(const Truth& truth,
                                                const Asked& asked,
                                                const Answer& answer);

/// What is wrong about `f`, which is what the library read: its energies, as --verify
/// says them, are compared for the vectors that determine it and some others.
[[nodiscard]] std::vector<std::string> wrong_in_reading(const Stated& stated,
                                                        const qubo::Quadratic& f,
                                                        Rng& rng);

/// What is wrong about `f` written in each other format and read again.  Counts the
/// formats that took it.
[[nodiscard]] std::vector<std::string> wrong_in_conversions(const Stated& stated,
                                                            const qubo::Quadratic& f,
                                                            Rng& rng,
                                                            int& written);

}  // namespace oa::exact
