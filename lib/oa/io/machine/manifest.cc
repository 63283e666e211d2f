#include "oa/io/machine/manifest.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/machine/single_frame.h"
#include "oa/io/stream/problem_io.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace oa::io {
namespace {

/// The levels of a block above its diagonal, row by row.
void put_levels(const machine::Block& block, std::vector<std::int8_t>& to) {
  for (int i = 0; i < block.spins(); ++i) {
    to.insert(to.end(), block.row(i) + i + 1, block.row(i) + block.spins());
  }
}

/// Takes the levels of a block from the front of `from`.
machine::Block take_block(int n,
                          int extra,
                          std::span<const std::int8_t>& from,
                          const std::string& where) {
  machine::Block block{n, extra, {}};
  const auto spins = at(block.spins());
  const std::size_t count = spins * (spins - 1) / 2;
  if (count > from.size()) {
    throw InputError(where + ": tensor 'cim.levels' is too short");
  }
  block.levels.resize(spins * spins);
  auto next = from.begin();
  for (std::size_t i = 0; i < spins; ++i) {
    for (std::size_t k = i + 1; k < spins; ++k) {
      block.levels[i * spins + k] = block.levels[k * spins + i] = *next++;
    }
  }
  from = from.subspan(count);
  return block;
}

/// One image of a manifest.
class ImageReader {
 public:
  explicit ImageReader(const Frame& frame) : frame_(frame) {}

  /// `last_task` and `queries` are those of the images before.
  machine::SubmittedImage read(std::int64_t& last_task, std::int64_t& queries) {
    machine::SubmittedImage image;
    image.problem = read_qubo_problem(frame_);
    image.single = read_single(frame_, image.problem.m);
    if (image.single && image.problem.n != 1) {
      fail(1, "a single problem has one query only");
    }
    const std::int64_t n = image.problem.n;
    const auto task = get<std::int64_t>("cim.task", {n});
    const auto extra = get<std::int64_t>("cim.extra", {n});
    const auto fixed = get<std::uint8_t>("cim.fixed", x_shape(image.problem));
    const auto spins = at(image.problem.spins());
    auto levels = get<std::int8_t>("cim.levels", {-1});
    const std::int64_t before = last_task;
    queries += n;  // each has a number at most, also where nothing was left to solve
    for (int i = 0; i < image.problem.n; ++i) {
      machine::SubmittedQuery& query = image.queries.emplace_back();
      const auto row = fixed.subspan(image.problem.begin(i) * spins,
                                     at(image.problem.size(i)) * spins);
      query.fixed.assign(row.begin(), row.end());
      const auto free = std::ranges::count(query.fixed, machine::kFree);
      if (std::ranges::any_of(row, [](std::uint8_t v) { return v > machine::kFree; })) {
        fail(i, "'cim.fixed' holds what is neither 0, 1 nor 2");
      }
      if ((free > 0) != (task[at(i)] >= 0) || extra[at(i)] < 0 || extra[at(i)] > 64) {
        fail(i, "its task, free variables and auxiliary spins contradict each other");
      }
      if (free == 0) {
        continue;
      }
      if (task[at(i)] <= before || task[at(i)] >= queries) {
        fail(i,
             "task " + format(task[at(i)]) + " (tasks must rise from image to image)");
      }
      last_task = std::max(last_task, task[at(i)]);
      query.task = task[at(i)];
      query.extra = static_cast<int>(extra[at(i)]);
      query.q = machine::task_matrix_of(
          take_block(static_cast<int>(free), query.extra, levels, frame_.where));
    }
    if (!levels.empty()) {
      throw InputError(frame_.where + ": tensor 'cim.levels' is too long");
    }
    return image;
  }

 private:
  template <class T>
  [[nodiscard]] std::span<const T> get(std::string_view name,
                                       const Shape& shape) const {
    return frame_.data.get<T>(name, shape, frame_.where);
  }
  [[noreturn]] void fail(int query, const std::string& what) const {
    throw InputError(frame_.where + ": query " + format(query) + ": " + what);
  }

  const Frame& frame_;
};

/// What a head says of the submission, and a reader must know.
TaskFormat format_of(const Frame& head) {
  const Metadata& metadata = head.data.metadata;
  const auto version = metadata.find("cim.version");
  const auto format = metadata.find("cim.format");
  if (version == metadata.end() || format == metadata.end()) {
    throw InputError(
        head.where +
        ": no manifest (expected what oa-cim-pack wrote beside the archive)");
  }
  TaskFormat result = TaskFormat::Qubo;
  if (version->second != "1" || !parse_field(format->second, result)) {
    throw InputError(head.where + ": manifest version '" +
                     version->second.substr(0, 20) + "', format '" +
                     format->second.substr(0, 20) + "' (this program reads version 1)");
  }
  return result;
}

/// The problem whose only query is a matrix.
machine::SubmittedImage image_of(machine::TaskMatrix q, std::int64_t task) {
  machine::SubmittedImage image;
  qubo::ImageProblem& p = image.problem;
  p.index = task;
  p.m = q.n;
  p.n = 1;
  p.d = 1;
  p.j.resize(at(q.n) * at(q.n));
  p.h.resize(at(q.n));
  p.v.assign(at(q.n), 1.0F);
  for (int i = 0; i < q.n; ++i) {
    p.h[at(i)] = q.row(i)[0];
    for (int k = i + 1; k < q.n; ++k) {
      p.j[at(i) * at(q.n) + at(k)] = p.j[at(k) * at(q.n) + at(i)] = q.row(i)[k - i];
    }
  }
  machine::SubmittedQuery& query = image.queries.emplace_back();
  query.task = task;
  query.fixed.assign(at(q.n), machine::kFree);
  query.q = std::move(q);
  return image;
}

}  // namespace

