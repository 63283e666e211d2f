#include "app/machine/pack.h"

#include "app/solve/decode.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/cim/pack_totals.h"
#include "oa/io/machine/manifest.h"
#include "oa/io/quadratic/vectors.h"
#include "oa/io/stream/problem_io.h"
#include "oa/qubo/reduce.h"
#include "oa/report/pack_report.h"

#include <functional>
#include <optional>
#include <utility>

namespace oa::app {
namespace {

/// A frame of a stream, or a single problem, to be packed.
struct Unpacked {
  io::Frame frame;
  std::shared_ptr<const machine::Single> single;
  std::int64_t index = 0;  ///< index of the single problem
  std::string where;       ///< for messages
};

/// A head frame, or an image and the text of its matrices.
struct Item {
  io::Frame head;
  machine::PackedImage image;
  std::vector<std::string> matrices;
};

Item packed(Unpacked from, const PackPlan& plan) {
  Item item;
  if (from.single) {
    item.image = cim::pack(std::move(from.single), from.index, plan.pack, from.where);
  } else if (from.frame.kind == io::FrameKind::Head) {
    item.head = std::move(from.frame);
    return item;
  } else {
    item.image =
        cim::pack(io::read_qubo_problem(from.frame), plan.pack, from.frame.where);
  }
  item.matrices = io::matrices_csv(item.image, plan.format);
  return item;
}

/// Compares precisions for each problem: cost, and what is preserved.
std::vector<report::PlanRow> compared(const Unpacked& from, const PackPlan& plan) {
  using enum cim::Precision;
  if (!from.single && from.frame.kind == io::FrameKind::Head) {
    return {};
  }
  std::vector<report::PlanRow> rows;
  for (const cim::Precision precision : {Vendor, Best, Split}) {
    cim::PackSettings settings = plan.pack;
    settings.precision = precision;
    const std::string name = field_text(precision);
    try {
      const machine::PackedImage image =
          from.single
              ? cim::pack(from.single, from.index, settings, from.where)
              : cim::pack(
                    io::read_qubo_problem(from.frame), settings, from.frame.where);
      for (std::size_t i = 0; i < image.queries.size(); ++i) {
        const std::string problem =
            from.single ? from.single->file
                        : from.frame.where + ": query " + std::to_string(i);
        rows.push_back(report::plan_row(name, image.queries[i], problem));
      }
    } catch (const InputError& error) {  // the problem does not fit
      report::PlanRow& row = rows.emplace_back();
      row.precision = name;
      row.why_not = error.what();
    }
  }
  return rows;
}

/// Reads single problems from files.
class Singles {
 public:
  Singles(io::Input first,
          const std::vector<std::string>& files,
          const PackPlan& plan,
          Context& context)
      : problems_(std::move(first),
                  files.empty() ? std::vector<std::string>{"-"} : files,
                  plan.reading,
                  context,
                  "input-format"),
        fix_(plan.fix),
        context_(context) {}

  std::optional<Unpacked> next() {
    std::optional<SingleProblem> p = problems_.next_or_throw();
    if (!p) {
      return std::nullopt;
    }
    auto single = std::make_shared<machine::Single>(
        machine::Single{p->name,
                        std::string(io::info(p->format).name),
                        qubo::quadratic_of(p->model, p->name)});
    if (const auto text = penalty_warning(p->model, single->f, p->name);
        !text.empty()) {
      context_.warn(text);
    }
    if (!fix_.empty()) {
      io::Input values = io::Input::open(fix_, context_.token());
      single->given = io::read_fixed(values, single->f, p->model.integers);
    }
    if (!p->model.quadratic() || !p->model.integers.empty()) {
      single->model = std::move(p->model);
    }
    return Unpacked{{}, std::move(single), index_++, std::move(p->where)};
  }

 private:
  ProblemReader problems_;
  const std::string& fix_;
  Context& context_;
  std::int64_t index_ = 0;
};

class Writer {
 public:
  Writer(const PackPlan& plan, Context& context)
      : plan_(plan),
        context_(context),
        uploads_(plan.uploads),
        output_(plan.manifest),
        manifest_(output_, plan.format, plan.uploads.name) {}

  void head(const io::Frame& frame) { manifest_.head(frame, context_.history()); }

