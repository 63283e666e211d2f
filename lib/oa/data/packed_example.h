#pragma once

#include "oa/data/dataset.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa {

// Examples as bytes, for other processes of the same build.

/// A data set like `data` without examples.
[[nodiscard]] Dataset without_examples(const Dataset& data);

/// Appends example i to `to`: its picture or its tokens with the slack, and its
/// targets.
void pack_example(const Dataset& data, int i, std::vector<std::byte>& to);

/// Moves an example from the front of `from` to the end of `to`, which must be like its
/// data set.  Throws InputError if the bytes are no example.
void unpack_example(std::span<const std::byte>& from, Dataset& to);

/// A data set of the examples first .. last - 1.
[[nodiscard]] Dataset cut(const Dataset& data, int first, int last);

}  // namespace oa
