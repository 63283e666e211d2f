#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oa::io {

struct FolderFile {
  std::string path;      ///< begins with that of the folder
  bool regular = false;  ///< or a link to such a file
};

enum class Depth : std::uint8_t { Folder, Tree };

/// What is in a folder, or in the tree below it, but for folders; sorted.  Throws
/// IoError: a folder that cannot be read to its end has no contents that can be relied
/// on.
[[nodiscard]] std::vector<FolderFile> files_in(const std::string& folder, Depth depth);

}  // namespace oa::io
