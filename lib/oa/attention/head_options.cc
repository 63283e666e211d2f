#include "oa/attention/head_options.h"

#include "oa/base/number.h"

namespace oa::attention {

std::string refusal_of_heads(int dim, int heads, int groups) {
  if (dim % heads != 0) {
    return "heads=" + format(heads) + " do not divide a width of " + format(dim);
  }
  if (heads % groups != 0) {
    return "groups=" + format(groups) + " do not divide heads=" + format(heads);
  }
  return {};
}

KeySource source_of(HeadKeys keys) {
  return keys == HeadKeys::Shared ? KeySource::Shared : KeySource::Separate;
}

std::string refusal_of_keys(const Site& site, HeadKeys keys) {
  return keys == HeadKeys::Shared && site.learned_queries > 0
             ? "keys=shared needs queries of tokens, not learned ones"
             : "";
}

}  // namespace oa::attention
