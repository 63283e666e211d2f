#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/bytes/unpack.h"
#include "oa/io/photo/photo_archive.h"
#include "oa/io/photo/photo_folder.h"
#include "oa/io/tensor/dataset_io.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/task_file.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace oa::io {
namespace {

/// Finds the only file of `folder` among names that differ in the element type,
/// such as "train-tokens-idx2-int" and "train-tokens-idx2-ubyte".
/// Throws IoError if it is missing, InputError if there are two.
std::string one_file(const std::string& folder,
                     Split split,
                     std::initializer_list<const char*> names) {
  const std::string start = folder + (split == Split::Train ? "/train-" : "/t10k-");
  std::string found;
  for (const char* name : names) {
    const std::string path = plain_or_packed(start + name);
    if (!path.empty() && !found.empty()) {
      throw InputError(found + ": there is " + path + ", too (expected one of them)");
    }
    found += path;
  }
  if (found.empty()) {
    throw IoError(start + *names.begin() +
                  ": neither this file nor one of its kind exists");
  }
  return found;
}

std::string text_of(const std::vector<int>& extents) {
  std::string text;
  for (const int extent : extents) {
    text += (text.empty() ? "" : "x") + format(extent);
  }
  return text;
}

/// An array of whole numbers and its file.
struct Whole {
  std::string path;
  IdxHeader header;
  std::vector<std::int32_t> values;

  [[nodiscard]] int extent(int k) const { return header.extents[at(k)]; }
};

Whole read_whole(std::string path, int dimensions, const std::string& what) {
  Input input = Input::open(path);
  Whole whole{std::move(path), read_idx_header(input, dimensions, what), {}};
  whole.values = read_idx_whole(input, whole.header);
  return whole;
}

void check_extents(const std::string& path,
                   const IdxHeader& header,
                   const std::vector<int>& expected,
                   const std::string& because) {
  if (header.extents != expected) {
    throw InputError(path + ": is " + text_of(header.extents) + " (expected " +
                     text_of(expected) + ", " + because + ")");
  }
}

/// Throws InputError unless each number is -1 or below `limit`.
void check_numbers(const Whole& whole, int limit, const char* what) {
  const auto bad = std::ranges::find_if(
      whole.values, [&](std::int32_t v) { return v < -1 || v >= limit; });
  if (bad != whole.values.end()) {
    const auto row = static_cast<std::int64_t>(whole.values.size()) / whole.extent(0);
    throw InputError(whole.path + ": example " +
                     format((bad - whole.values.begin()) / row) + ": " + what + " " +
                     format(*bad) + " (expected -1 to " + format(limit - 1) + ")");
  }
}

/// The number of tokens in a row without its padding of -1.  Throws InputError on an
/// empty row and on a -1 between tokens.
int length_of(std::span<const std::int32_t> row, const std::string& path, int example) {
  const auto end = std::ranges::find(row, -1);
  const auto where = [&] { return path + ": example " + format(example) + ": "; };
  if (end == row.begin()) {
    throw InputError(where() + "no tokens");
  }
  if (!std::all_of(end, row.end(), [](std::int32_t id) { return id == -1; })) {
    throw InputError(where() + "token " + format(end - row.begin()) +
                     " is -1 (expected -1 at the end only)");
  }
  return static_cast<int>(end - row.begin());
}

/// Reads the sequences of a folder and their targets.
class SequenceReader {
 public:
  SequenceReader(const std::string& folder, Split split, const TaskFile& task)
      : folder_(folder),
        split_(split),
        task_(task) {}

  [[nodiscard]] Dataset read() {
    Sequences& all = set_.sequences;
    all.vocabulary = task_.vocabulary;
    all.width = task_.width;
    all.asking = task_.asking;
    if (task_.vocabulary > 0) {
      read_ids();
    }
    if (task_.width > 0) {
      read_vectors();
    }
    if (length_ == 0) {
      throw InputError(extents_from_ + ": sequences without tokens");
    }
    place_rows();
    read_answers();
    return std::move(set_);
  }

 private:
  void read_ids() {
    Whole ids =
        read_whole(one_file(folder_, split_, {"tokens-idx2-int", "tokens-idx2-ubyte"}),
                   2,
                   "tokens");
    check_numbers(ids, task_.vocabulary, "token");
    take_extents(ids.header, ids.path);
    set_.sequences.ids = std::move(ids.values);
  }

  void read_vectors() {
    const std::string path =
        one_file(folder_, split_, {"vectors-idx3-float", "vectors-idx3-ubyte"});
    Input input = Input::open(path);
    const IdxHeader header = read_idx_header(input, 3, "vectors");
    if (extents_from_.empty()) {
      take_extents(header, path);
    }
    check_extents(path,
                  header,
                  {count_, length_, task_.width},
                  "as " + extents_from_ + " and task.json say");
    set_.sequences.vectors = read_idx_numbers(input, header);
  }

