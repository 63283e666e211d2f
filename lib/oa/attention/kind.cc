#include "oa/attention/kind.h"

#include "oa/attention/kinds.h"

#include <algorithm>
#include <array>

namespace oa::attention {
namespace {

// An explicit list: with self-registration, linkers would drop unreferenced objects.
constexpr std::array kKinds{&kOptimizing,
                            &kSoftmax,
                            &kFlash1,
                            &kFlash2,
                            &kMqa,
                            &kGqa,
                            &kWindow,
                            &kStrided,
                            &kDilated,
                            &kLongformer,
                            &kSparseTransformer,
                            &kBigBird,
                            &kBlockSparse,
                            &kCsr,
                            &kLearnedMask,
                            &kTopk,
                            &kThreshold,
                            &kHard,
                            &kLinformer,
                            &kLinear,
                            &kPerformer,
                            &kRfa,
                            &kMemory,
                            &kGla,
                            &kH3,
                            &kMamba,
                            &kDelta,
                            &kGatedDelta,
                            &kKda,
                            &kTtt,
                            &kMesa,
                            &kIdentityQk,
                            &kPool,
                            &kUniform,
                            &kMlp,
                            &kQuery};

}  // namespace

std::span<const Problem> Attention::pose(const parts::Weights& /*weights*/,
                                         num::ConstView /*x*/,
                                         const QueryRows& /*rows*/) {
  return {};
}

std::span<const Kind* const> all_kinds() {
  return kKinds;
}

const Kind* find_kind(std::string_view name) {
  for (const Kind* kind : kKinds) {
    if (kind->name == name) {
      return kind;
    }
  }
  return nullptr;
}

std::string_view family_of(std::string_view name) {
  const Kind* kind = find_kind(name);
  return kind == nullptr ? "other" : kind->family;
}

bool takes_option(const Kind& kind, const OptionTexts& texts, const std::string& name) {
  if (kind.options.list == nullptr) {
    return false;
  }
  return std::ranges::any_of(
             kind.options.list(),
             [&](const KindOption& option) { return option.spec.name == name; }) &&
         (kind.options.applies == nullptr || kind.options.applies(texts, name));
}

std::string kind_names() {
  std::string all;
  for (const Kind* kind : kKinds) {
    all += (all.empty() ? "" : ", ") + std::string(kind->name);
  }
  return all;
}

}  // namespace oa::attention
