#include "app/solve/reading.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <utility>

namespace oa::app {
namespace {

std::string list_of(const std::vector<io::ProblemFormat>& formats) {
  std::string text;
  for (std::size_t k = 0; k < formats.size(); ++k) {
    text += k == 0 ? "" : k + 1 == formats.size() ? " or " : ", ";
    text += io::info(formats[k]).name;
  }
  return text;
}

}  // namespace

io::ProblemFormat choose_format(const ReadingOptions& o,
                                io::Input& input,
                                const std::string& format_option) {
  const auto checked = [&](io::ProblemFormat format) {
    if (format == io::ProblemFormat::Dimacs && o.graph.empty()) {
      throw UsageError("graph",
                       " is needed: " + input.name() + " is a graph (choose " +
                           std::string(io::kGraphGoals) + ")");
    }
    return format;
  };
  if (!o.format.empty()) {
    return checked(format_called(o.format));
  }
  const io::Detected found = io::detect_problem(input);
  if (found.stream) {
    throw InputError(input.name() +
                     ": a stream (expected a single problem; cat joins streams)");
  }
  if (found.formats.size() > 1) {
    throw UsageError(
        format_option,
        " is needed: " + input.name() + " may be " + list_of(found.formats));
  }
  return checked(found.formats.front());
}

io::ProblemSettings settings_of(const ReadingOptions& o) {
  io::ProblemSettings settings;
  if (!o.sense.empty()) {
    settings.sense = o.sense == "max" ? qubo::Sense::Max : qubo::Sense::Min;
  }
  if (!o.vartype.empty()) {
    settings.vartype =
        o.vartype == "spin" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
  }
  settings.graph = io::graph_goal(o.graph);
  return settings;
}

std::vector<std::string> warnings_of(const io::ProblemFile& file,
                                     const std::string& name) {
  std::vector<std::string> all;
  if (!file.warning.empty()) {
    all.push_back(file.warning);
  }
  if (file.first_unused) {
    all.push_back(name +
                  ": no term has variable 0, from which this format counts (if "
                  "the file counts from 1, variable 0 is one too many)");
  }
  if (file.vartype_open) {
    all.push_back(
        name +
        ": no vartype: binary variables are assumed (the option vartype changes this)");
  }
  return all;
}

io::ProblemFormat format_called(std::string_view name) {
  return std::ranges::find(io::problem_formats(), name, &io::ProblemFormatInfo::name)
      ->format;
}

ProblemReader::ProblemReader(std::optional<io::Input> first,
                             std::vector<std::string> paths,
                             const ReadingOptions& reading,
                             Context& context,
                             std::string format_option)
    : input_(std::move(first)),
      paths_(std::move(paths)),
      reading_(reading),
      context_(context),
      format_option_(std::move(format_option)) {}

std::optional<SingleProblem> ProblemReader::next() {
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
        throw;  // a signal may have truncated the input
      }
      context_.leave_out(Exit::Input, error.what());
    } catch (const IoError& error) {
      context_.leave_out(Exit::System, error.what());
    }
  }
  return std::nullopt;
}

std::optional<SingleProblem> ProblemReader::next_or_throw() {
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

SingleProblem ProblemReader::read_line() {
  io::ProblemFile one = lines_->read();
  warn_of(one, lines_->name());
  return {lines_->name(),
          lines_->name(),
          io::ProblemFormat::Jsonl,
          std::move(one.problems.front())};
}

void ProblemReader::open_next() {
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

/// Warns about facts that a file does not state; about the vartype only once.
void ProblemReader::warn_of(io::ProblemFile& file, const std::string& name) {
  file.vartype_open = file.vartype_open && !std::exchange(warned_, true);
  for (const std::string& warning : warnings_of(file, name)) {
    context_.warn(warning);
  }
}

}  // namespace oa::app
