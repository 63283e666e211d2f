#include "cli/figure_sources.h"

#include "cli/evaluate.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/base/printable.h"
#include "oa/io/archive.h"
#include "oa/io/csv.h"
#include "oa/io/cut.h"
#include "oa/io/folder.h"
#include "oa/io/idx.h"
#include "oa/io/problem_io.h"
#include "oa/io/training_log.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace oa::cli {
namespace {

/// The next frame that is no head.
std::optional<io::Frame> next_image(io::StreamReader& reader) {
  auto frame = reader.next();
  while (frame && frame->kind == io::FrameKind::Head) {
    frame = reader.next();
  }
  return frame;
}

qubo::ImageSolution solution_of(const io::Frame& frame) {
  if (frame.kind != io::FrameKind::Solution) {
    throw InputError(frame.where +
                     ": a problem without its solution (expected what oa-anneal "
                     "writes)");
  }
  return io::read_solution(frame);
}

plot::SparsityMap map_of(const qubo::ImageSolution& s) {
  plot::SparsityMap map;
  map.index = s.problem.index;
  map.label = s.problem.label;
  map.n = s.problem.n;
  map.m = s.problem.m;
  map.binary = s.real_x.empty();
  if (map.binary) {
    map.value.assign(s.x.begin(), s.x.end());
  } else {
    map.value.assign(s.real_x.begin(), s.real_x.end());
  }
  map.energy = s.energy;
  map.problems = s.problem.n;
  for (const qubo::Status status : s.status) {
    map.proved_optimal += status == qubo::Status::ProvedOptimal ? 1 : 0;
  }
  return map;
}

/// Adds the values of one image to the sums of those before it.
void add(const plot::SparsityMap& one,
         const std::string& where,
         plot::SparsityMap& sum) {
  if (sum.images == 0) {
    sum = one;
    sum.energy.clear();
    return;
  }
  if (one.n != sum.n || one.m != sum.m) {
    throw InputError(where + ": " + format(one.n) + " queries of " + format(one.m) +
                     " values (expected " + format(sum.n) + " of " + format(sum.m) +
                     ", as in the images before)");
  }
  for (std::size_t i = 0; i < sum.value.size(); ++i) {
    sum.value[i] += one.value[i];
  }
  ++sum.images;
  sum.binary = sum.binary && one.binary;
  sum.problems += one.problems;
  sum.proved_optimal += one.proved_optimal;
}

/// The predictions whose class is known and whose table has that class.
std::vector<score::Prediction> labelled_predictions(const std::string& path,
                                                    int threads,
                                                    Context& context) {
  std::vector<score::Prediction> all;
  for (score::Outcome& outcome : read_outcomes(path, threads, context)) {
    const score::Prediction& p = outcome.prediction;
    if (p.label && *p.label >= std::ssize(p.probabilities)) {
      throw InputError(path + ": image " + format(p.index) + " is of class " +
                       format(*p.label) + " (expected one of " +
                       format(std::ssize(p.probabilities)) + " classes)");
    }
    if (p.label) {
      all.push_back(std::move(outcome.prediction));
    }
  }
  if (all.empty() && !context.interrupted()) {
    throw InputError(path + ": no image whose class is known");
  }
  return all;
}

/// Of the class `label`; tables of other programs may hold something else.
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

// -- gaps

/// What one stream says of one image.
struct Solved {
  std::int64_t index = 0;
  std::size_t problem = 0;  ///< a hash of J and h: the same in all streams
  std::vector<double> energy;
  std::vector<qubo::Status> status;
  double seconds = 0.0;
};

std::size_t hash_of(const qubo::ImageProblem& problem) {
  const auto bytes = [](const std::vector<float>& v) {
    return std::string_view(reinterpret_cast<const char*>(v.data()),  // NOLINT: bytes
                            v.size() * sizeof(float));
  };
  const std::hash<std::string_view> hash;
  return hash(bytes(problem.j)) ^ (31 * hash(bytes(problem.h)));
}

using SolvedImages = std::map<std::int64_t, Solved>;

SolvedImages read_solved(const std::string& path,
                         int threads,
                         Context& context,
                         bool& complete) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  SolvedImages all;
  const auto work = [](const io::Frame& frame, int) {
    qubo::ImageSolution s = solution_of(frame);
    return Solved{s.problem.index,
                  hash_of(s.problem),
                  std::move(s.energy),
                  std::move(s.status),
                  std::accumulate(s.seconds.begin(), s.seconds.end(), 0.0)};
  };
  context.progress().start("images", 0);
  ordered_pipeline(
      threads,
      context.stop(),
      [&] { return next_image(reader); },
      work,
      [&](Solved one) {
        const std::int64_t index = one.index;
        all.insert_or_assign(index, std::move(one));
        context.progress().advance(1);
      });
  context.progress().finish();
  complete = complete && reader.complete();
  return all;
}

