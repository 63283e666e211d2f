#include "oa/attention/kind.h"

#include "oa/attention/kinds.h"

#include <algorithm>
#include <array>

namespace oa::attention {
namespace {

// A list rather than self-registration: a linker drops objects that nobody names.
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
                            &kIdentityQk,
                            &kPool,
                            &kUniform,
                            &kMlp,
                            &kQuery};

}  // namespace

std::span<const Problem> Attention::pose(const parts::Weights& /*weights*/,
                                         num::ConstView /*x*/,
                                         const QueryRows& /*asked*/) {
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

bool takes_option(const Kind& kind, const OptionTexts& said, const std::string& name) {
  if (kind.options.list == nullptr) {
    return false;
  }
  return std::ranges::any_of(
             kind.options.list(),
             [&](const KindOption& option) { return option.spec.name == name; }) &&
         (kind.options.applies == nullptr || kind.options.applies(said, name));
}

std::string option_text(const Kind& kind,
                        const OptionTexts& said,
                        std::string_view name) {
  if (const auto found = said.find(std::string(name)); found != said.end()) {
    return found->second;
  }
  if (kind.options.list != nullptr) {
    for (const KindOption& option : kind.options.list()) {
      if (option.spec.name == name) {
        return option.value;
      }
    }
  }
  return {};
}

bool reads_setting(const Kind& kind, const OptionTexts& said, std::string_view name) {
  return std::ranges::any_of(kind.settings, [&](const KindSetting& setting) {
    const std::size_t equals = setting.with.find('=');
    return setting.name == name &&
           (setting.with.empty() ||
            option_text(kind, said, setting.with.substr(0, equals)) ==
                setting.with.substr(equals + 1));
  });
}

std::string readers_of(std::string_view name) {
  std::string all;
  for (const Kind* kind : kKinds) {
    for (const KindSetting& setting : kind->settings) {
      if (setting.name == name) {
        all += (all.empty() ? "" : ", ") + std::string(kind->name) +
               (setting.with.empty() ? "" : ":") + std::string(setting.with);
      }
    }
  }
  return all;
}

std::string kind_names() {
  std::string all;
  for (const Kind* kind : kKinds) {
    all += (all.empty() ? "" : ", ") + std::string(kind->name);
  }
  return all;
}

}  // namespace oa::attention
