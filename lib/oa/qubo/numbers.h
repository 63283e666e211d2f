#pragma once

#include "oa/base/large_allocator.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace oa::qubo {

/// The stored type of numbers, narrowest first.
enum class Width : std::uint8_t { Int8, Int16, Float, Double };

/// The narrowest width that holds `number` exactly.
[[nodiscard]] Width width_of(double number);
[[nodiscard]] std::size_t bytes_of(Width width);

/// An array of numbers of one width.
class Numbers {
 public:
  using Memory = std::vector<std::byte, LargeAllocator<std::byte>>;

  /// `count` zeros.
  Numbers(Width width, std::size_t count);
  /// Takes over memory with numbers of this width.
  Numbers(Width width, Memory memory) : width_(width), memory_(std::move(memory)) {}

  [[nodiscard]] Width width() const { return width_; }
  [[nodiscard]] std::size_t size() const { return memory_.size() / bytes_of(width_); }
  [[nodiscard]] double operator[](std::size_t k) const;

  /// Sets number k.  Widens all numbers if `number` needs it.
  void set(std::size_t k, double number);
  void push_back(double number);
  void resize(std::size_t count);

  /// Stores all numbers as `width`, which must hold them.
  void convert(Width width);
  /// Stores all numbers in the narrowest width that holds them exactly.
  void narrow();

  /// Calls use(span of std::int8_t, std::int16_t, float or double).
  template <class Use>
  decltype(auto) visit(const Use& use) const {
    return visit(*this, use);
  }
  template <class Use>
  decltype(auto) visit(const Use& use) {
    return visit(*this, use);
  }

 private:
  template <class Self, class Use>
  static decltype(auto) visit(Self& self, const Use& use) {
    switch (self.width_) {
      case Width::Int8: return use(self.template view<std::int8_t>());
      case Width::Int16: return use(self.template view<std::int16_t>());
      case Width::Float: return use(self.template view<float>());
      case Width::Double: break;
    }
    return use(self.template view<double>());
  }
  template <class T>
  std::span<const T> view() const {
    return {reinterpret_cast<const T*>(memory_.data()),  // NOLINT: stored as bytes
            memory_.size() / sizeof(T)};
  }
  template <class T>
  std::span<T> view() {
    return {reinterpret_cast<T*>(memory_.data()),  // NOLINT: stored as bytes
            memory_.size() / sizeof(T)};
  }

  Width width_;
  Memory memory_;
};

}  // namespace oa::qubo
