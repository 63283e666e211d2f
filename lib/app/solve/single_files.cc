#include "app/solve/single_files.h"

#include "oa/base/error.h"

#include <algorithm>
#include <vector>

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

}  // namespace oa::app
