#pragma once

#include "oa/base/large_allocator.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace oa::qubo {

/// The type in which numbers are stored, narrowest first.
enum class Width : std::uint8_t { Int8, Int16, Float, Double };

/// The narrowest type that holds `number` exactly.
[[nodiscard]] Width width_of(double number);
[[nodiscard]] std::size_t bytes_of(Width width);

/// An array of numbers, all stored in one type.
class Numbers {
 public:
  using Memory = std::vector<std::byte, LargeAllocator<std::byte>>;

  /// Creates `count` zeros.
  Numbers(Width width, std::size_t count);
  /// Takes over memory with numbers of type `width`.
  Numbers(Width width, Memory memory) : width_(width), memory_(std::move(memory)) {}
  /// Borrows memory with numbers of type `width`,
  /// which `owner` keeps alive and unchanged.  The first set() copies this memory.
  Numbers(Width width,
          std::span<const std::byte> memory,
          std::shared_ptr<const void> owner)
      : width_(width),
        borrowed_(memory),
        owner_(std::move(owner)) {}

  [[nodiscard]] Width width() const { return width_; }
  [[nodiscard]] std::size_t size() const { return bytes().size() / bytes_of(width_); }
  [[nodiscard]] bool is_borrowed() const { return owner_ != nullptr; }
  [[nodiscard]] double operator[](std::size_t k) const;

  /// Sets number k.  Converts all numbers to a wider type if `number` needs it.
  void set(std::size_t k, double number);
  void push_back(double number);
  void resize(std::size_t count);

  /// Converts all numbers to `width`, which must hold them exactly.
  void convert(Width width);
  /// Converts all numbers to the narrowest type that holds them exactly.
  void narrow();

  /// Calls use(span) with a span of the stored type.
  template <class Use>
  decltype(auto) visit(const Use& use) const {
    return visit(*this, use);
  }
  template <class Use>
  decltype(auto) visit(const Use& use) {
    own();
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
    return {reinterpret_cast<const T*>(bytes().data()),  // NOLINT: stored as bytes
            bytes().size() / sizeof(T)};
  }
  template <class T>
  std::span<T> view() {
    return {reinterpret_cast<T*>(memory_.data()),  // NOLINT: stored as bytes
            memory_.size() / sizeof(T)};
  }

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return is_borrowed() ? borrowed_ : std::span<const std::byte>(memory_);
  }
  /// Copies borrowed memory.
  void own();

  Width width_;
  Memory memory_;  // empty if borrowed
  std::span<const std::byte> borrowed_;
  std::shared_ptr<const void> owner_;
};

}  // namespace oa::qubo
