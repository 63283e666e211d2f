#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/train/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// The sources of training and test data; the built-in digits if all are empty.
struct DataOptions {
  std::string folder;         ///< a folder with a data set
  std::string text;           ///< a text file
  std::int64_t context = 64;  ///< characters per example of the text
  std::string sentences;      ///< a file of labels and sentences
  std::string images, labels;
  std::string test_images, test_labels;
  PictureForm form;
  bool grey = false;                  ///< convert pictures to grey
  std::optional<std::int64_t> first;  ///< use only this number of training examples
};

/// Records the form of the pictures in `model`.
void record_form(const DataOptions& options, model::Config& model);

/// The task, which determines the recipe; without a name if unknown.
[[nodiscard]] train::TaskKind task_of(const DataOptions& options);

/// The class names, separated by slashes; empty if no folders name them.
[[nodiscard]] std::string class_names(const DataOptions& options);

/// Reads the selected examples of a split; no examples if there are no test data.
[[nodiscard]] Dataset read_data(const DataOptions& options,
                                Split split,
                                int threads,
                                const Selection& selection);

}  // namespace oa::app
