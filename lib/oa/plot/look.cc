#include "oa/plot/look.h"

#include "oa/base/counted.h"
#include "oa/base/number.h"

#include <cassert>
#include <cstddef>

namespace oa::plot {
namespace {

std::string filled(std::string_view text,
                   std::initializer_list<std::string_view> parts) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '{') {
      const auto number = static_cast<std::size_t>(text[at + 1] - '0');
      assert(number < parts.size());
      all += parts.begin()[number];
      at += 3;
    } else {
      all += text[at++];
    }
  }
  return all;
}

}  // namespace

std::string Words::operator()(std::string_view english,
                              std::initializer_list<std::string_view> parts) const {
  if (language_ == Language::English) {
    return filled(english, parts);
  }
  const std::string_view text = chinese(english);
  assert(!text.empty());
  return filled(text.empty() ? english : text, parts);
}

std::string Words::count(std::int64_t n,
                         std::string_view thing,
                         std::string_view things) const {
  return language_ == Language::English
             ? counted(n, thing, things)
             : (*this)("{0} " + std::string(things), {format_grouped(n)});
}

}  // namespace oa::plot
