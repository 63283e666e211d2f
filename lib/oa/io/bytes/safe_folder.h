#pragma once

#include <string>
#include <string_view>

namespace oa::io {

/// Puts files into a folder and never replaces different content.
class SafeFolder {
 public:
  SafeFolder(std::string folder, bool dry_run);

  enum class PutResult { Written, There, Refused };

  /// Writes `content` to a new file `name`; refuses to replace a file with different
  /// content.  A dry run writes nothing.
  PutResult put_file(const std::string& name, std::string_view content);

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_ + "/" + name;
  }

 private:
  std::string folder_;
  bool dry_run_;
};

}  // namespace oa::io
