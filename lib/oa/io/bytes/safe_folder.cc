#include "oa/io/bytes/safe_folder.h"

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"

#include <filesystem>
#include <utility>

namespace oa::io {
namespace {

bool holds(const std::string& path, std::string_view content) {
  // Results are text or PDF, never gzip, so equal content has equal size.
  std::error_code error;
  if (std::filesystem::file_size(path, error) != content.size() || error) {
    return false;
  }
  Input input = Input::open(path);
  Bytes bytes;
  bytes.read(input, content.size() + 1);
  return as_text(bytes.span()) == content;
}

}  // namespace

SafeFolder::SafeFolder(std::string folder, bool dry_run)
    : folder_(std::move(folder)),
      dry_run_(dry_run) {}

SafeFolder::PutResult SafeFolder::put_file(const std::string& name,
                                           std::string_view content) {
  const std::string target = path(name);
  if (std::filesystem::symlink_status(target).type() !=
      std::filesystem::file_type::not_found) {
    return holds(target, content) ? PutResult::There : PutResult::Refused;
  }
  if (!dry_run_) {
    const OutputFolder folder(folder_);
    Output file(target);
    file.write(content);
    file.commit();
  }
  return PutResult::Written;
}

}  // namespace oa::io
