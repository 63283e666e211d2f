// FlashAttention (arXiv:2205.14135 and 2307.08691): the same as softmax, tile by tile
// with a running sum, so that no weights are in memory.  flash1 has blocks of keys
// outside and divides after each; flash2 goes over queries and divides at the end; mqa
// and gqa (arXiv:1911.02150, 2305.13245) are flash2 with keys and values that groups of
// heads share: their parameters and what decoding keeps are groups / heads of the
// others'.
#include "oa/attention/kinds.h"
#include "oa/attention/masked.h"

#include <array>

namespace oa::attention {
namespace {

template <LoopOrder order>
struct FlashOptions {
  HeadOptions maps;
  int scratch = 0;

  [[nodiscard]] int groups() const { return maps.heads; }
  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return full_pattern(site, tokens);
  }
  [[nodiscard]] ExactSettings settings() const {
    return {.order = order, .scratch = static_cast<std::size_t>(scratch) * 1024};
  }

  static const FieldTable<FlashOptions>& fields() {
    static constexpr auto kFields =
        joined(head_fields<&FlashOptions::maps>(),
               std::array{field<&FlashOptions::scratch>(
                   "scratch",
                   "KiB that tiles shall fit into; 0: what is fastest here",
                   {.range = {.low = 0, .high = 1 << 20}})});
    static constexpr FieldTable<FlashOptions> kTable{"", kFields};
    return kTable;
  }
};

using Flash1Options = FlashOptions<LoopOrder::Keys>;
using Flash2Options = FlashOptions<LoopOrder::Queries>;

struct MqaOptions {
  HeadOptions maps;

  [[nodiscard]] int groups() const { return 1; }
  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return full_pattern(site, tokens);
  }

  static const FieldTable<MqaOptions>& fields() {
    static constexpr auto kFields = head_fields<&MqaOptions::maps>();
    static constexpr FieldTable<MqaOptions> kTable{"", kFields};
    return kTable;
  }
};

struct GqaOptions {
  HeadOptions maps;
  int count = 1;

  [[nodiscard]] int groups() const { return count; }
  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return full_pattern(site, tokens);
  }

  static const FieldTable<GqaOptions>& fields() {
    static constexpr auto kFields =
        joined(head_fields<&GqaOptions::maps>(),
               std::array{field<&GqaOptions::count>(
                   "groups",
                   "Groups of heads that share keys and values",
                   {.range = {.low = 1, .high = 1024}})});
    static constexpr FieldTable<GqaOptions> kTable{"", kFields};
    return kTable;
  }
};

}  // namespace

const Kind kFlash1{
    .name = "flash1",
    .summary = "softmax in tiles, keys outside: no weights in memory",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .options = options_from<Flash1Options>(),
    .refusal = &refusal_of_heads_at<Flash1Options>,
    .declare = &declare<Masked<Flash1Options>>,
};

const Kind kFlash2{
    .name = "flash2",
    .summary = "softmax in tiles, queries outside: no weights in memory",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .options = options_from<Flash2Options>(),
    .refusal = &refusal_of_heads_at<Flash2Options>,
    .declare = &declare<Masked<Flash2Options>>,
};

const Kind kMqa{
    .name = "mqa",
    .summary = "softmax whose heads share one key and value head",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .options = options_from<MqaOptions>(),
    .refusal = &refusal_of_heads_at<MqaOptions>,
    .declare = &declare<Masked<MqaOptions>>,
};

const Kind kGqa{
    .name = "gqa",
    .summary = "softmax whose heads share keys and values in groups",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .options = options_from<GqaOptions>(),
    .refusal = &refusal_of_heads_at<GqaOptions>,
    .declare = &declare<Masked<GqaOptions>>,
};

}  // namespace oa::attention
