// Reads tables, logs and archives for figures:
// predictions, trainings, images, packed matrices.
#include "app/figure/sources.h"
#include "app/score/evaluate.h"
#include "app/solve/problem_results.h"
#include "oa/attention/kind.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/machine/matrix_csv.h"
#include "oa/io/table/chart_data.h"
#include "oa/io/table/square_csv.h"
#include "oa/io/tensor/idx.h"
#include "oa/score/time_to_target.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace oa::app {
namespace {

/// Reads predictions whose true class has a probability in the table.
std::vector<score::Prediction> labelled_predictions(const std::string& path,
                                                    Context& context) {
  std::vector<score::Prediction> all;
  for (score::ImageResult& result : read_image_results(path, context)) {
    const score::Prediction& p = result.prediction;
    if (p.label && *p.label >= std::ssize(p.probabilities)) {
      throw InputError(path + ": image " + format(p.index) + " is of class " +
                       format(*p.label) + " (expected one of " +
                       format(std::ssize(p.probabilities)) + " classes)");
    }
    if (p.label) {
      all.push_back(std::move(result.prediction));
    }
  }
  if (all.empty() && !context.interrupted()) {
    throw InputError(path + ": no image whose class is known");
  }
  return all;
}

/// The probability of class `label`, checked: other programs may write any number.
double probability_of(const score::Prediction& p,
                      std::size_t label,
                      const std::string& path) {
  constexpr double kRounding = 1e-6;
  const double value = p.probabilities[label];
  if (value < 0.0 || value > 1.0 + kRounding) {
    throw InputError(path + ": image " + format(p.index) + ": " + format(value) +
                     " (expected a probability)");
  }
  return std::min(value, 1.0);
}

void add_matrix(io::Input& input, plot::Levels& levels) {
  io::SquareCsvReader reader(input);
  std::vector<std::int64_t> matrix;
  while (reader.next()) {
    if (!reader.fits() || reader.size() > io::kMaxMatrixSize) {
      throw InputError(reader.where() + ": not a square matrix of up to " +
                       format_grouped(io::kMaxMatrixSize) + " rows");
    }
    for (const std::string_view cell : reader.cells()) {
      const auto value = parse_double(cell);
      if (!value || *value != std::trunc(*value) || std::abs(*value) > 1e9) {
        throw InputError(reader.where() + ": '" + std::string(cell.substr(0, 40)) +
                         "' (expected a whole number)");
      }
      matrix.push_back(static_cast<std::int64_t>(*value));
    }
  }
  if (!reader.complete()) {
    throw InputError(input.name() + ": " + format(reader.rows()) +
                     " rows (expected a square matrix)");
  }
  if (!levels.add_matrix(matrix, static_cast<int>(reader.size()))) {
    throw InputError(input.name() +
                     ": not a matrix of 8-bit levels (expected what oa-cim-pack "
                     "writes)");
  }
}

std::string described(const io::TimedResult& r) {
  return std::string(r.sense == qubo::Sense::Max ? "maximum" : "minimum") + " of " +
         printable(r.file);
}

/// Adds a matrix, or all matrices of an archive.
void add_file(const std::string& path, Context& context, plot::Levels& levels) {
  constexpr std::size_t kTarBlock = 512;
  io::Input input = io::Input::open(path, context.token());
  if (!io::looks_like_archive(input.peek(kTarBlock))) {
    add_matrix(input, levels);
    return;
  }
  io::ArchiveReader archive(std::move(input));
  io::ArchiveEntry entry;
  while (archive.next(entry)) {
    if (!entry.problem.empty()) {
      throw InputError(path + ":" + printable(entry.path) + ": " + entry.problem);
    }
    if (entry.path.ends_with(".csv")) {
      io::Input member = io::Input::memory(std::as_bytes(std::span(entry.content)),
                                           path + ":" + printable(entry.path));
      add_matrix(member, levels);
    }
  }
  if (levels.tasks == 0) {
    throw InputError(path + ": no .csv file in this archive");
  }
}

}  // namespace

std::vector<std::string> run_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    const std::string file = path.substr(path.rfind('/') + 1);
    const std::string stem = file.substr(0, std::max<std::size_t>(file.find('.'), 1));
    names.push_back(printable(path == "-" ? "standard input" : stem));
    seen.insert(names.back());
  }
  return seen.size() == paths.size() ? names : paths;
}

plot::Picture read_picture(const std::string& path,
                           std::int64_t index,
                           Context& context) {
  io::Input input = io::Input::open(path, context.token());
  const Images images = io::read_idx_images(input);
  if (index < 0 || index >= images.count) {
    throw InputError(input.name() + ": no image " + format(index) + " (it has " +
                     format(images.count) + ")");
  }
  plot::Picture picture{images.rows, images.cols, {}};
  for (const std::uint8_t pixel : images[static_cast<int>(index)]) {
    picture.pixels.push_back(pixel / 255.0);
  }
  return picture;
}

