#include "oa/encode/encode.h"

#include <algorithm>

namespace oa::encode {
namespace {

void pack(num::ConstView from, float scale, std::vector<float>& to) {
  to.reserve(static_cast<std::size_t>(from.rows) * static_cast<std::size_t>(from.cols));
  for (int i = 0; i < from.rows; ++i) {
    const float* row = from.row(i);
    if (scale == 1.0F) {
      to.insert(to.end(), row, row + from.cols);
      continue;
    }
    for (int k = 0; k < from.cols; ++k) {
      to.push_back(scale * row[k]);
    }
  }
}

void pack_queries(const attention::Problem& from,
                  std::span<const int> queries,
                  qubo::Problem& to) {
  to.n = queries.empty() ? from.h.rows : static_cast<int>(queries.size());
  to.h.reserve(static_cast<std::size_t>(to.n) * static_cast<std::size_t>(to.m));
  for (int k = 0; k < to.n; ++k) {
    const int i = queries.empty() ? k : queries[static_cast<std::size_t>(k)];
    const int size = from.causal ? std::min(i + 1, to.m) : to.m;
    to.h.insert(to.h.end(), from.h.row(i), from.h.row(i) + size);
    if (from.causal) {
      to.sizes.push_back(size);
    }
  }
}

}  // namespace

std::vector<qubo::Problem> encode(std::span<const attention::Problem> heads,
                                  int layer,
                                  const qubo::Problem& example,
                                  std::span<const int> queries) {
  std::vector<qubo::Problem> all;
  all.reserve(heads.size());
  for (const attention::Problem& head : heads) {
    qubo::Problem& to = all.emplace_back();
    to.index = example.index;
    to.label = example.label;
    to.place = {
        layer, static_cast<int>(all.size()) - 1, static_cast<int>(heads.size())};
    if (to.place.head == 0) {
      to.residual = example.residual;
      to.targets = example.targets;
    }
    to.m = head.j.rows;
    to.d = head.v.cols;
    pack(head.j, 1.0F, to.j);
    pack(head.v, head.output_scale, to.v);
    pack_queries(head, queries, to);
  }
  return all;
}

}  // namespace oa::encode
