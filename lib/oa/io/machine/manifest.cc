#include "oa/io/machine/manifest.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/crc32.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/bytes/random_access.h"
#include "oa/io/machine/single_frame.h"
#include "oa/io/stream/problem_io.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>

namespace oa::io {
namespace {

constexpr const char* kLevels = "cim.levels";

/// The number of levels of a block whose QUBO has n variables.
std::size_t count_of_levels(int n) {
  return at(n) * at(n + 1) / 2;
}

/// True if the frame stores levels as 16-bit integers.
bool is_wide(const Frame& frame) {
  const TensorView* levels = frame.data.find(kLevels);
  return levels != nullptr && levels->dtype == Dtype::I16;
}

/// Makes a block of a matrix from its levels.
machine::Block block_of(int n, int extra, std::span<const std::int16_t> from) {
  machine::Block block{n, extra, {}};
  const auto spins = at(block.spins());
  block.levels.resize(spins * spins);
  auto next = from.begin();
  for (std::size_t i = 0; i < spins; ++i) {
    for (std::size_t k = i + 1; k < spins; ++k) {
      block.levels[i * spins + k] = block.levels[k * spins + i] = *next++;
    }
  }
  return block;
}

/// Takes the levels of a block from the front of `from`.
machine::Block take_block(int n,
                          int extra,
                          std::span<const std::int16_t>& from,
                          const std::string& where) {
  const std::size_t count = count_of_levels(n + extra);
  if (count > from.size()) {
    throw InputError(where + ": tensor 'cim.levels' is too short");
  }
  const auto levels = from.first(count);
  from = from.subspan(count);
  return block_of(n, extra, levels);
}

/// Reads one image of a manifest.
class ImageReader {
 public:
  explicit ImageReader(const Frame& frame) : frame_(frame) {}

  /// `last_task` and `queries` are counters over all images so far.
  machine::SubmittedImage read(std::int64_t& last_task, std::int64_t& queries) const {
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
    const std::vector<std::int16_t> all = levels_of_frame();
    std::span<const std::int16_t> levels = all;
    // The number of copies of each free variable, if any variable has several.
    auto copies = frame_.data.find("cim.copies") != nullptr
                      ? get<std::int32_t>("cim.copies", {-1})
                      : std::span<const std::int32_t>();
    const bool split = !copies.empty();
    const std::int64_t before = last_task;
    queries += n;  // each query has at most one number, also if it was solved without
                   // the machine
    for (int i = 0; i < image.problem.n; ++i) {
      machine::SubmittedQuery& query = image.queries.emplace_back();
      const auto row = fixed.subspan(image.problem.begin(i) * spins,
                                     at(image.problem.size(i)) * spins);
      query.fixed.assign(row.begin(), row.end());
      const auto free = std::ranges::count(query.fixed, qubo::kFree);
      if (std::ranges::any_of(row, [](std::uint8_t v) { return v > qubo::kFree; })) {
        fail(i, "'cim.fixed' has other values than 0, 1 and 2");
      }
      if ((free > 0) != (task[at(i)] >= 0) || extra[at(i)] < 0 || extra[at(i)] > 64) {
        fail(i, "its task, free variables and auxiliary spins contradict each other");
      }
      if (free == 0) {
        continue;
      }
      if (task[at(i)] <= before || task[at(i)] >= queries) {
        fail(i,
             "task " + format(task[at(i)]) +
                 " (tasks must increase from image to image)");
      }
      last_task = std::max(last_task, task[at(i)]);
      query.task = task[at(i)];
      query.extra = static_cast<int>(extra[at(i)]);
      const int variables = split ? take_copies(i, at(free), copies, query.copies)
                                  : static_cast<int>(free);
      query.q = machine::task_matrix_of(
          take_block(variables, query.extra, levels, frame_.where));
    }
    if (!copies.empty()) {
      throw InputError(frame_.where + ": tensor 'cim.copies' is too long");
    }
    if (!levels.empty()) {
      throw InputError(frame_.where + ": tensor 'cim.levels' is too long");
    }
    if (image.single && !image.single->given.empty()) {
      const machine::Bits& known = image.queries.front().fixed;
      for (std::size_t i = 0; i < known.size(); ++i) {
        const std::uint8_t given = image.single->given[i];
        if (given != qubo::kFree && given != known[i]) {
          fail(0, "'cim.given' and 'cim.fixed' contradict each other");
        }
      }
    }
    machine::place_blocks(image);
    return image;
  }

  /// Offsets of each query's levels in the frame.
  [[nodiscard]] std::vector<std::uint64_t> places(
      const machine::SubmittedImage& image) const {
    std::uint64_t next = frame_.data.place_of(*frame_.data.find(kLevels));
    const std::size_t width = is_wide(frame_) ? 2 : 1;
    std::vector<std::uint64_t> places;
    for (const machine::SubmittedQuery& query : image.queries) {
      places.push_back(next);
      next += query.task >= 0 ? width * count_of_levels(query.q.n) : 0;
    }
    return places;
  }

