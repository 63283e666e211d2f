#include "oa/io/photo/photo_folder.h"

#include "oa/base/error.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/bytes/input.h"
#include "oa/io/photo/photo_set.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace oa::io {
namespace {

struct Found {
  std::string path;
  std::string class_name;  // empty: outside class folders
  std::string name;
};

/// The pictures below `folder`, sorted.
std::vector<Found> pictures_below(const std::string& folder) {
  std::vector<Found> all;
  for (FolderFile& file : files_in(folder, Depth::Tree)) {
    if (!file.regular || !is_photo_name(file.path)) {
      continue;
    }
    const std::string below = file.path.substr(folder.size() + 1);
    const auto slash = below.find('/');
    all.push_back({std::move(file.path),
                   slash == below.npos ? "" : below.substr(0, slash),
                   below.substr(slash == below.npos ? 0 : slash + 1)});
  }
  return all;
}

/// Selects the pictures of the folder `part` (train or test) that have a class.
std::vector<Found> part_of(const std::vector<Found>& all, std::string_view part) {
  std::vector<Found> found;
  for (const Found& one : all) {
    const auto slash = one.name.find('/');
    if (one.class_name == part && slash != one.name.npos) {
      found.push_back(
          {one.path, one.name.substr(0, slash), one.name.substr(slash + 1)});
    }
  }
  return found;
}

PhotoFolder kind_of(const std::vector<Found>& all) {
  return all.empty()                      ? PhotoFolder::None
         : !part_of(all, "train").empty() ? PhotoFolder::Parts
                                          : PhotoFolder::Whole;
}

/// The classes of both parts, or of all pictures.
std::set<std::string> classes_of(const std::vector<Found>& all) {
  std::set<std::string> classes;
  const auto add = [&](const std::vector<Found>& some) {
    for (const Found& one : some) {
      classes.insert(one.class_name);
    }
  };
  if (kind_of(all) == PhotoFolder::Parts) {
    add(part_of(all, "train"));
    add(part_of(all, "test"));
  } else {
    add(all);
  }
  return classes;
}

void check_classes(const std::vector<Found>& all) {
  const auto has_class = [](const Found& one) { return !one.class_name.empty(); };
  const auto without = std::ranges::find_if_not(all, has_class);
  if (without != all.end() && std::ranges::any_of(all, has_class)) {
    throw InputError(without->path +
                     ": is not in a folder (expected a folder named by its class)");
  }
}

}  // namespace

PhotoFolder photo_folder(const std::string& folder) {
  return kind_of(pictures_below(folder));
}

std::string photo_classes(const std::string& folder) {
  std::string names;
  for (const std::string& name : classes_of(pictures_below(folder))) {
    names += (names.empty() ? "" : "/") + name;
  }
  return names;
}

Dataset read_photo_folder(const std::string& folder,
                          Split split,
                          const PictureForm& form) {
  std::vector<Found> all = pictures_below(folder);
  std::set<std::string> classes = classes_of(all);
  if (kind_of(all) == PhotoFolder::Parts) {
    all = part_of(all, split == Split::Train ? "train" : "test");
    if (all.empty()) {
      throw InputError(folder + "/test: no pictures in it (expected CLASS/NAME.png)");
    }
  }
  check_classes(all);
  PhotoSet pictures(folder, form);
  for (const Found& one : all) {
    Input input = Input::open(one.path);
    pictures.add(one.name, one.class_name, read_photo(input), one.path);
  }
  if (pictures.empty()) {
    throw InputError(folder + ": no pictures in it");
  }
  return pictures.take(PhotoSet::Order::Turns, std::move(classes));
}

}  // namespace oa::io
