#pragma once

#include "oa/data/dataset.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa {

/// Examples as bytes, so that one process can hand them to another of the same build.

/// A data set like `data` without examples.
[[nodiscard]] Dataset without_examples(const Dataset& data);

/// Appends example i to `to`: its picture or its tokens, those that it may begin later
/// at included, and its answers.
void pack_example(const Dataset& data, int i, std::vector<std::byte>& to);

/// Takes an example off the front of `from` and appends it to `to`, which is like the
/// data set that it comes from.  Throws InputError if the bytes are not those of an
/// example.
void unpack_example(std::span<const std::byte>& from, Dataset& to);

/// The examples first .. last - 1 of `data` as a data set of its own.
[[nodiscard]] Dataset cut(const Dataset& data, int first, int last);

}  // namespace oa
