#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/heads.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/kinds.h"

#include <array>

namespace oa::attention {
namespace {

Value query(Formula& f, const NoOptions& /*options*/) {
  const Value x = f.tokens();
  const float scale = f.site().divide_output ? 1.0F / static_cast<float>(x.rows) : 1.0F;
  const Value q = projection("Wq", x, {0, x.rows}, f.dim());
  f.show(q, {});
  return scale * q;
}

constexpr std::array kQuerySettings{KindSetting{"divide_output"}};

}  // namespace

const Kind kQuery = formula_kind<NoOptions, query>({
    .name = "query",
    .family = kKeylessFamily,
    .summary = "no attention: the output is the query",
    .permutes = true,
    .settings = kQuerySettings,
});

}  // namespace oa::attention
