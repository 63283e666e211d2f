#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace oa {

/// Mixes `word` into a hash:
/// the product carries low bits up, the shift brings high bits down.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15U;
  return state ^ (state >> 32U);
}

/// FNV-1a hash of bytes added in pieces.
class Fingerprint {
 public:
  void add(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) {
      hash_ = (hash_ ^ byte) * 0x100000001b3;
    }
  }

  /// The hash as a decimal number below 2^63.
  [[nodiscard]] std::string text() const { return std::to_string(hash_ >> 1); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace oa
