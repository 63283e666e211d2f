#include "survey/formula/key_cache.h"

#include <cassert>

namespace oa::attention {

using num::View;

KeyCache::KeyCache(const Heads& heads, int rows, Arena& arena, Keys keys)
    : transposed_(keys == Keys::Columns),
      keys_(transposed_ ? num::zeros(heads.k.cols, rows, arena)
                        : num::zeros(rows, heads.k.cols, arena)),
      values_(heads.k.id == heads.v.id ? keys_
                                       : num::zeros(rows, heads.v.cols, arena)) {}

void KeyCache::put(int row, const HeadsView& token) const {
  assert(row < values_.rows);
  if (transposed_) {
    for (int c = 0; c < token.k.cols; ++c) {
      keys_(c, row) = token.k(0, c);
    }
  } else {
    copy_rows(token.k, row_block(keys_, row, 1));
  }
  copy_rows(token.v, row_block(values_, row, 1));
}

HeadsView KeyCache::heads(const HeadsView& token, int rows) const {
  HeadsView all = token;
  all.k = transposed_ ? View{} : keys_.top(rows);
  all.v = values_.top(rows);
  return all;
}

}  // namespace oa::attention