 private:
  template <class T>
  [[nodiscard]] std::span<const T> get(std::string_view name,
                                       const Shape& shape) const {
    return frame_.data.get<T>(name, shape, frame_.where);
  }
  [[nodiscard]] std::vector<std::int16_t> levels_of_frame() const {
    if (is_wide(frame_)) {
      const auto levels = get<std::int16_t>(kLevels, {-1});
      return {levels.begin(), levels.end()};
    }
    const auto levels = get<std::int8_t>(kLevels, {-1});
    return {levels.begin(), levels.end()};
  }
  /// Takes the copy counts of a query's free variables from the front of `from`,
  /// and returns their sum.
  int take_copies(int query,
                  std::size_t free,
                  std::span<const std::int32_t>& from,
                  std::vector<int>& to) const {
    constexpr std::int32_t kMaxCopies = 64;
    if (from.size() < free) {
      fail(query, "tensor 'cim.copies' is too short");
    }
    for (const std::int32_t c : from.first(free)) {
      if (c < 1 || c > kMaxCopies) {
        fail(query, "'cim.copies' has " + format(int{c}) + " (expected 1 to 64)");
      }
      to.push_back(c);
    }
    from = from.subspan(free);
    return std::accumulate(to.begin(), to.end(), 0);
  }
  [[noreturn]] void fail(int query, const std::string& what) const {
    throw InputError(frame_.where + ": query " + format(query) + ": " + what);
  }

  const Frame& frame_;
};

/// Reads the matrix format from the metadata of a head.
TaskFormat format_of(const Frame& head) {
  const Metadata& metadata = head.data.metadata;
  const auto version = metadata.find("cim.version");
  const auto format = metadata.find("cim.format");
  if (version == metadata.end() || format == metadata.end()) {
    throw InputError(
        head.where +
        ": not a manifest (expected what oa-cim-pack wrote beside the archive)");
  }
  TaskFormat result = TaskFormat::Qubo;
  if (version->second != "1" || !parse_field(format->second, result)) {
    throw InputError(head.where + ": manifest version '" +
                     version->second.substr(0, 20) + "', format '" +
                     format->second.substr(0, 20) + "' (this program reads version 1)");
  }
  return result;
}

/// Throws with a hint if `input` is not a stream but another known file.
void refuse_other_files(Input& input) {
  constexpr std::size_t kLength = 8;
  const auto start = input.peek(512);
  if (start.size() > kLength && start[kLength] == std::byte{'{'}) {
    return;
  }
  const std::string& path = input.name();
  if (looks_like_archive(start)) {
    std::error_code error;  // set if the file is missing
    const std::string manifest = manifest_beside(path);
    throw InputError(path + ": an archive, not a manifest (" +
                     (std::filesystem::exists(manifest, error)
                          ? "give " + manifest + ", which oa-cim-pack wrote beside it)"
                          : "the manifest comes first, then results)"));
  }
  throw InputError(path + ": not a manifest (the manifest comes first, then results)");
}

/// The bytes of a manifest and the offsets of its images.
class ManifestStore : public machine::SubmissionStore {
 public:
  ManifestStore(std::string name, std::shared_ptr<const RandomAccess> bytes)
      : name_(std::move(name)),
        bytes_(std::move(bytes)) {}

  void begin_part(const Frame& head) {
    Frame& part = parts_.emplace_back();
    part.where = name_;
    part.series = head.series;
    part.coefficients = head.coefficients;
    part.levels = head.levels;
    part.encoding = head.encoding;
    part.lambda = head.lambda;
  }
  void add_image(const Frame& frame) {
    const auto header = frame.data.header_bytes();
    const auto data = frame.data.data_bytes();
    images_.push_back({frame.begin,
                       header.size() + data.size(),
                       extend_crc32(extend_crc32(0, header), data),
                       static_cast<std::uint32_t>(parts_.size() - 1),
                       is_wide(frame)});
  }

  [[nodiscard]] machine::SubmittedImage image(std::size_t i) const override {
    const Place& place = images_[i];
    std::vector<std::byte> bytes(place.size);
    bytes_->read(place.begin, bytes);
    if (extend_crc32(0, bytes) != place.checksum) {
      throw InputError(name_ + ": the file changed while it was read");
    }
    std::int64_t none = -1;
    std::int64_t most =
        std::numeric_limits<std::int64_t>::max() / 2;  // checked by the first reading
    return ImageReader(read_again(bytes, parts_[place.part])).read(none, most);
  }

  [[nodiscard]] machine::TaskMatrix matrix(
      const machine::SubmittedBlock& block) const override {
    const auto after =
        std::ranges::upper_bound(images_, block.place, {}, &Place::begin);
    return std::prev(after)->wide ? matrix_of<std::int16_t>(block)
                                  : matrix_of<std::int8_t>(block);
  }

 private:
  template <class T>
  [[nodiscard]] machine::TaskMatrix matrix_of(
      const machine::SubmittedBlock& block) const {
    std::vector<T> levels(count_of_levels(block.n));
    bytes_->read(block.place, std::as_writable_bytes(std::span(levels)));
    const std::vector<std::int16_t> wide(levels.begin(), levels.end());
    return machine::task_matrix_of(block_of(block.n, 0, wide));
  }

