// FlashAttention (arXiv:2205.14135 and 2307.08691): softmax in tiles with a running
// sum, without weights in memory. flash1 has blocks of keys in the outer loop,
// and divides after each block. flash2 has queries in the outer loop, and divides at
// the end. mqa and gqa (arXiv:1911.02150, 2305.13245) are flash2 with keys and values
// shared by groups of heads: parameters and decoding state shrink by heads / groups.
#include "oa/attention/formula/formula_attention.h"
#include "survey/formula/masked.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace oa {

template <>
struct EnumNames<attention::Precision> {
  static constexpr std::array kAll{"float", "bf16", "int8"};
};
template <>
struct EnumNames<attention::CacheNumbers> {
  static constexpr std::array kAll{"float", "half"};
};

}  // namespace oa

namespace oa::attention {
namespace {

std::size_t bytes_of_kib(int kib) {
  return static_cast<std::size_t>(kib) * 1024;
}

template <class S>
[[nodiscard]] constexpr Field<S> scratch_field() {
  return field<&S::scratch>("scratch",
                            "Memory for tiles, in KiB (0: the fastest here)",
                            {.range = {.low = 0, .high = 1 << 20}});
}

template <class S>
[[nodiscard]] constexpr Field<S> block_field() {
  return field<&S::block>("block",
                          "Queries and keys of a block, a power of two from 16 to 1024 "
                          "(0: chosen by scratch)",
                          {.range = {.low = 0, .high = 1024}});
}

/// Error message if the block options are invalid; else empty.
template <class Options>
std::string refusal_of_blocks(const Options& options) {
  const bool is_size =
      options.block >= 16 && std::has_single_bit(static_cast<unsigned>(options.block));
  if (options.block != 0 && !is_size) {
    return "block must be a power of two from 16 to 1024, or 0";
  }
  if (options.block != 0 && options.scratch != 0) {
    return "block and scratch exclude each other";
  }
  return "";
}

template <class S>
[[nodiscard]] constexpr Field<S> cache_field() {
  return field<&S::cache>("cache",
                          "Number format of the keys and values that decoding keeps");
}

struct Flash1Options {
  HeadOptions maps;
  int scratch = 0;
  int block = 0;

  [[nodiscard]] ExactSettings settings() const {
    return {.order = LoopOrder::Keys, .scratch = bytes_of_kib(scratch), .block = block};
  }

  static std::span<const Field<Flash1Options>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&Flash1Options::maps>(),
        std::array{scratch_field<Flash1Options>(), block_field<Flash1Options>()});
    return kFields;
  }
};

struct Flash2Options {
  HeadOptions maps;
  int scratch = 0;
  int block = 0;
  Precision precision = Precision::Float;
  CacheNumbers cache = CacheNumbers::Float;

  [[nodiscard]] ExactSettings settings() const {
    return {.order = LoopOrder::Queries,
            .scratch = bytes_of_kib(scratch),
            .block = block,
            .precision = precision};
  }

  static std::span<const Field<Flash2Options>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&Flash2Options::maps>(),
        std::array{
            scratch_field<Flash2Options>(),
            block_field<Flash2Options>(),
            field<&Flash2Options::precision>(
                "precision", "Precision of queries, keys and values in prediction"),
            cache_field<Flash2Options>()});
    return kFields;
  }
};

// With one head nothing is shared: the layer would be flash2.
constexpr int kSharingHeads = 4;

struct MqaOptions {
  HeadOptions maps{.heads = kSharingHeads};
  CacheNumbers cache = CacheNumbers::Float;

  [[nodiscard]] int groups() const { return 1; }

  static std::span<const Field<MqaOptions>> fields() {
    static constexpr auto kFields =
        joined(head_fields<&MqaOptions::maps>(), std::array{cache_field<MqaOptions>()});
    return kFields;
  }
};

/// The default groups: heads / 4, at least two, rounded up to a divisor of `heads`.
int usual_groups(int heads) {
  int groups = std::min(heads, std::max(2, (heads + 3) / 4));
  while (heads % groups != 0) {
    ++groups;
  }
  return groups;
}

struct GqaOptions {
  HeadOptions maps{.heads = kSharingHeads};
  int count = 0;
  CacheNumbers cache = CacheNumbers::Float;

  [[nodiscard]] int groups() const {
    return count > 0 ? count : usual_groups(maps.heads);
  }

  static std::span<const Field<GqaOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&GqaOptions::maps>(),
        std::array{
            field<&GqaOptions::count>("groups",
                                      "Groups of heads that share keys and values (0: "
                                      "a fourth of the heads, at least 2)",
                                      {.range = {.low = 0, .high = 1024}}),
            cache_field<GqaOptions>()});
    return kFields;
  }
};

template <class O>
Value flash(Formula& f, const O& o) {
  if constexpr (requires { o.block; }) {
    f.refuse(refusal_of_blocks(o));
  }
  return masked(f, o);
}

template <class O>
constexpr Kind flash_kind(std::string_view name, std::string_view summary) {
  return formula_kind<O, flash<O>>({.name = name,
                                    .family = kDenseFamily,
                                    .summary = summary,
                                    .direction = Direction::Both,
                                    .takes_queries = true,
                                    .narrow_keys = true,
                                    .permutes = true});
}

}  // namespace

const Kind kFlash1 = flash_kind<Flash1Options>(
    "flash1", "softmax in tiles, keys in the outer loop: no weights in memory");
const Kind kFlash2 = flash_kind<Flash2Options>(
    "flash2", "softmax in tiles, queries in the outer loop: no weights in memory");
const Kind kMqa =
    flash_kind<MqaOptions>("mqa", "softmax whose heads share one key and value head");
const Kind kGqa = flash_kind<GqaOptions>(
    "gqa", "softmax whose heads share keys and values in groups");

}  // namespace oa::attention
