#pragma once

#include "oa/attention/site.h"
#include "oa/base/arena.h"
#include "oa/num/matrix.h"
#include "oa/parts/layers.h"

namespace oa::attention {

/// o = Wo (RMSNorm of each head of y o SiLU(Wg x)): the output of recurrent kinds.
class GatedOutput {
 public:
  struct Workspace {
    num::View gate;
    num::View rstd;
    num::View unit;   ///< normalised heads
    num::View mixed;  ///< what Wo maps
    num::View slope;  ///< of the gate; this and the next for backward only
    num::View d_gate;
  };

  GatedOutput(const Site& site, int heads, parts::Layout& layout);

  [[nodiscard]] parts::Cost cost(int tokens) const;
  /// `d_gate` is scratch, the rest is kept.
  [[nodiscard]] Workspace workspace(int tokens,
                                    Arena& kept,
                                    Arena& scratch,
                                    bool backward) const;

  void forward(const parts::Weights& weights,
               num::ConstView x,
               num::ConstView y,
               const Workspace& at,
               num::View o) const;
  /// Overwrites dy and dx.
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView y,
                num::ConstView d_o,
                const Workspace& at,
                num::View dy,
                num::View dx,
                parts::Values& gradient) const;

 private:
  int heads_;
  int dim_;
  parts::Linear gate_;
  int gain_;  // tensor
  parts::Linear out_;
};

}  // namespace oa::attention
