#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/io/bytes/output.h"
#include "oa/io/tensor/idx_array.h"

#include <optional>
#include <span>
#include <string>

namespace oa::io {

/// Reads one split of the data set in `folder`; oa-formats(5), DATA SETS.
/// task.json states whether its examples are pictures or sequences.
/// Without task.json the examples are pictures: the files of MNIST,
/// archives of JPEG files as for CIFAR-10, or a folder for each class.
/// Pictures are converted to `form`.  Unselected pictures of IDX files take no memory.
/// Throws IoError if a file is missing, InputError if files are wrong or disagree.
[[nodiscard]] Dataset read_dataset(const std::string& folder,
                                   Split split,
                                   const PictureForm& form = {},
                                   const Selection& selection = {});

/// The class names of pictures in folders, see photo_classes(); empty for other data.
[[nodiscard]] std::string class_names(const std::string& folder);

/// True if `folder` has pictures but no folders train and test.
[[nodiscard]] bool has_no_parts(const std::string& folder);

/// Writes the files of one split, block by block.  The files appear with commit().
class DatasetFiles {
 public:
  /// `like` has any examples of the data set, whose sizes are used.
  /// `byte_vectors`: all numbers of vectors are multiples of 1/255 from 0 to 1.
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
