#pragma once

#include "app/context.h"
#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/quadratic/problem_lines.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::app {

/// Settings for reading files of single problems.
struct ReadingOptions {
  std::string format;      ///< empty: detected from content and name
  std::string sense;       ///< empty: the format's default
  std::string vartype;     ///< empty: the file's, or binary
  std::string graph = {};  ///< the question about a graph, such as "cut"
};

/// The format with this name, which must exist.
[[nodiscard]] io::ProblemFormat format_called(std::string_view name);

/// Chooses the format of a file.  Throws UsageError, which names `format_option`, if
/// several formats fit, or for a graph without a question.  Throws InputError if the
/// file is a stream or empty.
[[nodiscard]] io::ProblemFormat choose_format(const ReadingOptions& options,
                                              io::Input& input,
                                              const std::string& format_option);

[[nodiscard]] io::ProblemSettings settings_of(const ReadingOptions& options);

/// Warns about facts that the file `name` does not state.
[[nodiscard]] std::vector<std::string> warnings_of(const io::ProblemFile& file,
                                                   const std::string& name);

struct SingleProblem {
  std::string name;  ///< the file's name; "file:12" in JSON lines
  std::string
      where;  ///< for messages: name, and number among several problems of a file
  io::ProblemFormat format;
  qubo::Model model;
};

/// Reads the single problems of several files, one by one.
class ProblemReader {
 public:
  /// `first`, if given, is the first of `paths`, which is already open.
  /// The message for files that fit several formats names `format_option`.
  ProblemReader(std::optional<io::Input> first,
                std::vector<std::string> paths,
                const ReadingOptions& reading,
                Context& context,
                std::string format_option = "format");

  /// Returns the next problem; empty at the end and after an interruption.
  /// Skips files and JSON lines that cannot be read, with a message.
  [[nodiscard]] std::optional<SingleProblem> next();

  /// True if no problem follows; false if a problem may follow.
  [[nodiscard]] bool at_end() const {
    return !lines_ && next_ == file_.problems.size() && opened_ == paths_.size();
  }

  /// Returns the next problem as next() does, but throws if it cannot be read.
  [[nodiscard]] std::optional<SingleProblem> next_or_throw();

 private:
  [[nodiscard]] SingleProblem read_line();
  void open_next();
  void warn_of(io::ProblemFile& file, const std::string& name);

  std::optional<io::Input> input_;
  std::vector<std::string> paths_;
  const ReadingOptions& reading_;
  Context& context_;
  std::string format_option_;
  std::size_t opened_ = 0;
  std::optional<io::ProblemLines> lines_;  // of input_
  bool warned_ = false;                    // warned about this file's vartype
  io::ProblemFormat format_{};
  io::ProblemFile file_;
  std::size_t next_ = 0;  // index of the next problem in file_
};

}  // namespace oa::app
