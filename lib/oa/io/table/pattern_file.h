#pragma once

#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"

namespace oa::io {

// A pattern of sparse attention as text: which keys each query of a sequence sees.
//
// GRAMMAR.  Lines of words between spaces or tabs, with any line ending.  `#` begins a
// comment, which ends with the line; lines without words are passed over.  The first
// line is the number of tokens, n.  Then one line for each query, 0 to n-1: the keys
// that it sees, in rising order, each a number from 0 to n-1 or a range a-b of such
// with both ends in it; or a single `-` for a query that sees none.
//
// LIMITS.  n from 1 to 16,777,216; lines up to 16 MiB.  In a causal layer no key may be
// behind its query.
//
// EXAMPLE.  Five tokens; each sees itself and the first, the last one sees all, and the
// fourth nothing:
//
//     5            # tokens
//     0
//     0-1
//     0 2
//     -
//     0-4

/// Reads such a file.  Throws InputError, "file:line: why".
[[nodiscard]] attention::Pattern read_pattern(Input& input, bool causal);

/// Writes a pattern of as many queries as keys, at least one, in the shortest form.
void write_pattern(const attention::Pattern& pattern, Output& output);

}  // namespace oa::io
