#include "oa/io/photo/photo_archive.h"

#include "oa/base/error.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/unpack.h"
#include "oa/io/photo/photo_set.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace oa::io {
namespace {

std::string archive_path(const std::string& folder, Split split) {
  return plain_or_packed(folder + (split == Split::Train ? "/train.tar" : "/test.tar"));
}

/// The name of the last folder in `path`.
std::string_view folder_of(std::string_view path) {
  const std::string_view above = path.substr(0, std::min(path.rfind('/'), path.size()));
  const auto before = above.rfind('/');
  return above.size() == path.size() ? std::string_view()
         : before == above.npos      ? above
                                     : above.substr(before + 1);
}

}  // namespace

bool has_photo_archives(const std::string& folder) {
  return std::ranges::all_of(std::array{Split::Train, Split::Test}, [&](Split split) {
    return !archive_path(folder, split).empty();
  });
}

Dataset read_photo_archive(const std::string& folder,
                           Split split,
                           const PictureForm& form) {
  const std::string path = archive_path(folder, split);
  ArchiveReader archive(Input::open(path));
  PhotoSet all(path, form);
  ArchiveEntry file;
  while (archive.next(file)) {
    const std::string where = path + ":" + file.path;
    if (!file.problem.empty()) {
      throw InputError(where + ": " + file.problem);
    }
    if (!is_photo_name(file.path)) {
      continue;
    }
    const std::string class_name(folder_of(file.path));
    if (class_name.empty() || class_name == ".") {
      throw InputError(where +
                       ": is not in a folder (expected a folder named by its class)");
    }
    all.add(file.path.substr(file.path.rfind('/') + 1),
            class_name,
            decode_photo(file.content, where),
            where);
  }
  if (all.empty()) {
    throw InputError(path + ": no pictures in it");
  }
  return all.take(PhotoSet::Order::Names);
}

}  // namespace oa::io
