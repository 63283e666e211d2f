#include "app/solve/single_problems.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <utility>

namespace oa::app {

SingleProblems::SingleProblems(std::optional<io::Input> first,
                               std::vector<std::string> paths,
                               const ReadingOptions& reading,
                               Context& context,
                               std::string format_option)
    : input_(std::move(first)),
      paths_(std::move(paths)),
      reading_(reading),
      context_(context),
      format_option_(std::move(format_option)) {}

std::optional<SingleProblem> SingleProblems::next() {
  while (!context_.interrupted()) {
    try {
      return next_or_throw();
    } catch (const io::CauseReported&) {
      throw;
    } catch (const UsageError& error) {
      if (paths_.size() == 1) {
        throw;
      }
      context_.leave_out(
          Exit::Input,
          std::string(error.names_setting() ? "the option " : "") + error.what());
    } catch (const InputError& error) {
      if (context_.interrupted()) {
        throw;  // the signal may have cut the input short
      }
      context_.leave_out(Exit::Input, error.what());
    } catch (const IoError& error) {
      context_.leave_out(Exit::System, error.what());
    }
  }
  return std::nullopt;
}

std::optional<SingleProblem> SingleProblems::next_or_throw() {
  while (!context_.interrupted()) {
    if (lines_ && lines_->next()) {
      return read_line();
    }
    lines_.reset();
    if (next_ < file_.problems.size()) {
      std::string where = input_->name();
      if (file_.problems.size() > 1) {
        where += ": problem " + format(static_cast<std::int64_t>(next_) + 1);
      }
      return SingleProblem{input_->name(),
                           std::move(where),
                           format_,
                           std::move(file_.problems[next_++])};
    }
    if (opened_ == paths_.size()) {
      return std::nullopt;
    }
    open_next();
  }
  return std::nullopt;
}

SingleProblem SingleProblems::read_line() {
  io::ProblemFile one = lines_->read();
  warn_of(one, lines_->name());
  return {lines_->name(),
          lines_->name(),
          io::ProblemFormat::Jsonl,
          std::move(one.problems.front())};
}

void SingleProblems::open_next() {
  const std::string& path = paths_[opened_++];
  file_ = {};
  next_ = 0;
  warned_ = false;
  if (opened_ > 1 || !input_) {
    input_.reset();
    input_.emplace(io::Input::open(path, context_.token()));
  }
  format_ = choose_format(reading_, *input_, format_option_);
  if (format_ == io::ProblemFormat::Jsonl) {
    lines_.emplace(*input_, settings_of(reading_));
    return;
  }
  file_ = io::read_problems(*input_, format_, settings_of(reading_));
  warn_of(file_, input_->name());
}

/// Warns of what a file leaves open, of a lacking vartype only once.
void SingleProblems::warn_of(io::ProblemFile& file, const std::string& name) {
  file.vartype_open = file.vartype_open && !std::exchange(warned_, true);
  for (const std::string& warning : warnings_of(file, name)) {
    context_.warn(warning);
  }
}

}  // namespace oa::app
