#pragma once

#include "oa/attention/kernel/fused/fused.h"
#include "oa/num/amx.h"

namespace oa::test {

/// The ways in which fused attention can multiply bfloat16 here: with AMX (true) and
/// without; afterwards AMX may be used again.
class AmxOrNot {
 public:
  AmxOrNot() = default;
  AmxOrNot(const AmxOrNot&) = delete;
  AmxOrNot& operator=(const AmxOrNot&) = delete;
  ~AmxOrNot() { num::allow_amx(true); }

  /// Calls use(whether with AMX) for each way.
  template <class Use>
  void each(Use use) const {
    for (const bool with : {true, false}) {
      num::allow_amx(with);
      if (attention::bf16_here() && num::amx_here() == with) {
        use(with);
      }
    }
  }
};

}  // namespace oa::test
