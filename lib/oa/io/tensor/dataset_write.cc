#include "oa/io/tensor/dataset_io.h"
#include "oa/io/tensor/idx.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace oa::io {
namespace {

std::string file_name(Split split, const char* what) {
  return std::string(split == Split::Train ? "train-" : "t10k-") + what;
}

/// The extents of the array of targets, except the number of examples.
std::vector<int> target_extents(int count, const Dataset& like) {
  const Targets& targets = like.targets;
  switch (targets.objective) {
    case Objective::Positions: return {count, like.sequences.places[0].length};
    case Objective::Sets: return {count, targets.rows, targets.per_row};
    case Objective::Cells: return {count, targets.rows};
    case Objective::Class: break;
  }
  return {count};
}

}  // namespace

DatasetFiles::DatasetFiles(const OutputFolder& folder,
                           Split split,
                           int count,
                           const Dataset& like,
                           bool byte_vectors)
    : byte_vectors_(byte_vectors) {
  assert(like.count() > 0);
  const auto open =
      [&](std::optional<Output>& file, const char* what, const IdxHeader& header) {
        file.emplace(folder / file_name(split, what));
        write_idx_header(*file, header);
      };
  if (const Sequences& all = like.sequences; !all.places.empty()) {
    const int length = all.places[0].length;
    open(tokens_, "tokens-idx2-int", {IdxType::Int, {count, length}});
    if (all.width > 0) {
      const std::vector<int> extents = {count, length, all.width};
      open(vectors_,
           byte_vectors ? "vectors-idx3-ubyte" : "vectors-idx3-float",
           {byte_vectors ? IdxType::Byte : IdxType::Float, extents});
    }
  } else {
    open(images_,
         "images-idx3-ubyte",
         {IdxType::Byte, {count, like.images.rows, like.images.cols}});
  }
  if (like.targets.objective == Objective::Class) {
    open(targets_, "labels-idx1-ubyte", {IdxType::Byte, {count}});
    return;
  }
  const std::vector<int> extents = target_extents(count, like);
  open(targets_,
       extents.size() == 3 ? "targets-idx3-int" : "targets-idx2-int",
       {IdxType::Int, extents});
}

void DatasetFiles::write(const Dataset& block) {
  if (images_) {
    images_->write(std::as_bytes(std::span(block.images.pixels)));
  }
  if (tokens_) {
    write_idx_whole(*tokens_, block.sequences.ids);
  }
  if (vectors_) {
    write_vectors(block.sequences.vectors);
  }
  if (block.targets.objective == Objective::Class) {
    targets_->write(std::as_bytes(std::span(block.labels)));
  } else {
    write_idx_whole(*targets_, block.targets.numbers);
  }
}

void DatasetFiles::write_vectors(std::span<const float> vectors) {
  if (!byte_vectors_) {
    write_idx_floats(*vectors_, vectors);
    return;
  }
  std::vector<std::uint8_t> bytes(vectors.size());
  std::ranges::transform(vectors, bytes.begin(), [](float v) {
    return static_cast<std::uint8_t>(std::lround(255.0F * v));
  });
  vectors_->write(std::as_bytes(std::span(bytes)));
}

void DatasetFiles::commit() {
  for (std::optional<Output>* file : {&images_, &tokens_, &vectors_, &targets_}) {
    if (*file) {
      (*file)->commit();
    }
  }
}

}  // namespace oa::io
