#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/train/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// What is trained on and tested with.
struct DataOptions {
  std::string folder;         ///< of a data set; empty: see below
  std::string text;           ///< a text file
  std::int64_t context = 64;  ///< its characters that a model sees at once
  std::string sentences;      ///< a file of labels and sentences
  std::string images, labels;
  std::string test_images, test_labels;  ///< nothing at all named: the built-in digits
  PictureForm form;                      ///< of pictures
  bool grey = false;                     ///< they become grey
  std::optional<std::int64_t> first;     ///< training examples
};

/// Stores in `model` the form that pictures are converted to before it sees them.
void record_form(const DataOptions& options, model::Config& model);

/// What a recipe is chosen by; no name where nothing says.
[[nodiscard]] train::TaskKind task_of(const DataOptions& options);

/// The names of its classes with a slash between two, where these are names of folders.
[[nodiscard]] std::string class_names(const DataOptions& options);

/// What is selected of a split; nothing if it is Test and no such file is there.
[[nodiscard]] Dataset read_data(const DataOptions& options,
                                Split split,
                                int threads,
                                const Selection& selection);

}  // namespace oa::app
