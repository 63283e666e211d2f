#include "app/machine/ingest.h"

#include "app/solve/decode.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/machine/cim_log.h"
#include "oa/io/machine/cim_report.h"
#include "oa/io/machine/spin_array.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/io/stream/problem_io.h"
#include "oa/qubo/fingerprint.h"
#include "oa/qubo/fixed.h"
#include "oa/report/ingest_report.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace oa::app {
namespace {

io::Manifest read_submission(const IngestOptions& o, const Context& context) {
  if (!o.matrices.empty()) {
    return io::read_matrices(o.matrices);
  }
  if (o.files.empty()) {
    throw UsageError("no manifest (name it, or a folder of matrices)");
  }
  return io::read_manifest(o.files.front(), context.token());
}

std::vector<std::string> results_of(const IngestOptions& o) {
  const auto manifests = o.matrices.empty() && !o.files.empty() ? 1 : 0;
  return {o.files.begin() + manifests, o.files.end()};
}

cim::AssembleSettings settings_of(const IngestOptions& o) {
  cim::AssembleSettings settings;
  settings.top = o.top;
  [[maybe_unused]] const bool known = parse_field(o.missing, settings.missing) &&
                                      parse_field(o.choose, settings.choose);
  assert(known);  // checked by the command line
  return settings;
}

/// Converts the result of a single problem to the problem's own variables and energies.
io::ResultLine line_of(const machine::Single& single, const cim::Assembled& a) {
  const qubo::SolvedProblem& s = a.solution;
  const bool maximised = single.f.sense == qubo::Sense::Max;
  const auto own = [&](double energy) { return maximised ? -energy : energy; };
  io::ResultLine line;
  line.file = single.file;
  line.format = single.format;
  line.energy = own(s.energy[0]);
  line.bound = own(s.bound[0]);
  line.status = s.status[0];
  line.seconds = s.seconds[0];
  line.solver = a.from[0] >= 0 ? "machine" : "exact";
  line.method = line.found_by = line.solver;
  line.proved_by = line.status == qubo::Status::ProvedOptimal ? "exact" : "";
  line.problem =
      qubo::fingerprint(single.model ? *single.model : single.f, single.given);
  line.x = s.x;
  if (a.from[0] >= 0) {
    line.task = a.from[0];
  }
  for (std::int64_t k = 0; s.top > 0 && k < s.top_count[0]; ++k) {
    const auto x = s.top_row(0, static_cast<int>(k));
    line.top.emplace_back(own(s.top_energy[static_cast<std::size_t>(k)]),
                          std::vector<std::uint8_t>(x.begin(), x.end()));
  }
  if (!single.given.empty()) {
    line.fixed = static_cast<int>(std::ssize(single.given) -
                                  std::ranges::count(single.given, qubo::kFree));
  }
  if (single.model) {
    decode(*single.model, line);
  }
  return line;
}

}  // namespace

/// A result file and its contents.
struct Ingestion::File {
  io::ResultFile file;
  machine::Returned returned;
};

/// An image with its solution.
struct Ingestion::Piece {
  std::size_t image = 0;
  cim::Assembled assembled;
  std::shared_ptr<const machine::Single> single;
  std::string results;  // reports of the machine as JSON
};

Ingestion::Ingestion(const IngestOptions& options, Context& context, PdfText pdf_text)
    : options_(options),
      context_(context),
      pdf_text_(std::move(pdf_text)),
      settings_(settings_of(options)),
      manifest_(read_submission(options, context)),
      matcher_(manifest_.submission),
      files_(results_of(options), context.token()) {
  if (!options.rename_to.empty()) {
    rename_to_.emplace(options.rename_to, options.dry_run);
  }
}

