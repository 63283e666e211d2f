#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/io/bytes/output.h"
#include "oa/io/tensor/idx_array.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace oa::io {

/// One split of the data set in `folder`: pictures or sequences, as its task.json says,
/// or, where there is none, pictures and labels: the files of MNIST, archives of JPEG
/// files, as CIFAR-10 is often passed on, or pictures in folders of their classes.
/// Pictures get that form.  Of IDX files of pictures only what is kept takes memory.
/// oa-formats(5), DATA SETS.  Throws IoError if a file is
/// missing and InputError where files are wrong or disagree.
[[nodiscard]] Dataset read_dataset(const std::string& folder,
                                   Split split,
                                   const PictureForm& form = {},
                                   const Selection& selection = {});

/// The names of the classes of pictures in folders, as photo_classes() has them; empty
/// for other data.
[[nodiscard]] std::string class_names(const std::string& folder);

/// Whether `folder` has pictures in no parts, so that either split is all of them.
[[nodiscard]] bool has_no_parts(const std::string& folder);

/// Writes the files of one split, block by block.  They appear with commit().
class DatasetFiles {
 public:
  /// `like` is a block of one example or more, of the size of all `count` examples.
  /// With `byte_vectors` the numbers of vectors are multiples of 1/255 from 0 to 1.
  DatasetFiles(const OutputFolder& folder,
               Split split,
               int count,
               const Dataset& like,
               bool byte_vectors);

  void write(const Dataset& block);
  void commit();

 private:
  void write_vectors(std::span<const float> vectors);

  std::optional<Output> images_;
  std::optional<Output> tokens_;
  std::optional<Output> vectors_;
  std::optional<Output> targets_;
  bool byte_vectors_;
};

}  // namespace oa::io
