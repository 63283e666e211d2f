#pragma once

#include "app/context.h"

#include <string>
#include <vector>

namespace oa::app {

/// Files of streams that should be the shards of one whole, looked at together.
struct Joined {
  std::vector<std::string> files;  ///< in the order of their shards, or of their images
  /// What keeps them from being a whole, a line each: "missing: shard 3/8".
  std::vector<std::string> complaints;
};

/// Reads all of them, and sees that they have the same head, that no image is in two,
/// that all end as they should and that no shard is missing that a head speaks of.
/// Throws IoError only: what is wrong with a file is a complaint.
[[nodiscard]] Joined look_at_shards(const std::vector<std::string>& paths,
                                    Context& context);

}  // namespace oa::app
