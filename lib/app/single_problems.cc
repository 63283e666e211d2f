#include "app/single_problems.h"

#include "oa/base/error.h"

#include <utility>

namespace oa::app {

SingleProblems::SingleProblems(std::optional<io::Input> first,
                               std::vector<std::string> paths,
                               const ReadingOptions& reading,
                               Context& context)
    : input_(std::move(first)),
      paths_(std::move(paths)),
      reading_(reading),
      context_(context) {}

std::optional<SingleProblem> SingleProblems::next() {
  while (!context_.interrupted()) {
    try {
      return try_next();
    } catch (const io::CauseTold&) {
      throw;
    } catch (const UsageError& error) {
      if (paths_.size() == 1) {
        throw;
      }
      context_.leave_out(Exit::Input, error.what());
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

std::optional<SingleProblem> SingleProblems::try_next() {
  for (;;) {
    if (lines_ && lines_->next()) {
      return read_line();
    }
    lines_.reset();
    if (next_ < file_.problems.size()) {
      return SingleProblem{input_->name(),
                           format_,
                           std::move(file_.problems[next_++]),
                           std::move(file_.polynomial)};
    }
    if (opened_ == paths_.size()) {
      return std::nullopt;
    }
    open_next();
  }
}

SingleProblem SingleProblems::read_line() {
  io::ProblemFile one = lines_->read();
  warn_if_open(one, lines_->name());
  return {lines_->name(),
          io::ProblemFormat::Jsonl,
          std::move(one.problems.front()),
          std::move(one.polynomial)};
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
  format_ = choose_format(reading_, *input_, "--format");
  if (format_ == io::ProblemFormat::Jsonl) {
    lines_.emplace(*input_, settings_of(reading_));
    return;
  }
  file_ = io::read_problems(*input_, format_, settings_of(reading_));
  warn_if_open(file_, input_->name());
}

/// Once for each file.
void SingleProblems::warn_if_open(const io::ProblemFile& file,
                                  const std::string& name) {
  if (file.vartype_open && !std::exchange(warned_, true)) {
    warn_of_vartype(name, context_);
  }
}

}  // namespace oa::app
