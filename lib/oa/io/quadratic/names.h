#pragma once

#include <string>
#include <vector>

namespace oa::io {

/// Converts names of variables from text to JSON, as qubo::Quadratic keeps them: whole
/// numbers become numbers.  Empty if they are 0, 1, 2, ...  Throws InputError, which
/// names `where`, on a duplicate.
[[nodiscard]] std::vector<std::string> names_of_text(
    const std::vector<std::string>& names, const std::string& where);

/// The same for names that are JSON already.
[[nodiscard]] std::vector<std::string> checked_names(std::vector<std::string> names,
                                                     const std::string& where);

/// Converts names to cells of a table, which names_of_text() converts back.  Throws
/// InputError, which names `where`, if no cell can hold a name.
[[nodiscard]] std::vector<std::string> cells_of_names(
    const std::vector<std::string>& names, const std::string& where);

}  // namespace oa::io