void Ingestion::read_results() {
  context_.progress().start("results", 0);
  const auto parse = [this](io::ResultFile file, int) {
    File parsed{std::move(file), {}};
    io::ResultFile& f = parsed.file;
    if (f.problem.empty()) {
      try {
        if (f.is_pdf()) {
          parsed.returned = io::read_cim_report(pdf_text_(f.content, f.name), f.name);
        } else if (io::looks_like_spin_array(f.content)) {
          parsed.returned.rows = io::read_spin_array(f.content, f.name);
        } else {
          parsed.returned.shots = io::read_cim_log(f.content, f.name);
        }
      } catch (const InputError& error) {  // other files may be valid
        f.problem = error.what();
      }
    }
    parsed.returned.path = f.name;
    return parsed;
  };
  ordered_pipeline(
      context_.threads(),
      context_.stop(),
      [this] { return files_.next(); },
      parse,
      [this](File file) { take(std::move(file)); });
  warn_of_names();
  account_.ignored = files_.ignored();
  if (account_.ignored > 0) {
    std::string names;
    for (const std::string& name : files_.ignored_names()) {
      names += (names.empty() ? "" : ", ") + name;
    }
    const std::int64_t more = account_.ignored - std::ssize(files_.ignored_names());
    context_.warn("skipped, because results end in .log, .json, .npy or .pdf: " +
                  names + (more > 0 ? " and " + format_grouped(more) + " more" : ""));
  }
  account_.count_tasks(manifest_.submission, matcher_);
}

/// Warns about wrong names: one line for all, or if verbose a line for each.
void Ingestion::warn_of_names() {
  const std::vector<cim::WrongName> all = matcher_.wrong_names();
  account_.renamed = std::ssize(all);
  const auto text = [](const cim::WrongName& wrong) {
    return wrong.path + ": its name is of task " + format(wrong.named) +
           ", its energies are of task " + format(wrong.proved);
  };
  if (context_.common().verbose || all.size() == 1) {
    for (const cim::WrongName& wrong : all) {
      context_.warn(text(wrong));
    }
  } else if (!all.empty()) {
    context_.warn(
        format_grouped(std::ssize(all)) +
        " results have the names of other tasks (verbose output lists them); " +
        text(all.front()));
  }
}

void Ingestion::take(File file) {
  context_.progress().advance(1);
  const io::ResultFile& f = file.file;
  if (!f.problem.empty()) {
    ++account_.unreadable;
    context_.warn(f.problem);
    return;
  }
  const cim::Match match = matcher_.add_result(std::move(file.returned));
  switch (match.kind) {
    case cim::Match::Kind::Refuted: ++account_.refuted; break;
    case cim::Match::Kind::Ambiguous: ++account_.ambiguous; break;
    default: break;
  }
  if (!match.remark.empty()) {
    context_.warn(f.name + ": " + match.remark);
  }
  if (match.kind == cim::Match::Kind::Refuted ||
      match.kind == cim::Match::Kind::Ambiguous ||
      match.kind == cim::Match::Kind::Failed) {
    return;
  }
  if (rename_to_) {
    copy(f, match.task);
  }
}

void Ingestion::copy(const io::ResultFile& file, std::int64_t task) {
  const std::string name =
      manifest_.submission.name + format(task) + std::string(file.suffix());
  switch (rename_to_->put_file(name, file.content)) {
    case io::SafeFolder::PutResult::There: break;
    case io::SafeFolder::PutResult::Written:
      if (options_.dry_run) {
        context_.say(file.name + " -> " + rename_to_->path(name) + "\n");
      }
      break;
    case io::SafeFolder::PutResult::Refused:
      left_out_ = true;
      context_.warn(file.name + ": " + rename_to_->path(name) +
                    " exists with other content (not copied)");
      break;
  }
}

Ingestion::Piece Ingestion::assemble(std::size_t i) const {
  const machine::Submission& submission = manifest_.submission;
  const machine::SubmittedImage image = submission.store->image(i);
  return {i,
          cim::assemble(image, submission, matcher_, settings_),
          image.single,
          report::provenance_json(image, submission, matcher_)};
}

void Ingestion::write(io::Output* output) {
  const bool refused = settings_.missing == cim::Missing::Fail && account_.missing > 0;
  if (refused && output != nullptr) {
    context_.warn(format_grouped(account_.missing) +
                  (account_.missing == 1 ? " task has" : " tasks have") +
                  " no result, so nothing is written (missing results may be skipped "
                  "or solved here)");
  }
  if (options_.tasks) {
    table_.emplace("-");
    table_->write(report::task_header(answers_are_lines()));
  }
  if (output == nullptr || refused) {
    write_images(nullptr);
  } else {
    write_answers(*output);
  }
  if (table_) {
    table_->commit();
  }
}

void Ingestion::write_answers(io::Output& output) {
  if (answers_are_lines()) {
    write_lines(output);
  } else {
    io::StreamWriter writer(output);
    write_images(&writer);
    writer.finish(manifest_.complete && !left_out_ && !context_.interrupted());
  }
  output.commit();
}

bool Ingestion::answers_are_lines() const {
  return manifest_.singles;
}