  void write(const Item& item) {
    if (item.image.queries.empty()) {
      head(item.head);
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

  void finish(bool complete) {
    context_.progress().finish();
    if (plan_.uploads.only && uploads_.written() == 0 && tally_.tasks > 0) {
      throw UsageError("only",
                       ": none of these tasks is submitted (tasks are 0 to " +
                           format(next_task_ - 1) + ")");
    }
    uploads_.finish();
    manifest_.finish(complete);
    output_.commit();
    context_.summarise((context_.json() ? report::pack_json : report::pack_text)(
        tally_, uploads_.written()));
    const std::int64_t lost = tally_.problems - tally_.unchecked - tally_.kept_every;
    // JSON has the numbers, so no warning.
    if (!context_.json() && lost > 0 && plan_.pack.precision != cim::Precision::Best &&
        plan_.pack.precision != cim::Precision::Split) {
      context_.warn(counted(lost, "problem") +
                    " lost optima by rounding (precision best keeps more)");
    }
  }

 private:
  const PackPlan& plan_;
  Context& context_;
  io::Uploads uploads_;
  io::Output output_;
  io::ManifestWriter manifest_;
  cim::PackTotals tally_;
  std::int64_t next_task_ = 0;
};

void pack_all(const std::function<std::optional<Unpacked>()>& next,
              const PackPlan& plan,
              Context& context,
              Writer& writer) {
  context.progress().start("images", 0);
  ordered_pipeline(
      context.threads(),
      context.stop(),
      next,
      [&](Unpacked from, int) { return packed(std::move(from), plan); },
      [&](const Item& item) { writer.write(item); });
}

Exit compare_all(const std::function<std::optional<Unpacked>()>& next,
                 const PackPlan& plan,
                 Context& context) {
  io::Output output(context.common().json_file.empty() ? context.common().output
                                                       : context.common().json_file);
  std::vector<report::PlanRow> all;  // rows for JSON
  output.write(context.json() ? "" : report::plan_header());
  ordered_pipeline(
      context.threads(),
      context.stop(),
      next,
      [&](const Unpacked& from, int) { return compared(from, plan); },
      [&](const std::vector<report::PlanRow>& rows) {
        if (context.json()) {
          all.insert(all.end(), rows.begin(), rows.end());
        } else {
          output.write(report::plan_text(rows));
        }
      });
  if (context.json()) {
    output.write(report::plan_json(all));
  }
  output.commit();
  return context.status(!context.interrupted());
}

Exit pack_stream(io::Input input, const PackPlan& plan, Context& context) {
  io::StreamReader reader(std::move(input));
  const auto next = [&]() -> std::optional<Unpacked> {
    auto frame = reader.next();
    return frame ? std::optional(Unpacked{std::move(*frame), nullptr, 0, {}})
                 : std::nullopt;
  };
  if (plan.compare) {
    return compare_all(next, plan, context);
  }
  Writer writer(plan, context);
  pack_all(next, plan, context, writer);
  const bool complete = reader.complete();
  writer.finish(complete);
  if (!complete && !context.interrupted()) {
    context.warn(reader.name() + ": the stream is marked incomplete");
  }
  return context.status(complete);
}

Exit pack_singles(io::Input first,
                  const std::vector<std::string>& files,
                  const PackPlan& plan,
                  Context& context) {
  if (plan.pack.merge) {
    throw UsageError(
        "merge",
        " is for the problems of an image, which share a task; single problems "
        "have tasks of their own");
  }
  Singles singles(std::move(first), files, plan, context);
  if (plan.compare) {
    return compare_all([&] { return singles.next(); }, plan, context);
  }
  Writer writer(plan, context);
  writer.head({});
  pack_all([&] { return singles.next(); }, plan, context, writer);
  writer.finish(!context.interrupted());
  return context.status(!context.interrupted());
}

/// The name of a given setting that only single problems have, or empty.
std::string single_setting(const PackPlan& plan) {
  const ReadingOptions& o = plan.reading;
  return !o.sense.empty()     ? "sense"
         : !o.vartype.empty() ? "vartype"
         : !o.graph.empty()   ? "graph"
         : !plan.fix.empty()  ? "fix"
                              : "";
}

}  // namespace

Exit pack(const std::vector<std::string>& files,
          const PackPlan& plan,
          Context& context) {
  io::Input input =
      io::Input::open(files.empty() ? "-" : files.front(), context.token());
  if (!plan.force && !plan.compare) {
    io::refuse_other_manifest(plan.manifest, context.history(), input.name());
  }
  if (!plan.reading.format.empty() || !io::detect_problem(input).stream) {
    return pack_singles(std::move(input), files, plan, context);
  }
  if (const std::string option = single_setting(plan); !option.empty()) {
    throw UsageError(option,
                     " is for single problems, and " + input.name() + " is a stream");
  }
  if (files.size() > 1) {
    throw UsageError(files[1] + " follows a stream (join streams with cat)");
  }
  return pack_stream(std::move(input), plan, context);
}

}  // namespace oa::app
