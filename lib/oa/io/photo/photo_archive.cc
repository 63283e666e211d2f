#include "oa/io/photo/photo_archive.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/photo/jpeg.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace oa::io {
namespace {

constexpr std::size_t kMostClasses = 256;  // a label is a byte

std::string archive_path(const std::string& folder, Split split) {
  return folder + (split == Split::Train ? "/train.tar.gz" : "/test.tar.gz");
}

struct PhotoEntry {
  std::string name;
  std::string class_name;
  Photo photo;
};

/// What lies before the last slash of `path`, behind the slash before it; the rest of
/// `path` is cut off it.
PhotoEntry entry_at(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == path.npos) {
    return {std::string(path), {}, {}};
  }
  const std::string_view above = path.substr(0, slash);
  const auto before = above.rfind('/');
  return {std::string(path.substr(slash + 1)),
          std::string(before == above.npos ? above : above.substr(before + 1)),
          {}};
}

bool is_photo(std::string_view path) {
  return path.ends_with(".jpg") || path.ends_with(".jpeg");
}

void check_same_size(const Photo& photo, const Photo& first, const std::string& where) {
  if (photo.rows != first.rows || photo.cols != first.cols ||
      photo.channels != first.channels) {
    const auto size = [](const Photo& p) {
      return format(p.channels) + "x" + format(p.rows) + "x" + format(p.cols);
    };
    throw InputError(where + ": is " + size(photo) + " (expected " + size(first) +
                     ", as the first picture)");
  }
}

std::vector<PhotoEntry> read_entries(const std::string& path) {
  ArchiveReader archive(Input::open(path));
  std::vector<PhotoEntry> all;
  ArchiveEntry file;
  while (archive.next(file)) {
    const std::string where = path + ":" + file.path;
    if (!file.problem.empty()) {
      throw InputError(where + ": " + file.problem);
    }
    if (!is_photo(file.path)) {
      continue;
    }
    PhotoEntry entry = entry_at(file.path);
    if (entry.class_name.empty() || entry.class_name == ".") {
      throw InputError(where + ": is in no folder (expected one named by its class)");
    }
    entry.photo = decode_jpeg(file.content, where);
    if (!all.empty()) {
      check_same_size(entry.photo, all.front().photo, where);
    }
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace

bool has_photo_archives(const std::string& folder) {
  return std::ranges::all_of(std::array{Split::Train, Split::Test}, [&](Split split) {
    return ::access(archive_path(folder, split).c_str(), F_OK) == 0;
  });
}

Dataset read_photo_archive(const std::string& folder, Split split) {
  const std::string path = archive_path(folder, split);
  std::vector<PhotoEntry> all = read_entries(path);
  if (all.empty()) {
    throw InputError(path + ": no JPEG pictures in it");
  }
  std::ranges::sort(all, [](const PhotoEntry& a, const PhotoEntry& b) {
    return std::pair(a.name, a.class_name) < std::pair(b.name, b.class_name);
  });
  std::set<std::string> classes;
  for (const PhotoEntry& entry : all) {
    classes.insert(entry.class_name);
  }
  if (classes.size() > kMostClasses) {
    throw InputError(path + ": pictures in " + std::to_string(classes.size()) +
                     " folders (expected at most 256 classes)");
  }
  const Photo& first = all.front().photo;
  Dataset set;
  set.images = {
      static_cast<int>(std::ssize(all)), first.rows, first.cols, first.channels, {}};
  set.images.pixels.reserve(all.size() * set.images.image_size());
  for (const PhotoEntry& entry : all) {
    const auto number = std::distance(classes.begin(), classes.find(entry.class_name));
    set.labels.push_back(static_cast<std::uint8_t>(number));
    set.images.pixels.insert(
        set.images.pixels.end(), entry.photo.pixels.begin(), entry.photo.pixels.end());
  }
  return set;
}

}  // namespace oa::io