  struct Place {
    std::uint64_t begin;
    std::uint64_t size;
    std::uint32_t checksum;
    std::uint32_t part;
    bool wide;  ///< levels of 16 bits
  };
  std::string name_;
  std::shared_ptr<const RandomAccess> bytes_;
  std::vector<Frame> parts_;  // without tensor data
  std::vector<Place> images_;
};

/// Reads a manifest from beginning to end.
class ManifestReader {
 public:
  /// `again` gives access to the file for later readings; null: images stay in memory.
  ManifestReader(Input input, std::unique_ptr<const RandomAccess> again)
      : reader_(std::move(input)),
        kept_(again ? nullptr : std::make_shared<PiecesInMemory>()),
        store_(std::make_shared<ManifestStore>(
            reader_.name(),
            again ? std::shared_ptr<const RandomAccess>(std::move(again)) : kept_)) {}

  Manifest operator()() {
    Frame frame;
    while (reader_.next(frame)) {
      if (frame.kind == FrameKind::Head) {
        begin_part(frame);
      } else {
        add_image(frame);
      }
    }
    manifest_.complete = reader_.complete();
    manifest_.submission.store = store_;
    return std::move(manifest_);
  }

 private:
  void begin_part(Frame& head) {
    const TaskFormat own = format_of(head);
    if (format_ && *format_ != own) {
      throw InputError(head.where + ": a part of another format");
    }
    format_ = own;
    manifest_.submission.name = head.data.metadata["cim.name"];
    store_->begin_part(head);
    manifest_.heads.emplace_back(manifest_.submission.images, std::exchange(head, {}));
  }
  void add_image(const Frame& frame) {
    const ImageReader reader(frame);
    const machine::SubmittedImage image = reader.read(last_task_, queries_);
    const bool single = image.single != nullptr;
    if (manifest_.submission.images > 0 && manifest_.singles != single) {
      throw InputError(frame.where + ": single problems beside those of images");
    }
    manifest_.singles = single;
    std::vector<std::uint64_t> places = reader.places(image);
    for (std::uint64_t& place : places) {
      place += frame.begin;
    }
    manifest_.submission.add_image(image, places, format_ == TaskFormat::Ising);
    store_->add_image(frame);
    if (kept_) {
      const auto header = frame.data.header_bytes();
      const auto data = frame.data.data_bytes();
      std::vector<std::byte> bytes(header.begin(), header.end());
      bytes.insert(bytes.end(), data.begin(), data.end());
      kept_->add(frame.begin, std::move(bytes));
    }
  }

  StreamReader reader_;
  std::shared_ptr<PiecesInMemory> kept_;  // may be null
  std::shared_ptr<ManifestStore> store_;
  Manifest manifest_;
  std::optional<TaskFormat> format_;
  std::int64_t last_task_ = -1;
  std::int64_t queries_ = 0;
};

/// Makes an image with one query, whose matrix is `q`.
machine::SubmittedImage image_of(machine::TaskMatrix q, std::int64_t task) {
  machine::SubmittedImage image;
  qubo::Problem& p = image.problem;
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
  query.fixed.assign(at(q.n), qubo::kFree);
  query.q = std::move(q);
  return image;
}

}  // namespace

std::string manifest_beside(std::string path) {
  constexpr std::string_view kArchive = ".tar.gz";
  if (path.ends_with(kArchive)) {
    path.resize(path.size() - kArchive.size());
  }
  while (path.ends_with('/')) {
    path.pop_back();
  }
  return path + ".manifest";
}

std::optional<TaskFormat> format_beside(const std::string& matrices) {
  const std::string path = manifest_beside(matrices);
  std::error_code error;  // opening the file reports it
  if (!std::filesystem::exists(path, error) && !error) {
    return std::nullopt;
  }
  StreamReader reader(Input::open(path));
  const std::optional<Frame> head = reader.next();
  return head ? std::optional(format_of(*head)) : std::nullopt;
}

Manifest read_manifest(Input input) {
  return ManifestReader(std::move(input), nullptr)();
}

Manifest read_manifest(const std::string& path, const std::stop_token& stop) {
  std::error_code error;  // opening the file reports it
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(path + ": a folder (the manifest comes first, then results)");
  }
  Input input = Input::open(path, stop);
  refuse_other_files(input);
  const bool plain = path != "-" && input.remaining().has_value();
  return ManifestReader(std::move(input), plain ? random_access_to(path) : nullptr)();
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
  const auto twice = std::ranges::adjacent_find(
      found, {}, &std::pair<std::int64_t, std::string>::first);
  if (twice != found.end()) {
    throw InputError((twice + 1)->second + ": task " + format(twice->first) +
                     " is also in " + twice->second);
  }
  std::vector<machine::SubmittedImage> images;
  for (const auto& [task, path] : found) {
    Input input = Input::open(path);
    images.push_back(image_of(read_matrix_csv(input).q, task));
  }
  Manifest manifest;
  manifest.submission = machine::submission_of(std::move(images), false);
  return manifest;
}

}  // namespace oa::io
