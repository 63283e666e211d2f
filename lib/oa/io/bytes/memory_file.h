#pragma once

#include "oa/base/large_allocator.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace oa::io {

using MemoryBytes = std::vector<std::byte, LargeAllocator<std::byte>>;

/// A file in memory.  While it exists, Input::open and Output find it by its path.
class MemoryFile {
 public:
  /// `name` is the last part of the path, as messages and histories show it.
  explicit MemoryFile(const std::string& name, MemoryBytes bytes = {});
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The current bytes; a later Output does not change them.
  [[nodiscard]] std::shared_ptr<const MemoryBytes> bytes() const;

 private:
  std::string path_;
};

/// Returns the bytes of the existing MemoryFile with this path, or null.
[[nodiscard]] std::shared_ptr<const MemoryBytes> find_memory_file(
    const std::string& path);
/// Replaces the bytes of the MemoryFile with this path, if it still exists.
void replace_memory_file(const std::string& path, MemoryBytes bytes);

}  // namespace oa::io
