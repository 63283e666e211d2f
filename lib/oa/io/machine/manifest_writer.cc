#include "oa/io/machine/manifest.h"
#include "oa/io/machine/single_frame.h"
#include "oa/io/stream/problem_io.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace oa::io {
namespace {

/// Appends the levels of a block above its diagonal, row by row.
void put_levels(const machine::Block& block, std::vector<std::int16_t>& to) {
  for (int i = 0; i < block.spins(); ++i) {
    to.insert(to.end(), block.row(i) + i + 1, block.row(i) + block.spins());
  }
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
  std::vector<std::int16_t> levels;
  std::vector<std::int32_t> copies;
  bool split = false;
  for (const machine::PackedQuery& query : image.queries) {
    split = split || !query.copies.empty();
    const std::vector<std::int32_t> one(static_cast<std::size_t>(query.free()), 1);
    const auto& own = query.copies.empty() ? one : query.copies;
    copies.insert(copies.end(), own.begin(), own.end());
    fixed.insert(fixed.end(), query.fixed.begin(), query.fixed.end());
    extra.push_back(query.block ? query.block->extra : 0);
    scale.push_back(query.loss.scale);
    if (query.block) {
      put_levels(*query.block, levels);
    }
  }
  const bool wide = std::ranges::any_of(
      levels, [](std::int16_t level) { return level != std::int8_t(level); });
  const std::vector<std::int8_t> bytes(levels.begin(), levels.end());
  const Shape count{std::ssize(levels)};
  Metadata metadata{{"cim.merged", field_text(merged)}};
  std::vector<TensorView> tensors{
      TensorView::of<std::int64_t>("cim.task", {n}, task),
      TensorView::of<std::int64_t>("cim.extra", {n}, extra),
      TensorView::of<double>("cim.scale", {n}, scale),
      TensorView::of<std::uint8_t>("cim.fixed", x_shape(image.problem), fixed),
      wide ? TensorView::of<std::int16_t>("cim.levels", count, levels)
           : TensorView::of<std::int8_t>("cim.levels", count, bytes)};
  if (split) {
    tensors.push_back(
        TensorView::of<std::int32_t>("cim.copies", {std::ssize(copies)}, copies));
  }
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

}  // namespace oa::io
