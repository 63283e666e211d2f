#include "oa/attention/families.h"

#include <algorithm>
#include <array>

namespace oa::attention {
namespace {

struct KindFamily {
  std::string_view kind;
  std::string_view family;
};

constexpr std::string_view kDense = "softmax over all keys";
constexpr std::string_view kPattern = "softmax over a pattern";
constexpr std::string_view kChosen = "softmax over chosen keys";
constexpr std::string_view kLowRank = "kernel or low rank";
constexpr std::string_view kRecurrent = "recurrent";
constexpr std::string_view kWithoutKeys = "no keys";

constexpr auto kFamilies = std::to_array<KindFamily>({{"optimizing", "optimizing"},
                                                      {"softmax", kDense},
                                                      {"flash1", kDense},
                                                      {"flash2", kDense},
                                                      {"mqa", kDense},
                                                      {"gqa", kDense},
                                                      {"identity-qk", kDense},
                                                      {"window", kPattern},
                                                      {"strided", kPattern},
                                                      {"dilated", kPattern},
                                                      {"longformer", kPattern},
                                                      {"sparse-transformer", kPattern},
                                                      {"bigbird", kPattern},
                                                      {"block-sparse", kPattern},
                                                      {"csr", kPattern},
                                                      {"learned-mask", kChosen},
                                                      {"topk", kChosen},
                                                      {"threshold", kChosen},
                                                      {"hard", kChosen},
                                                      {"linformer", kLowRank},
                                                      {"linear", kLowRank},
                                                      {"performer", kLowRank},
                                                      {"rfa", kLowRank},
                                                      {"memory", kLowRank},
                                                      {"gla", kRecurrent},
                                                      {"h3", kRecurrent},
                                                      {"mamba", kRecurrent},
                                                      {"pool", kWithoutKeys},
                                                      {"uniform", kWithoutKeys},
                                                      {"mlp", kWithoutKeys},
                                                      {"query", kWithoutKeys}});

}  // namespace

std::string_view family_of(std::string_view kind) {
  const auto* const found = std::ranges::find(kFamilies, kind, &KindFamily::kind);
  return found == kFamilies.end() ? "other" : found->family;
}

}  // namespace oa::attention
