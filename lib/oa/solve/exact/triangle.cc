#include "oa/solve/exact/triangle.h"

#include <algorithm>
#include <optional>

namespace oa::solve {
namespace {

/// `t` with spin i, which it has, replaced by the last one.  Nothing if that is in it,
/// too: then it says nothing.
std::optional<Triangle> replaced(const Triangle& t, int i, int last, double sign) {
  if (t.spin[2] == last) {
    return std::nullopt;
  }
  const auto& [a, b, c] = t.signs();
  std::array<double, 3> signs{};  // of the other two, and of each with the last one
  Triangle to = t;
  if (t.spin[0] == i) {
    to.spin = {t.spin[1], t.spin[2], last};
    signs = {c, sign * a, sign * b};
  } else if (t.spin[1] == i) {
    to.spin = {t.spin[0], t.spin[2], last};
    signs = {b, sign * a, sign * c};
  } else {
    to.spin = {t.spin[0], t.spin[1], last};
    signs = {a, sign * b, sign * c};
  }
  to.kind = static_cast<std::uint8_t>(std::ranges::find(Triangle::kSigns, signs) -
                                      Triangle::kSigns.begin());
  return to;
}

}  // namespace

std::vector<Triangle> contracted(std::span<const Triangle> triangles,
                                 int n,
                                 int i,
                                 double sign) {
  std::vector<Triangle> all;
  for (const Triangle& t : triangles) {
    const bool has = std::ranges::find(t.spin, i) != t.spin.end();
    std::optional<Triangle> to = has ? replaced(t, i, n - 1, sign) : t;
    if (to) {
      for (int& spin : to->spin) {
        spin -= spin > i ? 1 : 0;
      }
      all.push_back(*to);
    }
  }
  std::ranges::sort(all, {}, &Triangle::key);
  std::vector<Triangle> merged;
  for (const Triangle& t : all) {
    if (!merged.empty() && merged.back().key() == t.key()) {
      merged.back().weight += t.weight;
    } else {
      merged.push_back(t);
    }
  }
  return merged;
}

}  // namespace oa::solve
