#include "options.h"

#include "cli/options.h"
#include "cli/solve_options.h"
#include "oa/base/parallel.h"

namespace oa::python {
namespace {

class OptionReader {
 public:
  OptionReader() : app_("oa-anneal") {
    cli::add_solver(app_, options_.solving);
    cli::add_single(app_, options_.single);
    cli::add_seed(app_, options_.common);
    cli::add_threads(app_, options_.common);
  }

  Options read(const std::vector<std::string>& words) {
    options_ = {};
    app_.parse(words);
    return options_;
  }

 private:
  Options options_;
  cli::App app_;
};

}  // namespace

Options read_options(const std::vector<std::string>& words) {
  Options options;
  if (!words.empty()) {
    static OptionReader reader;
    options = reader.read(words);
  }
  if (options.common.threads == 0) {
    options.common.threads = usable_threads();
  }
  return options;
}

}  // namespace oa::python