/// The proven optima of an image's problems; NaN where nobody has proved it.
std::vector<double> optima_of(const std::vector<const Solved*>& runs) {
  std::vector<double> optima(runs.front()->energy.size(),
                             std::numeric_limits<double>::quiet_NaN());
  for (const Solved* run : runs) {
    for (std::size_t i = 0; i < optima.size(); ++i) {
      if (run->status[i] == qubo::Status::ProvedOptimal) {
        optima[i] = run->energy[i];
      }
    }
  }
  return optima;
}

/// Energies are recomputed and rounded once: this is only for streams of other
/// programs.
constexpr double kSame = 1e-9;

void add_gap(double energy, double optimum, plot::Gaps::Run& run) {
  const double scale = optimum == 0.0 ? 1.0 : std::abs(optimum);
  const double gap = (energy - optimum) / scale;
  if (gap <= kSame) {
    ++run.optimal;
  } else {
    run.above.push_back(gap);
  }
}

/// The image's entries in all streams; nothing if one lacks it.
std::vector<const Solved*> in_all(const std::vector<SolvedImages>& streams,
                                  std::int64_t index,
                                  const std::vector<std::string>& paths) {
  std::vector<const Solved*> found;
  for (std::size_t r = 0; r < streams.size(); ++r) {
    const auto at = streams[r].find(index);
    if (at == streams[r].end()) {
      return {};
    }
    if (!found.empty() && (at->second.problem != found.front()->problem ||
                           at->second.energy.size() != found.front()->energy.size())) {
      throw InputError(paths[r] + ": image " + format(index) +
                       ": other problems than in " + paths[0] +
                       " (expected solutions of the same)");
    }
    found.push_back(&at->second);
  }
  return found;
}

// -- levels

void add_matrix(io::Input& input, plot::Levels& levels) {
  constexpr int kMaxSide = 4096;
  io::CsvReader reader(input);
  std::vector<std::string_view> cells;
  std::vector<std::int64_t> matrix;
  std::int64_t rows = 0;
  std::int64_t side = 0;
  while (reader.next(cells)) {
    side = rows == 0 ? std::ssize(cells) : side;
    if (std::ssize(cells) != side || ++rows > side || side > kMaxSide) {
      throw InputError(reader.where() + ": not a square matrix of up to 4,096 rows");
    }
    for (const std::string_view cell : cells) {
      const auto value = parse_double(cell);
      if (!value || *value != std::trunc(*value) || std::abs(*value) > 1e9) {
        throw InputError(reader.where() + ": '" + std::string(cell.substr(0, 40)) +
                         "' (expected a whole number)");
      }
      matrix.push_back(static_cast<std::int64_t>(*value));
    }
  }
  if (rows != side || rows == 0) {
    throw InputError(input.name() + ": " + format(rows) +
                     " rows (expected a square matrix)");
  }
  if (!levels.add(matrix, static_cast<int>(side))) {
    throw InputError(input.name() +
                     ": not a matrix of 8-bit levels (expected what oa-cim-pack "
                     "writes)");
  }
}

/// A matrix, or an archive of them.
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

