#include "cli/cim_options.h"

#include "cli/reading_options.h"
#include "oa/io/machine/manifest.h"
#include "oa/machine/machine.h"
#include "oa/report/pack_report.h"

#include <algorithm>
#include <cassert>

#include <unistd.h>

namespace oa::cli {
namespace {

void refuse_terminal(const PackOptions& o, const app::Common& common) {
  if (common.output == "-" && !o.uploads.folder && ::isatty(STDOUT_FILENO) != 0) {
    throw app::UsageError(
        "the archive is binary and would go to a terminal (name a file with -o)");
  }
}

}  // namespace

void add_pack(App& app, PackOptions& o) {
  app.add_option("--manifest FILE",
                 o.manifest,
                 "Write the manifest to this file, for oa-cim-ingest")
      ->default_str("X.manifest of X.tar.gz");
  auto* machine =
      app.add_option("--machine NAME", o.machine, "Use the limits of this machine")
          ->default_str("no limit")
          ->check(one_of(names_in(machine::machines())));
  app.add_flag("--list-machines", o.list_machines, "List the known machines");
  app.add_option("--spins N", o.pack.spins, "Spins of the machine")
      ->default_str("no limit")
      ->check(between(2, 65536))
      ->excludes(machine);
  app.add_option("--bits N", o.pack.bits, "Bits of a coupling, including its sign")
      ->check(between(2, cim::kMaxBits));
  app.add_option("--precision HOW", o.precision, "How couplings become integers")
      ->check(one_of(names_of<cim::Precision>()));
  app.add_flag(
      "--plan", o.compare, "Print what each precision costs; write no matrices");
  app.add_flag(
      "--no-fix", o.no_fix, "With --precision best or split: submit all variables");
  app.add_flag(
      "--merge", o.pack.merge, "Put several problems of an image into one task");
  auto* folder = app.add_flag(
      "--folder", o.uploads.folder, "Write single files to a folder, not an archive");
  app.add_option(
         "--tasks-per-upload N", o.uploads.tasks, "One archive for each N tasks")
      ->default_str("all")
      ->check(at_least(1))
      ->excludes(folder);
  app.add_option("--name NAME", o.uploads.name, "Name of split archives");
  Check form = one_of(names_of<io::TaskFormat>());
  form.refusal = [refusal = form.refusal](const std::string& text) {
    return one_of(format_names()).refusal(text).empty() ? "" : refusal(text);
  };
  app.add_option("--format FORMAT", o.format, "Form of the matrices")
      ->check(std::move(form));
  add_reading(app, o.reading, "--input-format");
  app.add_option(
         "--fix FILE", o.fix, "Fix variables of a single problem to these values")
      ->default_str("none");
  add_force(app, o.force, "Replace a manifest that another command made");
  add_indices(app, "--only", o.uploads.only, "Write only the matrices of these tasks");
}

app::PackPlan plan_of(const PackOptions& o, const app::Common& common) {
  app::PackPlan plan{
      o.manifest, {}, o.pack, o.uploads, o.reading, o.fix, o.force, o.compare};
  if (!o.compare) {
    refuse_terminal(o, common);
  }
  if (!parse_field(o.format, plan.format)) {  // an input's format
    plan.reading.format = o.format;
  }
  [[maybe_unused]] const bool known = parse_field(o.precision, plan.pack.precision);
  assert(known);  // checked by the parser
  const bool fixes = o.compare || plan.pack.precision == cim::Precision::Best ||
                     plan.pack.precision == cim::Precision::Split;
  if (o.no_fix && !fixes) {
    throw app::UsageError("--no-fix has no effect without --precision best or split");
  }
  plan.pack.fix = !o.no_fix;
  if (const machine::Machine* machine = machine::find_machine(o.machine)) {
    plan.pack.spins = machine->spins;
    plan.pack.bits = std::min(plan.pack.bits, machine->bits);
  }
  if (o.compare) {
    return plan;
  }
  plan.uploads.output = common.output;
  if (plan.uploads.name.empty() || plan.uploads.name.find('/') != std::string::npos) {
    throw app::UsageError("--name '" + plan.uploads.name +
                          "' (expected a name without '/')");
  }
  const bool nowhere = common.output == "-";
  if (nowhere && (o.uploads.folder || o.uploads.tasks > 0)) {
    throw app::UsageError(
        "cannot write several files to standard output (name a folder with -o)");
  }
  if (plan.manifest.empty()) {
    if (nowhere) {
      throw app::UsageError(
          "no file for the manifest (name it with --manifest, or both with -o)");
    }
    plan.manifest = io::manifest_beside(common.output);
  }
  return plan;
}

app::Exit list_machines(const app::Common& common) {
  io::Output output(common.output);
  output.write(report::machines_text(machine::machines()));
  output.commit();
  return app::Exit::Ok;
}

}  // namespace oa::cli
