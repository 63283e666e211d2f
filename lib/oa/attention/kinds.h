#pragma once

#include "oa/attention/kind.h"

namespace oa::attention {

// The kinds there are, each in <name>.cc.
extern const Kind kOptimizing;
extern const Kind kSoftmax;
extern const Kind kUniform;
extern const Kind kMlp;
extern const Kind kQuery;

/// A layer of the attention A.  A::Parts(site, layout) declares the tensors, and
/// A::Parts::cost(site) says what the layer costs but for the workspace, which is what
/// A(site, parts, arena) takes.
template <class A>
class LayerOf : public Layer {
 public:
  LayerOf(const Site& site, parts::Layout& layout)
      : site_(site),
        parts_(site, layout) {}

  [[nodiscard]] parts::Cost cost() const override {
    parts::Cost cost = parts_.cost(site_);
    cost.workspace = bytes_taken([&](Arena& arena) { A(site_, parts_, arena); });
    return cost;
  }

  [[nodiscard]] std::unique_ptr<Attention> make(Arena& arena) const override {
    return std::make_unique<A>(site_, parts_, arena);
  }

 private:
  Site site_;
  typename A::Parts parts_;
};

/// Kind::declare for the attention A.
template <class A>
[[nodiscard]] std::unique_ptr<const Layer> declare(const Site& site,
                                                   parts::Layout& layout) {
  return std::make_unique<const LayerOf<A>>(site, layout);
}

}  // namespace oa::attention
