#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/train/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// Training and test data.  The built-in digits are used if no file is named.
struct DataOptions {
  std::string folder;         ///< of a data set
  std::string text;           ///< a text file
  std::int64_t context = 64;  ///< characters of an example of the text
  std::string sentences;      ///< a file of labels and sentences
  std::string images, labels;
  std::string test_images, test_labels;
  PictureForm form;
  bool grey = false;                  ///< pictures become grey
  std::optional<std::int64_t> first;  ///< use only so many training examples
};

/// Records in `model` the form of its pictures.
void record_form(const DataOptions& options, model::Config& model);

/// The task that chooses a recipe; no name if unknown.
[[nodiscard]] train::TaskKind task_of(const DataOptions& options);

/// The class names, separated by slashes, if folders name them.
[[nodiscard]] std::string class_names(const DataOptions& options);

/// Reads the selected examples of a split.  Empty if there are no test data.
[[nodiscard]] Dataset read_data(const DataOptions& options,
                                Split split,
                                int threads,
                                const Selection& selection);

}  // namespace oa::app
