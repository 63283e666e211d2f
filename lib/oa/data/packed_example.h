#pragma once

#include "oa/data/dataset.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa {

// Examples as bytes, to be sent to other processes of the same build.

/// Returns a data set with the sizes of `data` but no examples.
[[nodiscard]] Dataset without_examples(const Dataset& data);

/// Appends example i to `to`:
/// its picture, or its tokens with their slack, and its targets.
void pack_example(const Dataset& data, int i, std::vector<std::byte>& to);

/// Moves an example from the front of `from` to the end of `to`, a data set with
/// examples of the same sizes.  Throws InputError if the bytes are no example.
void unpack_example(std::span<const std::byte>& from, Dataset& to);

/// Returns a data set of the examples first .. last - 1.
[[nodiscard]] Dataset cut(const Dataset& data, int first, int last);

}  // namespace oa
