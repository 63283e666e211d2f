// What tools do with files, in this process: files may be in memory.
#include "tools.h"

#include "cli/history.h"
#include "cli/tool/anneal.h"
#include "cli/tool/cim_ingest.h"
#include "cli/tool/cim_pack.h"
#include "cli/tool/qubo.h"
#include "cli/tool/score.h"
#include "interrupt.h"
#include "oa/base/parallel.h"
#include "oa/io/bytes/memory_file.h"
#include "progress.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using Bytes =
    nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// What only the tool can do, in a process of its own.
class NeedsTool : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

app::Exit ingest(const cli::CimIngestOptions& options, app::Context& context) {
  return cli::work(
      options, context, [](std::string_view, const std::string& where) -> std::string {
        throw NeedsTool(where);
      });
}

/// An exit status, and what a tool writes for a person.
using Ran = std::pair<int, std::vector<std::string>>;

/// Runs a tool's work.
template <class Options>
Ran run(std::string_view tool,
        const std::vector<std::string>& words,
        const ProgressFunction& progress,
        app::Exit (*work)(const Options&, app::Context&)) {
  Options options;
  cli::App app(tool);
  cli::declare(app, options);
  app.parse(words);
  if (options.common.threads == 0) {
    options.common.threads = usable_threads();
  }
  app::Exit status{};
  std::mutex mutex;
  std::vector<std::string> texts;
  run_interruptible([&](const std::stop_source& stop) {
    std::atomic<bool> interrupted = false;
    const std::stop_callback on_stop(stop.get_token(), [&] { interrupted = true; });
    app::Context context(tool,
                         options.common,
                         stop,
                         interrupted,
                         cli::history(tool, app),
                         std::make_unique<PythonProgress>(progress),
                         [&](const std::string& text) {
                           const std::lock_guard lock(mutex);
                           texts.push_back(text);
                         });
    status = work(options, context);
  });
  return {static_cast<int>(status), texts};
}

Ran run_tool(const std::string& tool,
             const std::vector<std::string>& words,
             const ProgressFunction& progress) {
  if (tool == "oa-qubo") {
    return run<cli::QuboOptions>(tool, words, progress, cli::work);
  }
  if (tool == "oa-anneal") {
    return run<cli::AnnealOptions>(tool, words, progress, cli::work);
  }
  if (tool == "oa-score") {
    return run<cli::ScoreOptions>(tool, words, progress, cli::work);
  }
  if (tool == "oa-cim-pack") {
    return run<cli::CimPackOptions>(tool, words, progress, cli::work);
  }
  if (tool == "oa-cim-ingest") {
    return run<cli::CimIngestOptions>(tool, words, progress, ingest);
  }
  throw NeedsTool(tool);
}

io::MemoryBytes joined(const std::vector<Bytes>& parts) {
  std::size_t size = 0;
  for (const Bytes& part : parts) {
    size += part.size();
  }
  io::MemoryBytes all;
  all.reserve(size);
  for (const Bytes& part : parts) {
    const auto* begin = reinterpret_cast<const std::byte*>(part.data());  // NOLINT
    all.insert(all.end(), begin, begin + part.size());
  }
  return all;
}

nb::bytes bytes_of(const io::MemoryFile& file) {
  const auto content = file.bytes();
  return nb::bytes(content->data(), content->size());
}

}  // namespace

void declare_tools(nb::module_& m) {
  nb::exception<NeedsTool>(m, "NeedsTool");
  m.def("run_tool",
        run_tool,
        nb::arg("tool"),
        nb::arg("words"),
        nb::arg("progress").none());
  nb::class_<io::MemoryFile>(m, "MemoryFile")
      .def(
          "__init__",
          [](io::MemoryFile* self,
             const std::string& name,
             const std::vector<Bytes>& parts) {
            new (self) io::MemoryFile(name, joined(parts));
          },
          nb::arg("name"),
          nb::arg("parts"))
      .def_prop_ro("path", &io::MemoryFile::path)
      .def_prop_ro("size", [](const io::MemoryFile& f) { return f.bytes()->size(); })
      .def("read", bytes_of);
}

}  // namespace oa::python
