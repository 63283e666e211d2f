#pragma once

#include "app/context.h"

#include <string>
#include <vector>

namespace oa::app {

/// Streams that should be the shards of one data set.
struct Joined {
  std::vector<std::string> files;  ///< in the order of shards, or of images
  /// Reasons why they are not, as "missing: shard 3/8".
  std::vector<std::string> complaints;
};

/// Reads all files.  Checks that heads are equal, that no image is in two files, that
/// all streams are complete and no shard is missing.  Throws only IoError: bad files
/// are complaints.
[[nodiscard]] Joined look_at_shards(const std::vector<std::string>& paths,
                                    Context& context);

}  // namespace oa::app
