#pragma once

#include "oa/io/bytes/input.h"

#include <string>

namespace oa::io {

// A pattern of sparse attention as text: the keys that each query of a sequence sees.
//
// GRAMMAR.  Lines of words, separated by spaces or tabs, with any line ending.
// `#` begins a comment up to the end of the line; lines without words are skipped.
// The first line is the number of tokens, n.  Each query, 0 to n-1, has one more line:
// its keys in ascending order, each a number from 0 to n-1 or a range a-b (both ends
// included), or a single `-` if the query sees no key.
//
// LIMITS. n from 1 to 16,777,216; lines up to 16 MiB.
// In a causal layer a query sees no later key.
//
// EXAMPLE.  Five tokens.  The first three see themselves and the first token; the
// fourth sees nothing; the last sees all:
//
//     5            # tokens
//     0
//     0-1
//     0 2
//     -
//     0-4

/// Reads a pattern file as the option `rows` of the kind csr: "0;0-1;0+2;;0-4".
/// Throws InputError "file:line: why".
[[nodiscard]] std::string read_pattern(Input& input);

}  // namespace oa::io
