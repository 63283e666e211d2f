#pragma once

#include <string>

namespace oa::io {

/// Throws OverwriteError if another command wrote the manifest at `path`: results still
/// to come need it.  `history` is the line of this command, and `file` the first file
/// that it packs.
void refuse_other_manifest(const std::string& path,
                           const std::string& history,
                           const std::string& file);

}  // namespace oa::io