/// Assembles the images in parallel and passes them to `put` in order.
void Ingestion::assemble_all(const PutImage& put) {
  const std::size_t count = manifest_.submission.images;
  context_.progress().start("images", static_cast<std::int64_t>(count));
  std::size_t next = 0;
  const auto read = [&]() -> std::optional<std::size_t> {
    return next < count && !context_.interrupted() ? std::optional(next++)
                                                   : std::nullopt;
  };
  ordered_pipeline(
      context_.threads(),
      context_.stop(),
      read,
      [this](std::size_t i, int) { return assemble(i); },
      [&](Piece piece) {
        account_.count_image(piece.assembled);
        if (options_.tasks && context_.json()) {
          std::ranges::copy(piece.assembled.tasks,
                            std::back_inserter(account_.outcomes));
        }
        for (std::size_t t = 0; table_ && t < piece.assembled.tasks.size(); ++t) {
          table_->write(report::task_row(piece.assembled.tasks[t], piece.single.get()));
        }
        context_.progress().advance(1);
        left_out_ = left_out_ || piece.assembled.missing;
        put(std::move(piece));
      });
}

void Ingestion::write_lines(io::Output& output) {
  assemble_all([&](Piece piece) {
    if (!piece.assembled.missing) {
      const machine::Single& single = *piece.single;
      const io::ResultLine line = line_of(single, piece.assembled);
      output.write(io::to_json(line, single.model ? single.model->f : single.f) + "\n");
      if (!line.feasible.value_or(true)) {
        left_out_ = true;
        context_.warn(line.file + ": the answer violates the constraint " +
                      line.violated);
      }
    }
  });
}

/// Writes all heads of an example, or no head if one lacks a solution.
void Ingestion::write_example(const std::vector<Piece>& heads,
                              io::StreamWriter& writer) {
  const auto missing = [](const Piece& piece) { return piece.assembled.missing; };
  if (std::ranges::any_of(heads, missing)) {
    return;
  }
  for (const Piece& head : heads) {
    const cim::Assembled& a = head.assembled;
    const std::int64_t n = a.solution.problem.n;
    io::write_solution(writer,
                       a.solution,
                       {{"cim.results", head.results}},
                       {io::TensorView::of<double>("cim.energy", {n}, a.submitted),
                        io::TensorView::of<std::int64_t>("cim.task", {n}, a.from)});
  }
}

void Ingestion::write_images(io::StreamWriter* writer) {
  if (writer != nullptr && manifest_.heads.empty()) {
    writer->head({{"cim.matrices", options_.matrices}}, {});
  }
  std::size_t next_head = 0;
  const auto write_heads = [&](std::size_t before) {
    for (; next_head < manifest_.heads.size() &&
           manifest_.heads[next_head].first <= before;
         ++next_head) {
      if (next_head > 0) {
        writer->finish(manifest_.complete);
      }
      writer->copy_head(manifest_.heads[next_head].second, context_.history());
    }
  };
  std::vector<Piece> heads;  // pieces of the current example
  const auto put_example = [&] {
    if (writer != nullptr && !heads.empty()) {
      write_heads(heads.front().image);
      write_example(heads, *writer);
    }
    heads.clear();
  };
  assemble_all([&](Piece piece) {
    const qubo::Problem& p = piece.assembled.solution.problem;
    if (p.place.head == 0) {  // an incomplete stream may end within an example
      put_example();
    }
    const bool last = p.place.head + 1 == p.place.heads;
    heads.push_back(std::move(piece));
    if (last) {
      put_example();
    }
  });
  put_example();
  if (writer != nullptr) {
    write_heads(manifest_.submission.images);
  }
}

void Ingestion::report() {
  context_.progress().finish();
  context_.summarise(context_.json() ? report::ingest_json(account_)
                                     : report::ingest_text(account_));
  if (!manifest_.complete && !context_.interrupted()) {
    context_.warn("the manifest is marked incomplete");
  }
}

Exit Ingestion::status() const {
  if (context_.interrupted()) {
    return Exit::Interrupted;
  }
  // Missing::Fail also refuses damaged results.
  const bool damaged = account_.unreadable > 0;
  if (account_.contradicted() || (damaged && settings_.missing == cim::Missing::Fail)) {
    return Exit::Input;
  }
  return context_.status(manifest_.complete && account_.missing == 0 && !damaged &&
                         !left_out_);
}

}  // namespace oa::app
