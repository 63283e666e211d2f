#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oa::io {

struct FolderFile {
  std::string path;      ///< starts with the folder's path
  bool regular = false;  ///< a regular file, or a link to one
};

enum class Depth : std::uint8_t { Folder, Tree };

/// The files in a folder or in the tree below it, sorted.  Throws IoError if the folder
/// cannot be read to its end.
[[nodiscard]] std::vector<FolderFile> files_in(const std::string& folder, Depth depth);

}  // namespace oa::io
