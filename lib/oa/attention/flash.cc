// FlashAttention (arXiv:2205.14135 and 2307.08691): the same as softmax, tile by tile
// with a running sum, so that no weights are in memory.  flash2 goes over queries and
// divides at the end; mqa and gqa (arXiv:1911.02150, 2305.13245) are flash2 with keys
// and values that groups of heads share: their parameters and what decoding keeps are
// groups / heads of the others'.
#include "oa/attention/kinds.h"
#include "oa/attention/masked.h"

#include <array>

namespace oa::attention {
namespace {

struct FlashOptions {
  HeadOptions maps;

  [[nodiscard]] int groups() const { return maps.heads; }
  [[nodiscard]] Pattern pattern(const Site& site, int tokens) const {
    return full_pattern(site, tokens);
  }

  static const FieldTable<FlashOptions>& fields() {
    static constexpr auto kFields = head_fields<&FlashOptions::maps>();
    static constexpr FieldTable<FlashOptions> kTable{"", kFields};
    return kTable;
  }
};

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

const Kind kFlash2{
    .name = "flash2",
    .summary = "softmax in tiles, queries outside: no weights in memory",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .options = options_from<FlashOptions>(),
    .refusal = &refusal_of_heads_at<FlashOptions>,
    .declare = &declare<Masked<FlashOptions>>,
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
