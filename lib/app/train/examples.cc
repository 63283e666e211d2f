#include "app/train/examples.h"

#include "app/context.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/base/utf8.h"
#include "oa/data/digits.h"
#include "oa/io/tensor/dataset_io.h"
#include "oa/io/tensor/picture_file.h"
#include "oa/io/tensor/task_file.h"
#include "oa/io/text/characters.h"
#include "oa/io/text/sentences.h"

#include <algorithm>
#include <utility>

namespace oa::app {

void record_form(const DataOptions& o, model::Config& model) {
  model.resized = o.form.rows > 0;
  model.grey = o.grey;
  model.inverted = o.form.invert;
}

train::TaskKind task_of(const DataOptions& o) {
  if (!o.text.empty()) {
    return {"text"};
  }
  if (!o.sentences.empty()) {
    return {"sentences"};
  }
  const auto task = o.folder.empty() ? std::nullopt : io::task_of(o.folder);
  if (!task) {
    return {.own = !class_names(o).empty()};
  }
  const auto number = [&](const char* name, std::int64_t most) {
    const auto found = task->options.find(name);
    const auto value =
        found == task->options.end() ? std::nullopt : parse_int(found->second);
    return static_cast<int>(std::clamp<std::int64_t>(value.value_or(1), 1, most));
  };
  constexpr std::int64_t kMaxSummed = 4096;
  const auto pictures = task->options.find("pictures");
  const bool overlays = pictures != task->options.end() && pictures->second == "true";
  return {.name = task->task,
          .amounts = number("amounts", kMaxLevels - 1),
          .overlaid = overlays ? number("sum", kMaxSummed) : 0};
}

namespace {

// A digit depends only on its index, so blocks can be drawn in parallel.
Dataset built_in(Split split, int threads) {
  constexpr int kBlock = 500;
  constexpr std::uint64_t kSeed = 1;  // as oa-digits
  const int count = split == Split::Train ? 60000 : 10000;
  std::vector<Dataset> blocks(static_cast<std::size_t>(count / kBlock));
  parallel_for(std::ssize(blocks), threads, [&](std::int64_t k, int) {
    blocks[static_cast<std::size_t>(k)] =
        digits(kSeed, split, static_cast<int>(k) * kBlock, kBlock);
  });
  Dataset all = std::move(blocks.front());
  for (std::size_t k = 1; k < blocks.size(); ++k) {
    const Dataset& more = blocks[k];
    all.images.pixels.insert(
        all.images.pixels.end(), more.images.pixels.begin(), more.images.pixels.end());
    all.labels.insert(all.labels.end(), more.labels.begin(), more.labels.end());
  }
  all.images.count = count;
  return all;
}

Dataset read_text(const DataOptions& o, Split split) {
  const auto context = static_cast<int>(o.context);
  io::Input input = io::Input::open(o.text);
  io::Characters text =
      io::read_characters(input, {.context = context, .stride = context}, split);
  Sequences& all = text.data.sequences;
  for (const char32_t sign : text.alphabet) {
    all.alphabet += utf8(sign);
  }
  all.slack = split == Split::Train ? context - 1 : 0;
  return std::move(text.data);
}

Dataset read_folder(const DataOptions& o,
                    Split split,
                    const PictureForm& form,
                    const Selection& selection) {
  if (split == Split::Test && io::has_no_parts(o.folder)) {
    throw InputError(
        o.folder + ": no test pictures (expected them in test/, the others in train/)");
  }
  Dataset data = io::read_dataset(o.folder, split, form, selection);
  if (data.targets.objective == Objective::Class && data.targets.classes == 0) {
    throw InputError(o.folder + ": pictures without classes (expected CLASS/NAME.png)");
  }
  return data;
}

Dataset read_any(const DataOptions& o,
                 Split split,
                 int threads,
                 const Selection& selection) {
  const bool train = split == Split::Train;
  const std::string& images = train ? o.images : o.test_images;
  if (!o.text.empty()) {
    return select(read_text(o, split), selection);
  }
  if (!o.sentences.empty()) {
    io::Input input = io::Input::open(o.sentences);
    return select(io::read_sentences(input, {}, split).data, selection);
  }
  PictureForm form = o.form;
  form.channels = o.grey ? 1 : 0;
  if (!images.empty()) {
    Dataset data = io::read_pictures_and_labels(
        images, train ? o.labels : o.test_labels, form, {}, selection);
    if (data.targets.classes == 0) {
      throw InputError(images + ": no labels beside it (name them)");
    }
    return data;
  }
  if (!o.folder.empty()) {
    return read_folder(o, split, form, selection);
  }
  if (!o.images.empty()) {
    return {};
  }
  Dataset data = built_in(split, threads);
  data.images = in_form(std::move(data.images), form);
  return select(std::move(data), selection);
}

}  // namespace

std::string class_names(const DataOptions& o) {
  return o.folder.empty() ? "" : io::class_names(o.folder);
}

Dataset read_data(const DataOptions& o,
                  Split split,
                  int threads,
                  const Selection& selection) {
  int there = 0;
  Selection some = selection;
  some.keep = [&](int count) {
    there = count;
    return selection.kept(count);
  };
  if (split == Split::Train && o.first) {
    some.first = *o.first;
  }
  Dataset data = read_any(o, split, threads, some);
  const bool formed = o.form.rows > 0 || o.grey || o.form.invert;
  if (formed && data.has_sequences()) {
    throw UsageError("resize", ", grey and invert are for pictures");
  }
  if (split == Split::Train && there == 0) {
    throw InputError((o.folder.empty() ? o.images : o.folder) +
                     ": no training examples");
  }
  return data;
}

}  // namespace oa::app
