// oa-cim-pack: makes matrices for a coherent Ising machine.  See oa-cim-pack(1).
#include "cli/cim_options.h"
#include "cli/cli.h"
#include "oa/base/parallel.h"
#include "oa/io/machine/manifest.h"
#include "oa/io/machine/uploads.h"
#include "oa/io/stream/problem_io.h"
#include "oa/report/pack_report.h"

#include <string>
#include <utility>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::string file = "-";
  cli::PackOptions pack;
};

void declare(cli::App& app, Options& o) {
  cli::add_input(app, o.file, "Stream of problems");
  cli::add_pack(app, o.pack);
  cli::add_output(app, o.common, "Where the archive (or the folder) goes");
  cli::add_json(app, o.common, "Print the summary as one JSON object");
  cli::add_threads(app, o.common);
}

/// A head, or an image with the text of its matrices.
struct Item {
  io::Frame frame;
  machine::PackedImage image;
  std::vector<std::string> matrices;
};

Item pack(io::Frame frame, const cli::PackPlan& plan) {
  Item item{std::move(frame), {}, {}};
  if (item.frame.kind != io::FrameKind::Head) {
    item.image =
        cim::pack(io::read_qubo_problem(item.frame), plan.pack, item.frame.where);
    item.matrices = io::matrices_csv(item.image, plan.format);
  }
  return item;
}

class Writer {
 public:
  Writer(const cli::PackPlan& plan, app::Context& context)
      : plan_(plan),
        context_(context),
        uploads_(plan.uploads),
        output_(plan.manifest),
        manifest_(output_, plan.format, plan.uploads.name) {}

  void write(const Item& item) {
    if (item.frame.kind == io::FrameKind::Head) {
      manifest_.head(item.frame, context_.history());
      return;
    }
    for (std::size_t t = 0; t < item.matrices.size(); ++t) {
      if (!item.image.tasks[t].empty()) {
        uploads_.add_task(next_task_ + static_cast<std::int64_t>(t), item.matrices[t]);
      }
    }
    manifest_.image(item.image, plan_.pack.merge, next_task_);
    next_task_ += std::ssize(item.matrices);
    tally_.count_image(item.image);
    context_.progress().advance(1);
  }

  void finish(bool complete, bool json) {
    context_.progress().finish();
    uploads_.finish();
    manifest_.finish(complete);
    output_.commit();
    context_.say(
        (json ? report::pack_json : report::pack_text)(tally_, uploads_.written()));
  }

 private:
  const cli::PackPlan& plan_;
  app::Context& context_;
  io::Uploads uploads_;
  io::Output output_;
  io::ManifestWriter manifest_;
  cim::PackTotals tally_;
  std::int64_t next_task_ = 0;
};

app::Exit work(const Options& o, app::Context& context) {
  if (o.pack.list_machines) {
    return cli::list_machines(o.common);
  }
  const cli::PackPlan plan = cli::plan_of(o.pack, o.common);
  io::StreamReader reader(io::Input::open(o.file, context.token()));
  Writer writer(plan, context);
  context.progress().start("images", 0);
  ordered_pipeline(
      o.common.threads,
      context.stop(),
      [&] { return reader.next(); },
      [&](io::Frame frame, int) { return pack(std::move(frame), plan); },
      [&](const Item& item) { writer.write(item); });
  const bool complete = reader.complete();
  writer.finish(complete, o.common.json);
  if (!complete && !context.interrupted()) {
    context.warn(reader.name() + ": the stream is marked incomplete");
  }
  return context.status(complete);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-cim-pack", "Packs problems as matrices for a coherent Ising machine."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