plot::BoxPlot read_box_plot(const std::vector<std::string>& paths, Context& context) {
  const std::vector<std::string> names = run_names(paths);
  plot::BoxPlot plot;
  for (std::size_t r = 0; r < paths.size(); ++r) {
    std::vector<std::vector<double>> confidence;
    for (const auto& p : labelled_predictions(paths[r], context)) {
      const auto label = static_cast<std::size_t>(*p.label);
      confidence.resize(std::max(confidence.size(), label + 1));
      confidence[label].push_back(probability_of(p, label, paths[r]));
    }
    plot::BoxPlot::Run run{names[r], {}};
    for (auto& values : confidence) {
      run.boxes.push_back(plot::make_box(std::move(values)));
    }
    plot.runs.push_back(std::move(run));
  }
  return plot;
}

plot::Confusion read_confusion(const std::string& path, Context& context) {
  score::Accuracy accuracy;
  for (const auto& p : labelled_predictions(path, context)) {
    accuracy.add(p);
  }
  plot::Confusion confusion{run_names({path}).front(), accuracy.classes(), {}};
  for (int label = 0; label < confusion.classes; ++label) {
    for (int predicted = 0; predicted < confusion.classes; ++predicted) {
      confusion.count.push_back(accuracy.confusion(label, predicted));
    }
  }
  return confusion;
}

std::vector<score::Curve> read_curves(const std::vector<std::string>& paths,
                                      bool steps,
                                      Context& context) {
  const std::vector<std::string> names = run_names(paths);
  std::vector<score::Curve> all;
  for (std::size_t r = 0; r < paths.size(); ++r) {
    io::Input input = io::Input::open(paths[r], context.token());
    bool cut = false;
    for (score::Curve& curve : io::read_training_log(input, steps, cut)) {
      curve.name = curve.name.empty() ? names[r] : names[r] + ", " + curve.name;
      all.push_back(std::move(curve));
    }
    if (cut) {
      context.warn(paths[r] + ": the last line is not whole: left out");
    }
  }
  return all;
}

plot::Targets read_targets(const std::vector<std::string>& paths,
                           std::optional<double> target,
                           Context& context) {
  ResultsByProblem results;
  for (const std::string& path : paths) {
    io::Input input = io::Input::open(path, context.token());
    results.read(input);
  }
  const std::vector<ProblemResults> problems = results.take();
  const ProblemResults& problem = problems.front();
  if (problems.size() > 1) {
    const FileResult& other = problems[1].results.front();
    throw InputError(other.where + ": the " + described(other) + " (expected the " +
                     described(problem.results.front()) +
                     (other.file == problem.name() ? ", another problem" : "") + ")");
  }
  plot::Targets targets;
  targets.problem = printable(problem.name().substr(problem.name().rfind('/') + 1));
  targets.target = target.value_or(problem.best().energy);
  if (!std::isfinite(targets.target)) {
    throw InputError(problem.name() + ": no run satisfies all constraints");
  }
  for (const std::string& name : run_names(paths)) {
    targets.solvers.push_back({name, 0, {}});
  }
  std::vector<std::vector<double>> times(paths.size());
  for (const FileResult& r : problem.results) {
    plot::Targets::Solver& solver = targets.solvers[r.source];
    ++solver.runs;
    times[r.source].push_back(r.seconds);
    if (r.reaches(targets.target)) {
      solver.seconds.push_back(r.seconds);
    }
  }
  for (std::size_t k = 0; k < paths.size(); ++k) {
    plot::Targets::Solver& solver = targets.solvers[k];
    std::ranges::sort(solver.seconds);
    solver.rate = hit_rate(std::ssize(solver.seconds), solver.runs);
    if (!times[k].empty()) {
      const score::Interval time =
          score::time_to_target(times[k], std::ssize(solver.seconds));
      solver.to_99 = time.value;
      solver.to_99_range = {time.low, time.high};
    }
  }
  return targets;
}

plot::Levels read_levels(const std::string& path, Context& context) {
  plot::Levels levels;
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    add_file(path, context, levels);
    return levels;
  }
  bool any = false;
  for (const io::FolderFile& file : io::files_in(path, io::Depth::Tree)) {
    if (std::filesystem::path(file.path).extension() == ".csv") {
      add_file(file.path, context, levels);
      any = true;
    }
  }
  if (!any) {
    throw InputError(path + ": no .csv file in this folder");
  }
  return levels;
}

score::Scatter read_scatter(const std::string& path, Context& context) {
  io::Input input = io::Input::open(path, context.token());
  return io::read_scatter(input);
}

score::BenchChart read_bench(const std::string& path, Context& context) {
  io::Input input = io::Input::open(path, context.token());
  score::BenchChart chart = io::read_bench_rows(input);
  for (score::BenchChart::Line& line : chart.lines) {
    const std::string_view kind = line.config;
    line.family = attention::family_of(kind.substr(0, kind.find(':')));
  }
  return chart;
}

plot::AccuracyChart read_accuracy_chart(const std::string& bench,
                                        const std::string& accuracies,
                                        Context& context) {
  const score::BenchChart times = read_bench(bench, context);
  io::Input input = io::Input::open(accuracies, context.token());
  plot::AccuracyChart chart = plot::accuracy_chart(times, io::read_accuracies(input));
  if (chart.models.empty()) {
    throw InputError(accuracies + ": no attention that was measured at " +
                     format(chart.tokens) + " tokens in " + bench);
  }
  return chart;
}

}  // namespace oa::app
