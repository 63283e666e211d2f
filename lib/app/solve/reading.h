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

/// How to read files of single problems.
struct ReadingOptions {
  std::string format;      ///< empty: by content and name
  std::string sense;       ///< empty: the format's
  std::string vartype;     ///< empty: the file's, or binary
  std::string graph = {};  ///< what is asked about a graph, if the file is one
};

/// The format of that name, which must exist.
[[nodiscard]] io::ProblemFormat format_called(std::string_view name);

/// The format of a file.  Throws UsageError, which names `format_option`, if several
/// formats fit, or if nothing is asked about a graph, and InputError if the file is a
/// stream or empty.
[[nodiscard]] io::ProblemFormat choose_format(const ReadingOptions& options,
                                              io::Input& input,
                                              const std::string& format_option);

[[nodiscard]] io::ProblemSettings settings_of(const ReadingOptions& options);

/// Warnings of what the file `name` does not state.
[[nodiscard]] std::vector<std::string> warnings_of(const io::ProblemFile& file,
                                                   const std::string& name);

struct SingleProblem {
  std::string name;  ///< of its file; "file:12" in JSON lines
  std::string
      where;  ///< for messages: also the number among several problems of the file
  io::ProblemFormat format;
  qubo::Model model;
};

/// Reads the single problems of files, one after the other.
class ProblemReader {
 public:
  /// `first`, if given, is the first of `paths`, already open.  `format_option` is
  /// named in the message if several formats fit.
  ProblemReader(std::optional<io::Input> first,
                std::vector<std::string> paths,
                const ReadingOptions& reading,
                Context& context,
                std::string format_option = "format");

  /// Leaves out files and JSON lines that cannot be read, with a message.  Empty at the
  /// end and after an interruption.
  [[nodiscard]] std::optional<SingleProblem> next();

  /// True if no problem follows.  False if that is not known yet.
  [[nodiscard]] bool at_end() const {
    return !lines_ && next_ == file_.problems.size() && opened_ == paths_.size();
  }

  /// The same as next(), but throws on a problem that cannot be read.
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
  bool warned_ = false;                    // about the vartype of this file
  io::ProblemFormat format_{};
  io::ProblemFile file_;
  std::size_t next_ = 0;  // in file_
};

}  // namespace oa::app
