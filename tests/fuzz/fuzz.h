#pragma once

#include "oa/base/error.h"
#include "oa/io/bytes/input.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

// Shared by all fuzz targets, each of which includes this file once.

namespace oa::fuzz {

using Bytes = std::span<const std::byte>;

/// The target: tries one input, and ends the program where a law is broken.
void one_input(Bytes bytes);

inline void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

inline std::string text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT
}

/// Calls `work`; a refusal of its input is the other right answer.
void or_refuse(auto work) {
  try {
    work();
  } catch (const InputError&) {
  }
}

/// Calls `read` with the bytes as a file, which it may refuse.
void read_or_refuse(Bytes bytes, auto read) {
  or_refuse([&] {
    io::Input input = io::Input::memory(bytes, "fuzz");
    read(input);
  });
}

/// What `read` makes of the bytes as a file.
auto read_from(Bytes bytes, auto read) {
  io::Input input = io::Input::memory(bytes, "fuzz");
  return read(input);
}

}  // namespace oa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  oa::fuzz::one_input(std::as_bytes(std::span(data, size)));
  return 0;
}
