// oa-exact-fuzz [--seed N] [--runs N] [--family NAME] [--one K] [--tool FILE]
//               [--keep FOLDER]
//
// Single problems of all formats, solved with all options, against exact arithmetic of
// its own that tries everything.  Prints a line for each finding and a table; status 1
// where there is a finding.  `--one K` repeats run K of the same seed and family. Files
// of findings are kept in FOLDER; one run in 200 goes through the tool FILE, too.
#include "exact/asked.h"
#include "exact/judge.h"
#include "exact/problem_text.h"
#include "exact/program.h"
#include "exact/weights.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa_test.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace oa::exact {
namespace {

struct Options {
  std::uint64_t seed = 1;
  std::int64_t runs = 1000;
  std::string family;
  std::optional<std::int64_t> one;
  std::string tool;
  std::string keep;
};

constexpr int kProgramEvery = 4;  // prime to the number of families: each gets some
constexpr int kToolEvery = 200;   // starting a process takes as long as many problems
constexpr int kShown = 10;        // findings of a family
constexpr int kLines = 4;         // of a finding

struct Counts {
  std::int64_t problems = 0;
  std::int64_t refused = 0;
  std::int64_t proved = 0;
  std::int64_t written = 0;
  std::int64_t findings = 0;
  std::map<std::string, std::int64_t> kinds;  ///< of findings; one may be of several
};

/// Everything about one problem that can be repeated.
class Run {
 public:
  Run(const Options& options, const Family& family, std::int64_t number, Counts& counts)
      : options_(options),
        family_(family),
        number_(number),
        counts_(counts),
        rng_(Rng(options.seed).fork(static_cast<std::uint64_t>(number))) {
    const Draw draw = family.begin(rng_);
    // Numbers of very different size are added word by word.
    const int most = family.extreme ? 9 : rng_.below(8) == 0 ? 16 : 12;
    weights_ = random_weights(rng_, draw, most);
    text_ = random_text(rng_, draw, weights_);
    asked_ = random_options(rng_, text_.stated);
  }

  void check() {
    ++counts_.problems;
    try {
      wrong_ =
          number_ % kProgramEvery == kProgramEvery - 1 ? found_in_program() : found();
    } catch (const InputError& error) {
      ++counts_.refused;
      if (!family_.extreme) {
        wrong_ = {std::string("refused: ") + error.what()};
      }
    } catch (const std::exception& error) {
      wrong_ = {std::string("failed: ") + error.what()};
    }
    if (!wrong_.empty()) {
      report();
    }
  }

 private:
  /// Tests equal numbers in a polynomial with constraints.
  std::vector<std::string> found_in_program() {
    const Program program = random_program(rng_, family_.begin(rng_));
    weights_.structure = "program";
    weights_.n = program.n;
    text_.format = program.format;
    text_.bytes = program.bytes;
    std::vector<std::string> wrong = wrong_in(program, rng_);
    counts_.proved += wrong.empty() ? 1 : 0;
    return wrong;
  }

  std::vector<std::string> found() {
    io::Input input = io::Input::memory(test::bytes_of(text_.bytes), "problem");
    const auto formats = io::detect_problem(input).formats;
    const qubo::Quadratic f =
        io::read_problems(input, text_.format, text_.reading).problems.at(0).f;
    std::vector<std::string> wrong = wrong_in_reading(text_.stated, f, rng_);
    // A file of one number is the same matrix with and without commas.
    const bool one_number = f.size() == 1 && text_.format == io::ProblemFormat::Txt;
    if (!one_number && std::ranges::find(formats, text_.format) == formats.end()) {
      wrong.emplace_back("detection: taken for another format");
    }
    const auto add = [&](const std::vector<std::string>& more, const char* where) {
      for (const std::string& one : more) {
        wrong.push_back(where + one);
      }
    };
    int written = 0;
    add(wrong_in_conversions(text_.stated, f, rng_, written), "");
    counts_.written += written;
    const Truth truth = truth_of(text_.stated, asked_.settings.solver.top);
    const Answer answer = solve(f, asked_);
    counts_.proved += answer.status == qubo::Status::ProvedOptimal ? 1 : 0;
    add(wrong_in(truth, asked_, answer), "");
    if (asked_.repeatable()) {
      Asked others = asked_;
      others.settings.threads = 3 - asked_.settings.threads;
      if (!(solve(f, others) == answer)) {
        wrong.emplace_back("threads: another result with others");
      }
    }
    if (!options_.tool.empty() && (number_ % kToolEvery == 0 || options_.one)) {
      add(wrong_in_tool(truth, answer), "oa-anneal: ");
    }
    return wrong;
  }

  std::vector<std::string> wrong_in_tool(const Truth& truth, const Answer& expected) {
    const std::optional<Answer> answer = run_tool(options_.tool, text_, asked_);
    if (!answer) {
      return {"refused, and the library takes it"};
    }
    Asked untold = asked_;  // the trace is checked in the library
    untold.trace = false;
    std::vector<std::string> wrong = wrong_in(truth, untold, *answer);
    Answer same = expected;
    same.trace.clear();
    same.bounds.clear();
    if (asked_.repeatable() && !(*answer == same)) {
      wrong.emplace_back("another result than the library's");
    }
    return wrong;
  }

