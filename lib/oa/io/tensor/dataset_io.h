#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/io/bytes/output.h"
#include "oa/io/tensor/idx_array.h"

#include <optional>
#include <span>
#include <string>

namespace oa::io {

/// Reads one split of the data set in `folder`; oa-formats(5), DATA SETS. task.json
/// says whether it holds pictures or sequences.  Without it, the folder has pictures
/// and labels: the files of MNIST, archives of JPEG files as for CIFAR-10, or pictures
/// in folders of their classes.  Pictures are converted to `form`.  Pictures of IDX
/// files that are not kept take no memory.  Throws IoError if a file is missing and
/// InputError if files are wrong or disagree.
[[nodiscard]] Dataset read_dataset(const std::string& folder,
                                   Split split,
                                   const PictureForm& form = {},
                                   const Selection& selection = {});

/// The class names of pictures in folders, as photo_classes(); empty for other data.
[[nodiscard]] std::string class_names(const std::string& folder);

/// True if `folder` has pictures without parts, so that each split is all of them.
[[nodiscard]] bool has_no_parts(const std::string& folder);

/// Writes the files of one split, block by block.  They appear with commit().
class DatasetFiles {
 public:
  /// `like` is a block of one or more examples, with the sizes of all `count` examples.
  /// `byte_vectors`: numbers of vectors are multiples of 1/255 from 0 to 1.
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
