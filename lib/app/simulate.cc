#include "app/simulate.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/machine/cim_log.h"
#include "oa/io/machine/matrix_csv.h"
#include "oa/io/machine/report_pdf.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <span>

namespace oa::app {
namespace {

/// What a fork of the seed is for.
enum Purpose : std::uint64_t { kFaults, kNames, kRuns };

void add_task(const std::string& path,
              io::Input input,
              std::vector<cim::UploadedTask>& tasks) {
  const auto named = machine::task_named(path, "");
  if (!named || named->place > 0) {
    throw InputError(input.name() +
                     ": no number in its name (expected 0.csv, 1.csv, ...)");
  }
  tasks.push_back({named->number, io::read_matrix_csv(input)});
}

/// Returns whether anything is in it.
bool read_archive(io::Input input, std::vector<cim::UploadedTask>& tasks) {
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
               io::Input::memory(std::as_bytes(std::span(entry.content)), name),
               tasks);
    }
  }
  return any;
}

bool read_folder(const std::string& path, std::vector<cim::UploadedTask>& tasks) {
  const auto files = io::files_in(path, io::Depth::Folder);
  for (const io::FolderFile& file : files) {
    if (file.path.ends_with(".csv")) {
      add_task(file.path, io::Input::open(file.path), tasks);
    }
  }
  return !files.empty();
}

/// The files of a result.
void add_files(const cim::SimulatedResult& result, bool spins, ResultBytes& to) {
  constexpr std::size_t kLeftOfBroken = 8;  // an eighth
  if (result.log) {
    to.emplace_back(result.name + ".log", io::cim_log_text(result.shots, spins));
  }
  std::string pdf = io::report_pdf(result.report, result.shots, spins);
  if (result.broken_report) {
    pdf.resize(pdf.size() / kLeftOfBroken);
  }
  to.emplace_back(result.name + ".pdf", std::move(pdf));
}

/// Gives all files each other's names, results and reports apart.
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

std::vector<cim::UploadedTask> read_upload(const SimulationOptions& o,
                                           const Context& context) {
  std::vector<cim::UploadedTask> tasks;
  std::error_code error;  // then opening it says what is wrong
  const bool any =
      std::filesystem::is_directory(o.archive, error)
          ? read_folder(o.archive, tasks)
          : read_archive(io::Input::open(o.archive, context.token()), tasks);
  // Nothing at all is an upload that had nothing left to solve.
  if (any && tasks.empty()) {
    throw InputError(o.archive + ": no matrices (expected files such as 0.csv)");
  }
  std::ranges::sort(tasks, {}, &cim::UploadedTask::number);
  return tasks;
}

void simulate(const SimulationOptions& o,
              const Common& common,
              const std::vector<cim::UploadedTask>& tasks,
              const io::OutputFolder& folder,
              Context& context) {
  if (o.settings.faults.tasks() > std::ssize(tasks)) {
    throw UsageError("more faults than the " + format(std::ssize(tasks)) + " tasks");
  }
  cim::SimulatorSettings settings = o.settings;
  settings.ising = o.format == "ising";
  const Rng rng(common.seed);
  const std::string upload = cim::upload_name(o.archive, tasks);
  const auto faults = cim::draw_faults(
      o.settings.faults, static_cast<int>(tasks.size()), rng.fork(kFaults));
  std::vector<ResultBytes> all(tasks.size());
  context.progress().start("tasks", std::ssize(tasks));
  parallel_for(
      std::ssize(tasks),
      common.threads,
      [&](std::int64_t i, int) {
        const auto k = static_cast<std::size_t>(i);
        for (const cim::SimulatedResult& result : cim::simulated_results(
                 tasks[k],
                 settings,
                 upload,
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