  void take_extents(const IdxHeader& header, const std::string& path) {
    count_ = header.extents[0];
    length_ = header.extents[1];
    extents_from_ = path;
  }

  /// Sets the place of each sequence.  With vectors, ids of -1 also count as tokens.
  void place_rows() {
    Sequences& all = set_.sequences;
    std::int64_t begin = 0;
    for (int i = 0; i < count_; ++i) {
      const int length =
          task_.width > 0 ? length_ : length_of(row(all.ids, i), extents_from_, i);
      if (all.asking > length) {
        throw InputError(extents_from_ + ": example " + format(i) + ": " +
                         format(length) + " tokens (the last " + format(all.asking) +
                         " of an example ask, says " + kTaskFile + ")");
      }
      all.places.push_back({begin, length});
      begin += length;
    }
  }

  [[nodiscard]] std::span<const std::int32_t> row(const std::vector<std::int32_t>& of,
                                                  int i) const {
    return std::span(of).subspan(at(i) * at(length_), at(length_));
  }

  void read_answers() {
    Targets& targets = set_.targets;
    targets.objective = task_.objective;
    targets.classes = task_.classes;
    if (task_.objective == Objective::Class) {
      read_classes();
    } else if (task_.objective == Objective::Positions) {
      read_positions();
    } else if (task_.objective == Objective::Sets) {
      read_sets();
    } else {
      throw InputError(folder_ + "/" + kTaskFile +
                       ": a task of cells is for pictures (this one has sequences)");
    }
    drop_padding(set_.sequences.ids);
  }

  void read_classes() {
    const std::string path = find_idx_file(folder_, idx_labels_name(split_));
    Input input = Input::open(path);
    set_.labels = read_idx_labels(input);
    if (std::ssize(set_.labels) != count_) {
      throw InputError(path + ": " + format(std::ssize(set_.labels)) + " labels for " +
                       format(count_) + " sequences");
    }
  }

  void read_positions() {
    Whole targets = read_whole(
        one_file(folder_, split_, {"targets-idx2-int", "targets-idx2-ubyte"}),
        2,
        "targets of positions");
    check_extents(
        targets.path, targets.header, {count_, length_}, "as " + extents_from_ + " is");
    check_numbers(targets, task_.classes, "target");
    for (int i = 0; i < count_; ++i) {
      const auto padding =
          row(targets.values, i).subspan(at(set_.sequences.places[at(i)].length));
      if (std::ranges::any_of(padding, [](std::int32_t v) { return v >= 0; })) {
        throw InputError(targets.path + ": example " + format(i) +
                         ": a target behind its last token");
      }
    }
    drop_padding(targets.values);
    set_.targets.numbers = std::move(targets.values);
  }

  void read_sets() {
    Whole targets = read_whole(
        one_file(folder_, split_, {"targets-idx3-int", "targets-idx3-ubyte"}),
        3,
        "targets of sets");
    const int rows = task_.asking;
    const int size = targets.extent(2);
    check_extents(targets.path,
                  targets.header,
                  {count_, rows, std::max(size, 1)},
                  "as " + extents_from_ + " and task.json say");
    check_numbers(targets, task_.classes, "target");
    for (std::size_t k = 0; k < targets.values.size(); k += at(size)) {
      check_set(targets, k, size);
    }
    set_.targets.rows = rows;
    set_.targets.per_row = size;
    set_.targets.numbers = std::move(targets.values);
  }

  static void check_set(const Whole& targets, std::size_t from, int size) {
    std::vector<std::int32_t> set(targets.values.begin() + std::ptrdiff_t(from),
                                  targets.values.begin() + std::ptrdiff_t(from) + size);
    std::erase(set, -1);
    std::ranges::sort(set);
    if (const auto twice = std::ranges::adjacent_find(set); twice != set.end()) {
      const std::size_t example = from / at(size) / at(targets.extent(1));
      throw InputError(targets.path + ": example " + std::to_string(example) +
                       ": a set has " + format(*twice) + " twice");
    }
  }

  /// Removes padding: values after the last token of each row.
  void drop_padding(std::vector<std::int32_t>& values) const {
    if (values.empty()) {
      return;
    }
    for (int i = 0; i < count_; ++i) {
      const Sequences::Place& place = set_.sequences.places[at(i)];
      const std::int64_t from = std::int64_t{i} * length_;
      if (from != place.begin) {
        std::copy_n(values.begin() + from, place.length, values.begin() + place.begin);
      }
    }
    const Sequences::Place& last = set_.sequences.places.back();
    values.resize(at(last.begin + last.length));
  }

