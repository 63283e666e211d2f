#pragma once

#include "app/context.h"
#include "oa/io/quadratic/quadratic_io.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::app {

/// How files of single problems are to be read.
struct ReadingOptions {
  std::string format;   ///< empty: by content and name
  std::string sense;    ///< empty: the format's
  std::string vartype;  ///< empty: the file's, or binary
};

struct SingleFile {
  io::ProblemFormat format;
  std::vector<qubo::Quadratic> problems;
  std::optional<qubo::Polynomial> polynomial;  ///< what the only problem stands for
};

/// The format of that name, which there is.
[[nodiscard]] io::ProblemFormat format_called(std::string_view name);

/// Reads all problems of a file.  Warns if the file does not say what its variables
/// are.  Throws UsageError if it is a stream, or if several formats fit and
/// `format_option` was not given.
[[nodiscard]] SingleFile read_single_file(const ReadingOptions& options,
                                          io::Input& input,
                                          const std::string& format_option,
                                          Context& context);

}  // namespace oa::app
