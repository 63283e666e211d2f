#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace oa {

/// FNV-1a of bytes that come in pieces.
class Fingerprint {
 public:
  void add(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) {
      hash_ = (hash_ ^ byte) * 0x100000001b3;
    }
  }

  /// A decimal number below 2^63.
  [[nodiscard]] std::string text() const { return std::to_string(hash_ >> 1); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace oa