  const std::string& folder_;
  Split split_;
  const TaskFile& task_;
  Dataset set_;
  std::string extents_from_;  // the file that sets count_ and length_
  int count_ = 0;
  int length_ = 0;
};

/// The pictures of a folder and their file.
struct FolderPictures {
  std::string path;
  SelectedImages read;
};

FolderPictures read_pictures_of(const std::string& folder,
                                Split split,
                                const PictureForm& form,
                                const Selection& selection) {
  std::string path =
      one_file(folder, split, {"images-idx3-ubyte", "images-idx4-ubyte"});
  Input input = Input::open(path);
  return {std::move(path), read_idx_pictures(input, form, selection)};
}

Dataset read_labelled_pictures(const std::string& folder,
                               Split split,
                               const PictureForm& form,
                               const Selection& selection) {
  auto [path, read] = read_pictures_of(folder, split, form, selection);
  const std::string labels = find_idx_file(folder, idx_labels_name(split));
  Input input = Input::open(labels);
  std::vector<std::uint8_t> all = read_idx_labels(input);
  if (std::ssize(all) != read.count) {
    throw InputError(labels + ": " + format(std::ssize(all)) + " labels for " +
                     format(read.count) + " images");
  }
  Dataset set;
  set.images = std::move(read.images);
  set.labels = select_labels(std::move(all), selection, set.targets);
  return set;
}

Dataset read_scenes(const std::string& folder,
                    Split split,
                    const TaskFile& task,
                    const PictureForm& form,
                    const Selection& selection) {
  auto [path, read] = read_pictures_of(folder, split, form, selection);
  Dataset set;
  set.images = std::move(read.images);
  Whole targets =
      read_whole(one_file(folder, split, {"targets-idx2-int", "targets-idx2-ubyte"}),
                 2,
                 "targets of cells");
  const int rows = targets.extent(1);
  check_extents(targets.path,
                targets.header,
                {read.count, std::max(rows, 1)},
                "as " + path + " is");
  check_numbers(targets, task.classes, "cell");
  set.targets.objective = Objective::Cells;
  set.targets.classes = task.classes;
  set.targets.rows = rows;
  set.targets.numbers = std::move(targets.values);
  select_numbers(read.count, selection, set.targets);
  return set;
}

bool has_idx_pictures(const std::string& folder) {
  for (const char* part : {"/train-", "/t10k-"}) {
    for (const char* name : {"images-idx3-ubyte", "images-idx4-ubyte"}) {
      if (!plain_or_packed(folder + part + name).empty()) {
        return true;
      }
    }
  }
  return false;
}

/// True if the folder has pictures and is of no other kind of data set.
bool is_photo_folder(const std::string& folder) {
  return !task_of(folder) && !has_photo_archives(folder) && !has_idx_pictures(folder) &&
         photo_folder(folder) != PhotoFolder::None;
}

/// Checks that a task has the members that its objective needs.
void check_task(const TaskFile& task, const std::string& file) {
  const bool sequences = task.vocabulary > 0 || task.width > 0;
  if (task.objective != Objective::Class && task.classes == 0) {
    throw InputError(file + ": \"classes\" is missing");
  }
  if (task.objective == Objective::Sets && task.asking == 0) {
    throw InputError(file + ": \"asking\" is missing (a task of sets needs it)");
  }
  if (task.objective != Objective::Class && task.objective != Objective::Cells &&
      !sequences) {
    throw InputError(file +
                     ": neither \"vocabulary\" nor \"width\" (expected one with " +
                     field_text(task.objective) + ")");
  }
}

/// Throws InputError if `path` is a file, not a folder, and names its format.
void refuse_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    Input input = Input::open(path);
    const std::string what = recognised(input.peek(1024));
    throw InputError(path + ": " + (what.empty() ? "a file" : what) +
                     " (expected a folder: CLASS/NAME.png, files named as MNIST's, or "
                     "of oa-tasks; for a file there are --images, --text and "
                     "--sentences)");
  }
}

}  // namespace

Dataset read_dataset(const std::string& folder,
                     Split split,
                     const PictureForm& form,
                     const Selection& selection) {
  refuse_file(folder);
  const std::optional<TaskFile> task = task_of(folder);
  if (!task && has_photo_archives(folder)) {
    return select(read_photo_archive(folder, split, form), selection);
  }
  if (!task && !has_idx_pictures(folder) && photo_folder(folder) != PhotoFolder::None) {
    return select(read_photo_folder(folder, split, form), selection);
  }
  if (task) {
    check_task(*task, folder + "/" + kTaskFile);
    if (task->vocabulary > 0 || task->width > 0) {
      return select(SequenceReader(folder, split, *task).read(), selection);
    }
  }
  return task && task->objective == Objective::Cells
             ? read_scenes(folder, split, *task, form, selection)
             : read_labelled_pictures(folder, split, form, selection);
}

std::string class_names(const std::string& folder) {
  return is_photo_folder(folder) ? photo_classes(folder) : "";
}

bool has_no_parts(const std::string& folder) {
  return is_photo_folder(folder) && photo_folder(folder) == PhotoFolder::Whole;
}

}  // namespace oa::io
