#include "app/machine/simulate.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/machine/cim_log.h"
#include "oa/io/machine/manifest.h"
#include "oa/io/machine/matrix_csv.h"
#include "oa/io/machine/report_pdf.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>

namespace oa::app {
namespace {

/// Numbers of random streams, which are forks of the seed's stream.
enum Purpose : std::uint64_t { kFaults, kNames, kRuns };

constexpr std::size_t kTarBlock = 512;

/// Reads the matrices of an upload.
class UploadReader {
 public:
  explicit UploadReader(const SimulationOptions& o) : path_(o.archive) {}

  void read(const std::stop_token& stop) {
    std::error_code error;  // opening the file reports errors
    const bool any = std::filesystem::is_directory(path_, error)
                         ? read_folder()
                         : read_archive(io::Input::open(path_, stop));
    // An empty upload is valid: no problem was left to solve.
    if (any && upload_.tasks.empty()) {
      throw InputError(path_ + ": no matrices (expected files such as 0.csv)");
    }
    std::ranges::sort(upload_.tasks, {}, &cim::UploadedTask::number);
  }

  /// `form`: the user's choice, or empty.
  Upload take_upload(const std::string& form) {
    const std::optional<io::TaskFormat> packed =
        form.empty() ? io::format_beside(path_) : std::nullopt;
    upload_.ising =
        form == field_text(io::TaskFormat::Ising) || packed == io::TaskFormat::Ising;
    if (upload_.ising && !not_ising_.empty()) {
      throw InputError(not_ising_);
    }
    // oa-cim-pack writes QUBOs as upper triangles.
    const bool open = form.empty() && not_ising_.empty() && !upload_.ising;
    if (open && (packed ? couples() : !upload_.tasks.empty())) {
      throw UsageError(path_ +
                       ": its matrices are symmetric with an empty diagonal, so they "
                       "may be Ising matrices or QUBOs (choose by the option format)");
    }
    return std::move(upload_);
  }

 private:
  void add_task(const std::string& path, io::Input input) {
    const auto named = machine::task_named(path, "");
    if (!named || named->place > 0) {
      throw InputError(input.name() +
                       ": no number in its name (expected 0.csv, 1.csv, ...)");
    }
    io::MatrixFile file = io::read_matrix_csv(input);
    if (not_ising_.empty()) {
      not_ising_ = std::move(file.not_ising);
    }
    upload_.tasks.push_back({named->number, std::move(file.q)});
  }

  /// True if the archive has a file.
  bool read_archive(io::Input input) {
    const auto start = input.peek(kTarBlock);
    const bool empty =
        std::ranges::all_of(start, [](std::byte byte) { return byte == std::byte{}; });
    if (!empty && !io::looks_like_archive(start)) {
      throw InputError(input.name() +
                       ": not an archive (expected what oa-cim-pack wrote)");
    }
    io::ArchiveReader reader(std::move(input));
    io::ArchiveEntry entry;
    bool any = false;
    while (reader.next(entry)) {
      any = true;
      const std::string name = reader.name() + ":" + entry.path;
      if (!entry.problem.empty()) {
        throw InputError(name + ": " + entry.problem);
      }
      if (entry.path.ends_with(".csv")) {
        add_task(entry.path,
                 io::Input::memory(std::as_bytes(std::span(entry.content)), name));
      }
    }
    return any;
  }

  bool read_folder() {
    const auto files = io::files_in(path_, io::Depth::Folder);
    for (const io::FolderFile& file : files) {
      if (file.path.ends_with(".csv")) {
        add_task(file.path, io::Input::open(file.path));
      }
    }
    return !files.empty();
  }

  /// True if a matrix has a nonzero cell.
  [[nodiscard]] bool couples() const {
    return std::ranges::any_of(upload_.tasks, [](const cim::UploadedTask& task) {
      return std::ranges::any_of(task.q.cells, [](float cell) { return cell != 0.0F; });
    });
  }

  const std::string& path_;
  Upload upload_;
  std::string not_ising_;  // the reason why a matrix is not Ising
};

void add_files(const cim::SimulatedResult& result, bool spins, ResultBytes& to) {
  constexpr std::size_t kLeftOfBroken = 8;  // damaged files keep 1/8 of their bytes
  if (result.log) {
    to.emplace_back(result.name + ".log", io::cim_log_text(result.shots, spins));
  }
  std::string pdf = io::report_pdf(result.report, result.shots, spins);
  if (result.broken_report) {
    pdf.resize(pdf.size() / kLeftOfBroken);
  }
  to.emplace_back(result.name + ".pdf", std::move(pdf));
}

/// Permutes the file names of all logs, and of all reports.
void shuffle_names(std::vector<ResultBytes>& all, Rng rng) {
  for (const std::string_view suffix : {".log", ".pdf"}) {
    std::vector<std::string*> names;
    for (ResultBytes& files : all) {
      for (auto& [name, content] : files) {
        if (name.ends_with(suffix)) {
          names.push_back(&name);
        }
      }
    }
    std::vector<std::string> shuffled;
    for (const std::string* name : names) {
      shuffled.push_back(*name);
    }
    rng.shuffle(std::span(shuffled));
    for (std::size_t i = 0; i < names.size(); ++i) {
      *names[i] = shuffled[i];
    }
  }
}

}  // namespace

Upload read_upload(const SimulationOptions& o, const Context& context) {
  UploadReader reader(o);
  reader.read(context.token());
  return reader.take_upload(o.format);
}

void simulate(const SimulationOptions& o,
              const Upload& upload,
              const io::OutputFolder& folder,
              Context& context) {
  const std::vector<cim::UploadedTask>& tasks = upload.tasks;
  if (o.settings.faults.tasks() > std::ssize(tasks)) {
    throw UsageError("more faults than the " + format(std::ssize(tasks)) + " tasks");
  }
  cim::SimulatorSettings settings = o.settings;
  settings.ising = upload.ising;
  const Rng rng(context.common().seed);
  const std::string upload_name = cim::upload_name(o.archive, tasks);
  const auto faults = cim::draw_faults(
      o.settings.faults, static_cast<int>(tasks.size()), rng.fork(kFaults));
  std::vector<ResultBytes> all(tasks.size());
  context.progress().start("tasks", std::ssize(tasks));
  parallel_for(
      std::ssize(tasks),
      context.common().threads,
      [&](std::int64_t i, int) {
        const auto k = static_cast<std::size_t>(i);
        for (const cim::SimulatedResult& result : cim::simulated_results(
                 tasks[k],
                 settings,
                 upload_name,
                 static_cast<int>(i) + 1,
                 faults[k],
                 rng.fork(kRuns).fork(static_cast<std::uint64_t>(tasks[k].number)))) {
          add_files(result, settings.ising, all[k]);
        }
      },
      context.token());
  if (o.settings.faults.shuffle_names) {
    shuffle_names(all, rng.fork(kNames));
  }
  for (const ResultBytes& files : all) {
    for (const auto& [name, content] : files) {
      io::Output file(folder / name);
      file.write(content);
      file.commit();
    }
    context.progress().advance(1);
  }
}

}  // namespace oa::app