plot::SparsityMap read_one_map(const std::string& path,
                               std::optional<std::int64_t> index,
                               Context& context) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  io::Cut cut;
  if (index) {
    cut.select = IndexSet::parse(format(*index));
  } else {
    cut.head = 1;
  }
  std::optional<plot::SparsityMap> map;
  io::visit_cut(reader, cut, [&](const io::Frame& frame) {
    if (frame.kind != io::FrameKind::Head && !map) {
      map = map_of(solution_of(frame));
    }
  });
  if (!map) {
    throw InputError(reader.name() +
                     (index ? ": no image " + format(*index) : ": no image") +
                     " in the stream");
  }
  return *map;
}

plot::SparsityMap read_mean_map(const std::string& path,
                                int threads,
                                Context& context,
                                bool& complete) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  plot::SparsityMap sum;
  sum.images = 0;
  const auto read = [&] { return next_image(reader); };
  const auto work = [](const io::Frame& frame, int) {
    return std::pair(map_of(solution_of(frame)), frame.where);
  };
  context.progress().start("images", 0);
  ordered_pipeline(threads, context.stop(), read, work, [&](const auto& one) {
    add(one.first, one.second, sum);
    context.progress().advance(1);
  });
  context.progress().finish();
  if (sum.images == 0 && !context.interrupted()) {
    throw InputError(reader.name() + ": no image in the stream");
  }
  for (double& value : sum.value) {
    value /= static_cast<double>(sum.images);
  }
  complete = reader.complete();
  return sum;
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

plot::BoxPlot read_box_plot(const std::vector<std::string>& paths,
                            int threads,
                            Context& context) {
  const std::vector<std::string> names = run_names(paths);
  plot::BoxPlot plot;
  for (std::size_t r = 0; r < paths.size(); ++r) {
    std::vector<std::vector<double>> confidence;
    for (const auto& p : labelled_predictions(paths[r], threads, context)) {
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

plot::Confusion read_confusion(const std::string& path, int threads, Context& context) {
  score::Accuracy accuracy;
  for (const auto& p : labelled_predictions(path, threads, context)) {
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

std::vector<plot::Curve> read_curves(const std::vector<std::string>& paths,
                                     Context& context) {
  const std::vector<std::string> names = run_names(paths);
  std::vector<plot::Curve> all;
  for (std::size_t r = 0; r < paths.size(); ++r) {
    io::Input input = io::Input::open(paths[r], context.token());
    bool cut = false;
    for (plot::Curve& curve : io::read_training_log(input, cut)) {
      curve.name = curve.name.empty() ? names[r] : names[r] + ", " + curve.name;
      all.push_back(std::move(curve));
    }
    if (cut) {
      context.warn(paths[r] + ": the last line is not whole: left out");
    }
  }
  return all;
}

plot::Gaps read_gaps(const std::vector<std::string>& paths,
                     int threads,
                     Context& context,
                     bool& complete) {
  std::vector<SolvedImages> streams;
  plot::Gaps gaps;
  for (const std::string& name : run_names(paths)) {
    streams.push_back(read_solved(paths[streams.size()], threads, context, complete));
    gaps.runs.push_back({name, 0, {}, 0.0});
  }
  std::size_t shared = 0;
  for (const auto& [index, first] : streams.front()) {
    const std::vector<const Solved*> runs = in_all(streams, index, paths);
    if (runs.empty()) {
      continue;
    }
    ++shared;
    const std::vector<double> optima = optima_of(runs);
    gaps.unproved +=
        std::ranges::count_if(optima, [](double v) { return std::isnan(v); });
    for (std::size_t r = 0; r < runs.size(); ++r) {
      gaps.runs[r].seconds += runs[r]->seconds;
      for (std::size_t i = 0; i < optima.size(); ++i) {
        if (!std::isnan(optima[i])) {
          add_gap(runs[r]->energy[i], optima[i], gaps.runs[r]);
        }
      }
    }
  }
  for (plot::Gaps::Run& run : gaps.runs) {
    std::ranges::sort(run.above);
  }
  for (const SolvedImages& stream : streams) {
    complete = complete && stream.size() == shared;
  }
  if (gaps.runs.front().problems() == 0 && !context.interrupted()) {
    throw InputError(paths.front() +
                     ": no problem of all streams has a proven optimum (expected one "
                     "stream by --solver exact)");
  }
  return gaps;
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

}  // namespace oa::cli
