// Softmax over a fixed pattern of positions.  kernel/pattern/patterns.h describes the
// patterns, their numbers of pairs and their sources.
#include "oa/attention/formula/formula_attention.h"
#include "oa/base/number.h"
#include "survey/formula/limits.h"
#include "survey/formula/masked.h"
#include "survey/kernel/pattern/patterns.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace oa::attention {
namespace {

constexpr Range kCount{.low = 1, .high = 1 << 20};
constexpr Range kCountOrNone{.low = 0, .high = 1 << 20};

struct WindowOptions {
  HeadOptions maps;
  int radius = 3;

  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return window_pattern(tokens, radius, site.causal);
  }

  static std::span<const Field<WindowOptions>> fields() {
    static constexpr auto kFields =
        joined(head_fields<&WindowOptions::maps>(),
               std::array{field<&WindowOptions::radius>(
                   "radius", "Tokens seen on each side", {.range = kCountOrNone})});
    return kFields;
  }
};

struct StridedOptions {
  HeadOptions maps;
  int stride = 7;
  int radius = 1;

  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return strided_pattern(tokens, stride, radius, site.causal);
  }
  [[nodiscard]] std::optional<OrderedPattern> ordered(const Site& site,
                                                      int tokens) const {
    // Keeps the order if the window covers all residues mod stride:
    // reordering would add runs.
    if (2 * radius + 1 >= stride || ordered_runs() > runs(tokens)) {
      return std::nullopt;
    }
    return strided_by_class(tokens, stride, radius, site.causal);
  }
  [[nodiscard]] std::int64_t ordered_runs() const {
    return 2 * std::int64_t{radius} + 1;
  }
  [[nodiscard]] std::int64_t runs(std::int64_t tokens) const {
    return tokens / stride + 2;
  }

  static std::span<const Field<StridedOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&StridedOptions::maps>(),
        std::array{
            field<&StridedOptions::stride>("stride",
                                           "Distance between the tokens that are seen",
                                           {.range = kCount}),
            field<&StridedOptions::radius>(
                "radius",
                "Tokens of a window, on each side, that are seen too",
                {.range = kCountOrNone})});
    return kFields;
  }
};

struct DilatedOptions {
  HeadOptions maps;
  int radius = 3;
  int dilation = 2;

  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return dilated_pattern(tokens, radius, dilation, site.causal);
  }
  [[nodiscard]] std::int64_t runs(std::int64_t tokens) const {
    return std::min(2 * std::int64_t{radius} + 1, tokens / dilation + 1);
  }

  static std::span<const Field<DilatedOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&DilatedOptions::maps>(),
        std::array{field<&DilatedOptions::radius>(
                       "radius", "Tokens seen on each side", {.range = kCountOrNone}),
                   field<&DilatedOptions::dilation>(
                       "dilation",
                       "Distance between neighbouring tokens of the window",
                       {.range = kCount})});
    return kFields;
  }
};

enum class SparseForm : std::uint8_t { Fixed, Strided };

struct SparseTransformerOptions {
  HeadOptions maps;
  SparseForm form = SparseForm::Fixed;
  int block = 7;
  int summary = 1;

  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return form == SparseForm::Fixed
               ? sparse_fixed_pattern(tokens, block, summary, site.causal)
               : sparse_strided_pattern(tokens, block, site.causal);
  }
  [[nodiscard]] std::optional<OrderedPattern> ordered(const Site& site,
                                                      int tokens) const {
    if (form == SparseForm::Strided) {
      return std::nullopt;  // the window covers all residues
    }
    return sparse_fixed_by_class(tokens, block, summary, site.causal);
  }
  [[nodiscard]] static std::int64_t ordered_runs() { return 2; }
  [[nodiscard]] std::int64_t runs(std::int64_t tokens) const {
    return tokens / block + 2;
  }
  [[nodiscard]] std::string refusal() const {
    return form == SparseForm::Fixed && summary > block
               ? "summary " + format(summary) + " (expected at most the tokens of a " +
                     "block, " + format(block) + ")"
               : "";
  }

  static std::span<const Field<SparseTransformerOptions>> fields();
};

struct BigBirdOptions {
  HeadOptions maps;
  int radius = 3;
  int globals = 4;
  int random = 4;
  int block = 1;
  std::int64_t seed = 1;

  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return bigbird_pattern(tokens,
                           {.radius = radius,
                            .globals = globals,
                            .random = random,
                            .block = block,
                            .seed = static_cast<std::uint64_t>(seed)},
                           site.causal);
  }
  /// Counts runs: the window, the global blocks and the random blocks.
  [[nodiscard]] std::int64_t runs(std::int64_t tokens) const {
    return std::min(2 + std::int64_t{random}, tokens / block / 2 + 1);
  }

  static std::span<const Field<BigBirdOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&BigBirdOptions::maps>(),
        std::array{field<&BigBirdOptions::radius>(
                       "radius", "Blocks seen on each side", {.range = kCountOrNone}),
                   field<&BigBirdOptions::globals>(
                       "globals",
                       "Number of first blocks that see all blocks and are seen by all",
                       {.range = kCountOrNone}),
                   field<&BigBirdOptions::random>(
                       "random", "Number of random blocks", {.range = kCountOrNone}),
                   field<&BigBirdOptions::block>(
                       "block", "Tokens of a block", {.range = kCount}),
                   field<&BigBirdOptions::seed>(
                       "seed", "Seed of the random blocks", {.range = kSeedRange})});
    return kFields;
  }
};