ManifestWriter::ManifestWriter(Output& output, TaskFormat format, std::string name)
    : writer_(output),
      format_(format),
      name_(std::move(name)) {}

void ManifestWriter::head(const Frame& head, const std::string& history) {
  if (begun_) {
    writer_.finish(head.complete_before);
  }
  begun_ = true;
  Metadata metadata = head.data.metadata;
  metadata["cim.version"] = "1";
  metadata["cim.format"] = field_text(format_);
  metadata["cim.name"] = name_;
  std::string& lines = metadata["oa.history"];
  lines += (lines.empty() ? "" : "\n") + history;
  writer_.head(std::move(metadata), head.data.tensors(), head.series);
}

void ManifestWriter::image(const machine::PackedImage& image,
                           bool merged,
                           std::int64_t first_task) {
  const std::int64_t n = image.problem.n;
  std::vector<std::int64_t> task(static_cast<std::size_t>(n), -1);
  for (std::size_t t = 0; t < image.tasks.size(); ++t) {
    for (const int i : image.tasks[t]) {
      task[static_cast<std::size_t>(i)] = first_task + static_cast<std::int64_t>(t);
    }
  }
  machine::Bits fixed;
  std::vector<std::int64_t> extra;
  std::vector<double> scale;
  std::vector<std::int8_t> levels;
  for (const machine::PackedQuery& query : image.queries) {
    fixed.insert(fixed.end(), query.fixed.begin(), query.fixed.end());
    extra.push_back(query.block ? query.block->extra : 0);
    scale.push_back(query.loss.scale);
    if (query.block) {
      put_levels(*query.block, levels);
    }
  }
  Metadata metadata{{"cim.merged", field_text(merged)}};
  std::vector<TensorView> tensors{
      TensorView::of<std::int64_t>("cim.task", {n}, task),
      TensorView::of<std::int64_t>("cim.extra", {n}, extra),
      TensorView::of<double>("cim.scale", {n}, scale),
      TensorView::of<std::uint8_t>("cim.fixed", x_shape(image.problem), fixed),
      TensorView::of<std::int8_t>("cim.levels", {std::ssize(levels)}, levels)};
  std::optional<SingleTensors> single;
  if (image.single) {
    single.emplace(*image.single);
    metadata.merge(single->metadata());
    std::ranges::move(single->tensors(), std::back_inserter(tensors));
  }
  write_problem(writer_, image.problem, std::move(metadata), std::move(tensors));
}

void ManifestWriter::finish(bool complete) {
  writer_.finish(complete);
}

Manifest read_manifest(Input input) {
  Manifest manifest;
  StreamReader reader(std::move(input));
  std::optional<TaskFormat> format;
  std::int64_t last_task = -1;
  std::int64_t queries = 0;
  while (auto frame = reader.next()) {
    if (frame->kind == FrameKind::Head) {
      const TaskFormat own = format_of(*frame);
      if (format && *format != own) {
        throw InputError(frame->where + ": a part of another format");
      }
      format = own;
      manifest.submission.name = frame->data.metadata["cim.name"];
      manifest.heads.emplace_back(manifest.submission.images.size(), std::move(*frame));
    } else {
      auto& images = manifest.submission.images;
      images.push_back(ImageReader(*frame).read(last_task, queries));
      if (!images.front().single != !images.back().single) {
        throw InputError(frame->where + ": single problems beside those of images");
      }
    }
  }
  manifest.complete = reader.complete();
  manifest.submission.index_tasks(format == TaskFormat::Ising);
  return manifest;
}

Manifest read_matrices(const std::string& folder) {
  std::vector<std::pair<std::int64_t, std::string>> found;
  for (const FolderFile& file : files_in(folder, Depth::Folder)) {
    const std::filesystem::path path = file.path;
    const auto task = parse_int(path.stem().native());
    if (path.extension() == ".csv" && task && *task >= 0) {
      found.emplace_back(*task, file.path);
    }
  }
  if (found.empty()) {
    throw InputError(folder + ": no matrices (expected 0.csv, 1.csv, ...)");
  }
  std::ranges::sort(found);
  Manifest manifest;
  for (const auto& [task, path] : found) {
    Input input = Input::open(path);
    manifest.submission.images.push_back(image_of(read_matrix_csv(input), task));
  }
  manifest.submission.index_tasks(false);
  return manifest;
}

}  // namespace oa::io