  void count() {
    counts_.findings += 1;
    std::set<std::string> kinds;
    for (const std::string& one : wrong_) {
      kinds.insert(one.substr(0, one.find(':')));
    }
    for (const std::string& kind : kinds) {
      counts_.kinds[kind] += 1;
    }
  }

  void report() {
    count();
    if (counts_.findings > kShown && !options_.one) {
      return;
    }
    std::string file = "problem";
    if (!options_.keep.empty()) {
      file = options_.keep + "/" + std::to_string(options_.seed) + "-" +
             std::to_string(number_) + std::string(io::info(text_.format).suffix());
      test::spill(file, text_.bytes);
    }
    std::cout << "FINDING " << family_.name << " (--seed " << options_.seed;
    if (!options_.family.empty()) {
      std::cout << " --family '" << options_.family << "'";
    }
    std::cout << " --one " << number_ << "), " << weights_.structure << ", "
              << weights_.n << " variables: " << command_line(text_, asked_) << " "
              << file << "\n";
    for (std::size_t k = 0; k < wrong_.size() && (k < kLines || options_.one); ++k) {
      std::cout << "  " << wrong_[k] << "\n";
    }
    if (!options_.one && wrong_.size() > kLines) {
      std::cout << "  and " << wrong_.size() - kLines << " more\n";
    }
    if (options_.one) {
      std::cout << text_.bytes;
    }
    std::cout << std::flush;
  }

  const Options& options_;
  const Family& family_;
  std::int64_t number_;
  Counts& counts_;
  Rng rng_;
  Weights weights_;
  ProblemText text_;
  Asked asked_;
  std::vector<std::string> wrong_;
};

void print_line(std::string_view name, const Counts& c) {
  std::cout << "| " << name;
  for (const std::int64_t n :
       {c.problems, c.refused, c.proved, c.written, c.findings}) {
    std::cout << " | " << n;
  }
  std::cout << " |\n";
}

/// A table of the results, and the kinds of findings.
void print_table(const std::vector<Counts>& counts, const Counts& total) {
  std::cout << "| family | problems | refused | proved | conversions | findings |\n"
               "| --- | --- | --- | --- | --- | --- |\n";
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k].problems > 0) {
      print_line(families()[k].name, counts[k]);
    }
  }
  print_line("all", total);
  for (const auto& [kind, n] : total.kinds) {
    std::cout << "findings of the kind '" << kind << "': " << n << "\n";
  }
}

Counts sum_of(const std::vector<Counts>& counts) {
  Counts total;
  for (const Counts& c : counts) {
    total.problems += c.problems;
    total.refused += c.refused;
    total.proved += c.proved;
    total.written += c.written;
    total.findings += c.findings;
    for (const auto& [kind, n] : c.kinds) {
      total.kinds[kind] += n;
    }
  }
  return total;
}

int fuzz(const Options& options) {
  const auto all = families();
  const auto named = std::ranges::find(all, options.family, &Family::name);
  if (!options.family.empty() && named == all.end()) {
    std::cerr << "oa-exact-fuzz: no family '" << options.family << "'\n";
    return 2;
  }
  std::vector<Counts> counts(all.size());
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t first = options.one.value_or(0);
  const std::int64_t end = options.one ? first + 1 : options.runs;
  for (std::int64_t k = first; k < end; ++k) {
    const std::size_t family = options.family.empty()
                                   ? static_cast<std::size_t>(k) % all.size()
                                   : static_cast<std::size_t>(named - all.begin());
    Run(options, all[family], k, counts[family]).check();
  }
  const Counts total = sum_of(counts);
  print_table(counts, total);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::cout << format_fixed(taken.count(), 1) << " s\n";
  return total.findings == 0 ? 0 : 1;
}

/// Throws std::runtime_error.
Options parsed(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t k = 0; k < words.size(); k += 2) {
    const std::string& name = words[k];
    const std::string value = k + 1 < words.size() ? words[k + 1] : "";
    const auto number = parse_int(value);
    if (name == "--family") {
      options.family = value;
    } else if (name == "--tool") {
      options.tool = std::filesystem::absolute(value);
    } else if (name == "--keep") {
      options.keep = value;
    } else if (number && *number >= 0 && name == "--seed") {
      options.seed = static_cast<std::uint64_t>(*number);
    } else if (number && *number > 0 && name == "--runs") {
      options.runs = *number;
    } else if (number && *number >= 0 && name == "--one") {
      options.one = number;
    } else {
      throw std::runtime_error(name + " " + value);
    }
  }
  return options;
}

}  // namespace
}  // namespace oa::exact

int main(int argc, char** argv) {
  try {
    return oa::exact::fuzz(oa::exact::parsed({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << "oa-exact-fuzz: " << error.what() << "\n";
    return 2;
  }
}
