#include "oa/io/table/square_csv.h"

namespace oa::io {

bool SquareCsvReader::next() {
  if (!lines_.next(cells_)) {
    return false;
  }
  if (rows_ == 0) {
    size_ = std::ssize(cells_);
  }
  ++rows_;
  return true;
}

}  // namespace oa::io
