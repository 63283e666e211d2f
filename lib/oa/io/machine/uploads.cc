#include "oa/io/machine/uploads.h"

#include "oa/base/number.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace oa::io {
namespace {

/// True if `path` is a folder for several archives:
/// it is a folder, or its suffix is not an archive's.
bool is_folder(const std::string& path) {
  std::error_code error;  // set if `path` is no folder
  return !path.ends_with(".tar.gz") || std::filesystem::is_directory(path, error);
}

}  // namespace

Uploads::Uploads(UploadSettings settings) : settings_(std::move(settings)) {
  if (settings_.folder) {
    folder_.emplace(settings_.output);
  } else if (settings_.tasks > 0 && is_folder(settings_.output)) {
    folder_.emplace(settings_.output);  // makes it if missing
  } else if (settings_.tasks == 0) {
    output_.emplace(settings_.output);
    archive_ = std::make_unique<ArchiveWriter>(
        [this](std::span<const std::byte> bytes) { output_->write(bytes); });
  }
}

Uploads::~Uploads() = default;

void Uploads::add_task(std::int64_t task, std::string_view csv) {
  if (settings_.only && !settings_.only->contains(task)) {
    return;
  }
  const std::string name = format(task) + ".csv";
  ++written_;
  if (settings_.folder) {
    Output file(*folder_ / name);
    file.write(csv);
    file.commit();
    return;
  }
  if (settings_.tasks > 0) {
    // Uploads begin at multiples of their size, so packing again gives equal names.
    if (archive_ && task / settings_.tasks != first_ / settings_.tasks) {
      end_upload();
    }
    if (!archive_) {
      first_ = task;
      archive_ = std::make_unique<ArchiveWriter>([this](auto bytes) {
        upload_.insert(upload_.end(), bytes.begin(), bytes.end());
      });
    }
    last_ = task;
  }
  archive_->add_file("mat/" + name, csv);
}

void Uploads::end_upload() {
  archive_->finish();
  archive_.reset();
  const std::string name =
      settings_.name + format(first_) + "-" + format(last_) + ".tar.gz";
  const std::string& path = settings_.output;
  Output file(folder_ ? *folder_ / name : path.substr(0, path.rfind('/') + 1) + name);
  file.write(upload_);
  file.commit();
  upload_.clear();
}

void Uploads::finish() {
  if (output_) {
    archive_->finish();
    output_->commit();
  } else if (archive_) {
    end_upload();
  }
  if (folder_) {
    folder_->commit();
  }
}

}  // namespace oa::io
