#pragma once

#include "app/context.h"
#include "app/solve/single_files.h"
#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/problem_lines.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

struct SingleProblem {
  std::string name;  ///< of its file; "file:12" in JSON lines
  std::string
      where;  ///< for messages: also the number among several problems of the file
  io::ProblemFormat format;
  qubo::Model model;
};

/// Reads the single problems of files, one after the other.
class SingleProblems {
 public:
  /// `first`, if given, is the first of `paths`, already open.  `format_option` is
  /// named in the message if several formats fit.
  SingleProblems(std::optional<io::Input> first,
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