struct BlockSparseOptions {
  HeadOptions maps;
  int block = 16;
  int band = 0;
  double density = 0.25;
  std::int64_t seed = 1;

  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return block_sparse_pattern(tokens,
                                {.block = block,
                                 .band = band,
                                 .density = density,
                                 .seed = static_cast<std::uint64_t>(seed)},
                                site.causal);
  }
  /// Counts runs: random blocks, or the gaps between them at high density.
  [[nodiscard]] std::int64_t runs(std::int64_t tokens) const {
    const std::int64_t blocks = tokens / block + 1;
    const double apart = std::min(density, 1.0 - density);
    return static_cast<std::int64_t>(apart * static_cast<double>(blocks)) + 2;
  }

  static std::span<const Field<BlockSparseOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&BlockSparseOptions::maps>(),
        std::array{
            field<&BlockSparseOptions::block>(
                "block", "Tokens of a block", {.range = kCount}),
            field<&BlockSparseOptions::band>("band",
                                             "Neighbouring blocks seen on each side",
                                             {.range = kCountOrNone}),
            field<&BlockSparseOptions::density>(
                "density",
                "Share of the other blocks that is seen, chosen at random",
                {.range = {.low = 0, .high = 1}}),
            field<&BlockSparseOptions::seed>(
                "seed", "Seed of the random blocks", {.range = kSeedRange})});
    return kFields;
  }
};

}  // namespace
}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::SparseForm> {
  static constexpr std::array kAll{"fixed", "strided"};
};

}  // namespace oa

namespace oa::attention {
namespace {

std::span<const Field<SparseTransformerOptions>> SparseTransformerOptions::fields() {
  static constexpr auto kFields = joined(
      head_fields<&SparseTransformerOptions::maps>(),
      std::array{
          field<&SparseTransformerOptions::form>("form",
                                                 "Pattern, by its name in the paper"),
          field<&SparseTransformerOptions::block>(
              "block", "Tokens of a block", {.range = kCount}),
          field<&SparseTransformerOptions::summary>(
              "summary",
              "With fixed: number of last tokens of a block that all later tokens see",
              {.range = kCountOrNone})});
  return kFields;
}

/// Returns an error message if the list of pairs is too long in every usable order.
template <class O>
std::string refusal_of_list(const Site& site, const O& options) {
  const std::int64_t bytes = pattern_bytes(site.tokens, options.runs(site.tokens));
  std::string refusal = refusal_of_bytes("its list of pairs", bytes);
  if constexpr (requires { options.ordered_runs(); }) {
    if (!refusal.empty() &&
        pattern_bytes(site.tokens, options.ordered_runs()) <= kMaxBytes &&
        paying_order(options, site, site.tokens)) {
      return "";
    }
  }
  return refusal;
}

/// Refuses invalid options and lists with too many runs.
template <class O>
Value pattern_attention(Formula& f, const O& o) {
  if constexpr (requires { o.refusal(); }) {
    f.refuse(o.refusal());
  }
  if constexpr (requires { o.runs(0); }) {
    f.refuse(refusal_of_list(f.site(), o));
  }
  return masked(f, o);
}

/// Makes a kind that is defined by its pattern.
template <class O>
constexpr Kind pattern_kind(std::string_view name, std::string_view summary) {
  return formula_kind<O, pattern_attention<O>>({.name = name,
                                                .family = kPatternFamily,
                                                .summary = summary,
                                                .direction = Direction::Both});
}

}  // namespace

const Kind kWindow = pattern_kind<WindowOptions>("window", "softmax over near tokens");
const Kind kStrided = pattern_kind<StridedOptions>(
    "strided", "softmax over near tokens and every stride-th token");
const Kind kDilated = pattern_kind<DilatedOptions>(
    "dilated", "softmax over near tokens with gaps between them");
const Kind kSparseTransformer = pattern_kind<SparseTransformerOptions>(
    "sparse-transformer", "softmax over the token's block and the ends of all blocks");
const Kind kBigBird = pattern_kind<BigBirdOptions>(
    "bigbird", "softmax over near, global and random tokens");
const Kind kBlockSparse = pattern_kind<BlockSparseOptions>(
    "block-sparse", "softmax over blocks of tokens, some random");

}  // namespace oa::attention
