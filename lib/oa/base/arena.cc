#include "oa/base/arena.h"

#include "oa/base/large_allocator.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace oa {

Arena::Arena(std::size_t bytes)
    : memory_(
          static_cast<std::byte*>(allocate_large(bytes, std::align_val_t{kAlignment}))),
      owns_(true),
      size_(bytes) {}

Arena::Arena(Arena&& other) noexcept {
  *this = std::move(other);
}

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(owns_, other.owns_);
  std::swap(size_, other.size_);
  std::swap(used_, other.used_);
  std::swap(high_water_, other.high_water_);
  return *this;
}

Arena::~Arena() {
  if (owns_) {
    free_large(memory_, size_, std::align_val_t{kAlignment});
  }
}

void* Arena::allocate(std::size_t bytes) {
  const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  std::byte* piece = nullptr;
  if (memory_ != nullptr) {
    if (size < bytes || size > size_ - used_) {
      throw std::bad_alloc();
    }
    piece = memory_ + used_;
    std::memset(piece, 0, size);
  }
  used_ += size;
  high_water_ = std::max(high_water_, used_);
  return piece;
}

void Arena::release(std::size_t mark) {
  assert(mark <= used_);
  used_ = mark;
}

Arena Arena::part(std::size_t bytes) {
  Arena some;
  some.memory_ = static_cast<std::byte*>(allocate(bytes));
  some.size_ = bytes;
  return some;
}

}  // namespace oa
