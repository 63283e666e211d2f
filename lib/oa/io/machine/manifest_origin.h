#pragma once

#include <string>

namespace oa::io {

/// Throws OverwriteError if `path` is a file that the same command did not write:
/// results that are still to come need the manifest of their own tasks.  `history` is
/// the line of this command, and `file` the first file that it packs.
void refuse_other_manifest(const std::string& path,
                           const std::string& history,
                           const std::string& file);

}  // namespace oa::io
