#include "oa/io/manifest.h"

#include "oa/io/problem_io.h"

#include <utility>

namespace oa::io {
namespace {

/// The levels of a block above its diagonal, row by row.
void put_levels(const cim::Block& block, std::vector<std::int8_t>& to) {
  for (int i = 0; i < block.spins(); ++i) {
    to.insert(to.end(), block.row(i) + i + 1, block.row(i) + block.spins());
  }
}

}  // namespace

ManifestWriter::ManifestWriter(Output& output, TaskFormat format, std::string name)
    : writer_(output),
      format_(format),
      name_(std::move(name)) {}

void ManifestWriter::head(const Frame& head, bool complete) {
  if (begun_) {
    writer_.finish(complete);
  }
  begun_ = true;
  Metadata metadata = head.data.metadata;
  metadata["cim.version"] = "1";
  metadata["cim.format"] = field_text(format_);
  metadata["cim.name"] = name_;
  writer_.head(std::move(metadata), head.data.tensors());
}

void ManifestWriter::image(const cim::PackedImage& image,
                           bool merged,
                           std::int64_t first_task) {
  const std::int64_t n = image.problem.n;
  std::vector<std::int64_t> task(static_cast<std::size_t>(n), -1);
  for (std::size_t t = 0; t < image.tasks.size(); ++t) {
    for (const int i : image.tasks[t]) {
      task[static_cast<std::size_t>(i)] = first_task + static_cast<std::int64_t>(t);
    }
  }
  cim::Bits fixed;
  std::vector<std::int64_t> extra;
  std::vector<double> scale;
  std::vector<std::int8_t> levels;
  for (const cim::PackedQuery& query : image.queries) {
    fixed.insert(fixed.end(), query.fixed.begin(), query.fixed.end());
    extra.push_back(query.block ? query.block->extra : 0);
    scale.push_back(query.loss.scale);
    if (query.block) {
      put_levels(*query.block, levels);
    }
  }
  write_problem(
      writer_,
      image.problem,
      {{"cim.merged", field_text(merged)}},
      {TensorView::of<std::int64_t>("cim.task", {n}, task),
       TensorView::of<std::int64_t>("cim.extra", {n}, extra),
       TensorView::of<double>("cim.scale", {n}, scale),
       TensorView::of<std::uint8_t>("cim.fixed", {n, image.problem.m}, fixed),
       TensorView::of<std::int8_t>("cim.levels", {std::ssize(levels)}, levels)});
}

void ManifestWriter::finish(bool complete) {
  writer_.finish(complete);
}

}  // namespace oa::io
