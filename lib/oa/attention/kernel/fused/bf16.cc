#include "oa/attention/kernel/fused/bf16.h"

#include "oa/num/amx.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

// Highway 1.0.3 has no target with AVX512_BF16.  The kernels are those of its AVX-512
// target with two more extensions, which bf16_here() checks.
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
#if HWY_TARGET == HWY_AVX3
#undef HWY_TARGET_STR
#define HWY_TARGET_STR HWY_TARGET_STR_AVX3 ",avx512vnni,avx512bf16"
#endif
// After foreach_target.
#include "oa/attention/kernel/fused/forward-inl.h"

#if HWY_TARGET == HWY_AVX3
#include "oa/attention/kernel/fused/amx-inl.h"
#include "oa/attention/kernel/fused/words-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {

template <class Element>
void pack_panel(
    const HeadRows& k, const HeadRows& v, int first, int panel, const PackedPanel& to) {
  Element::pack_keys(k, first, panel, to.keys);
  *to.careful = words::pack_values(v, first, panel, to.values) ? 0 : 1;
  *to.longest_key = panels::longest_key<Element>(to.keys, panel, k.width);
}

void prepare_bf16(Precision precision,
                  const HeadRows& k,
                  const HeadRows& v,
                  int first,
                  int panel,
                  const PackedPanel& to) {
  (precision == Precision::Bf16 ? pack_panel<words::Bf16>
                                : pack_panel<words::Int8>)(k, v, first, panel, to);
}

void run_bf16(Precision precision, const FusedTile& t) {
  if (num::amx_here()) {
    (precision == Precision::Bf16 ? amx::run_tile<amx::Bf16>
                                  : amx::run_tile<amx::Int8>)(t);
  } else {
    (precision == Precision::Bf16 ? forward::run_tile<words::Bf16>
                                  : forward::run_tile<words::Int8>)(t);
  }
}

}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE

namespace oa::attention {

int bf16_query_words(Precision precision, int width) {
  return precision == Precision::Bf16 ? (width + 1) / 2 : (width + 3) / 4 + 1;
}

int bf16_key_words(Precision precision, int width) {
  return precision == Precision::Bf16 ? (width + 1) / 2 : (width + 3) / 4 + 2;
}

#if (HWY_TARGETS & HWY_AVX3) != 0

bool bf16_here() {
  return (hwy::SupportedTargets() & HWY_AVX3) != 0 &&
         __builtin_cpu_supports("avx512bf16") != 0 &&
         __builtin_cpu_supports("avx512vnni") != 0;
}

void prepare_bf16_panel(Precision precision,
                        const HeadRows& k,
                        const HeadRows& v,
                        int first,
                        int panel,
                        const PackedPanel& to) {
  assert(bf16_here());
  N_AVX3::prepare_bf16(precision, k, v, first, panel, to);
}

void run_bf16_tile(Precision precision, const FusedTile& tile) {
  assert(bf16_here());
  N_AVX3::run_bf16(precision, tile);
}

#else  // Another kind of processor.

bool bf16_here() {
  return false;
}

void prepare_bf16_panel(Precision /*precision*/,
                        const HeadRows& /*k*/,
                        const HeadRows& /*v*/,
                        int /*first*/,
                        int /*panel*/,
                        const PackedPanel& /*to*/) {
  assert(!"bf16_here()");
}

void run_bf16_tile(Precision /*precision*/, const FusedTile& /*tile*/) {
  assert(!"bf16_here()");
}

#endif

}  // namespace oa::attention
#endif
