#include "cli/reading_options.h"

namespace oa::cli {

std::vector<std::string> format_names() {
  return names_in(io::problem_formats());
}

std::vector<std::string> written_format_names() {
  std::vector<std::string> names;
  for (const io::ProblemFormatInfo& f : io::problem_formats()) {
    // write_lp() writes programs, also those that a function's couplings reveal.
    if (f.written || f.format == io::ProblemFormat::Lp) {
      names.emplace_back(f.name);
    }
  }
  return names;
}

void add_reading(App& app, app::ReadingOptions& o, const std::string& format_option) {
  app.add_option(format_option + " NAME", o.format, "Format of a single problem")
      ->default_str("by content")
      ->check(one_of(format_names()));
  app.add_option("--sense WAY", o.sense, "Minimise or maximise a single problem")
      ->default_str("the format's")
      ->check(one_of({"min", "max"}));
  app.add_option(
         "--vartype KIND", o.vartype, "Type of variables, if the file does not name it")
      ->default_str("binary")
      ->check(one_of({"binary", "spin"}));
  app.add_option(
         "--graph WHAT", o.graph, "Problem of a graph: " + std::string(io::kGraphGoals))
      ->default_str("none")
      ->check({[](const std::string& text) {
                 return io::graph_goal(text) ? std::string()
                                             : "'" + text + "' (expected " +
                                                   std::string(io::kGraphGoals) + ")";
               },
               {},
               {"independent-set", "clique", "cut", "colouring=3"}});
}

}  // namespace oa::cli
