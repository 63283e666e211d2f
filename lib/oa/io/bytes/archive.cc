#include "oa/io/bytes/archive.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/gzip.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <new>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

namespace oa::io {
namespace {

struct CloseWriter {
  void operator()(::archive* a) const { ::archive_write_free(a); }
};
struct CloseReader {
  void operator()(::archive* a) const { ::archive_read_free(a); }
};
struct FreeEntry {
  void operator()(::archive_entry* e) const { ::archive_entry_free(e); }
};

std::string text_of(const char* text) {
  return text == nullptr ? "?" : text;
}

}  // namespace

class ArchiveWriter::State {
 public:
  explicit State(Sink sink)
      // Level 1 takes less than half the time of level 6 on matrices, for 75 % more
      // bytes. libarchive's own gzip crashes when memory runs out.
      : gzip_(std::move(sink), 1),
        archive_(::archive_write_new()),
        entry_(::archive_entry_new()) {
    if (!archive_ || !entry_) {
      throw std::bad_alloc();
    }
    check(::archive_write_set_format_ustar(get()));
    check(::archive_write_set_bytes_per_block(get(), 0));
    check(::archive_write_open(get(), this, nullptr, &State::write, nullptr));
  }

  void add_file(const std::string& path, std::string_view content) {
    ::archive_entry_clear(entry_.get());
    ::archive_entry_set_pathname(entry_.get(), path.c_str());
    ::archive_entry_set_size(entry_.get(), static_cast<la_int64_t>(content.size()));
    ::archive_entry_set_filetype(entry_.get(), AE_IFREG);
    ::archive_entry_set_perm(entry_.get(), 0644);
    ::archive_entry_set_mtime(entry_.get(), 0, 0);
    check(::archive_write_header(get(), entry_.get()));
    const auto n = ::archive_write_data(get(), content.data(), content.size());
    check(n < 0 ? ARCHIVE_FATAL : ARCHIVE_OK);
  }

  void finish() {
    check(::archive_write_close(get()));
    gzip_.finish();
  }

 private:
  [[nodiscard]] ::archive* get() const { return archive_.get(); }

  void check(int status) {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    if (status != ARCHIVE_OK) {
      throw IoError("cannot write the archive: " +
                    text_of(::archive_error_string(get())));
    }
  }

  /// Keeps exceptions away from libarchive, which is C.
  /// Hides failures from libarchive, too, because it leaks memory when a write fails.
  static la_ssize_t write(::archive* /*archive*/,
                          void* self,
                          const void* bytes,
                          std::size_t size) {
    auto& state = *static_cast<State*>(self);
    try {
      if (!state.failure_) {
        state.gzip_.write({static_cast<const std::byte*>(bytes), size});
      }
    } catch (...) {
      state.failure_ = std::current_exception();
    }
    return static_cast<la_ssize_t>(size);
  }

  Gzip gzip_;
  std::exception_ptr failure_;
  std::unique_ptr<::archive, CloseWriter> archive_;
  std::unique_ptr<::archive_entry, FreeEntry> entry_;
};

ArchiveWriter::ArchiveWriter(Sink sink)
    : state_(std::make_unique<State>(std::move(sink))) {}

ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::add_file(const std::string& path, std::string_view content) {
  state_->add_file(path, content);
}

void ArchiveWriter::finish() {
  state_->finish();
}

namespace {

/// Sets a UTF-8 locale for this thread:
/// libarchive converts names to the locale, and the tools' locale "C" has only ASCII.
class Utf8Names {
 public:
  Utf8Names() {
    if (utf8() != locale_t{}) {
      before_ = ::uselocale(utf8());
    }
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;
  ~Utf8Names() {
    if (before_ != locale_t{}) {
      ::uselocale(before_);
    }
  }

 private:
  static locale_t utf8() {
    static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    return locale;
  }

  locale_t before_{};
};

/// Passes bytes of the input to libarchive.
class Feed {
 public:
  Feed(Input input, std::uint64_t limit) : input_(std::move(input)), left_(limit) {}

  static la_ssize_t read(::archive* archive, void* self, const void** bytes) {
    auto& feed = *static_cast<Feed*>(self);
    try {
      const auto n = feed.input_.read(feed.buffer_);
      if (n > feed.left_) {
        ::archive_set_error(archive, EFBIG, "too large");
        feed.too_large = true;
        return -1;
      }
      feed.left_ -= n;
      *bytes = feed.buffer_.data();
      return static_cast<la_ssize_t>(n);
    } catch (...) {
      feed.failure = std::current_exception();
      return -1;
    }
  }

  std::exception_ptr failure;
  bool too_large = false;

 private:
  Input input_;
  std::uint64_t left_;
  std::array<std::byte, 64 * 1024> buffer_{};
};

}  // namespace

class ArchiveReader::State {
 public:
  State(Input input, const ArchiveLimits& limits)
      : name_(input.name()),
        limits_(limits),
        feed_(std::move(input), limits.total_bytes),
        archive_(::archive_read_new()),
        header_(::archive_entry_new()) {
    if (!archive_ || !header_) {
      throw std::bad_alloc();
    }
    check(::archive_read_support_format_tar(get()));
    check(::archive_read_support_format_zip_streamable(get()));
    // archive_read_open() ignores an error of its second call, so both calls are here.
    check(::archive_read_set_read_callback(get(), &Feed::read));
    check(::archive_read_set_callback_data(get(), &feed_));
    check(::archive_read_open1(get()));
    opened_ = true;
  }

  [[nodiscard]] const std::string& name() const { return name_; }

  bool next(ArchiveEntry& entry) {
    const Utf8Names names;
    ::archive_entry* header = header_.get();
    while (true) {
      const int status = ::archive_read_next_header2(get(), header);
      if (status == ARCHIVE_EOF) {
        return false;
      }
      check(status);
      if (++entries_ > limits_.entries) {
        throw InputError(name_ + ": an archive of over " +
                         format_grouped(limits_.entries) + " entries");
      }
      if (::archive_entry_filetype(header) != AE_IFDIR ||
          ::archive_entry_hardlink(header) != nullptr) {
        break;
      }
    }
    // Names that are not UTF-8 stay as they are; printable() shows them to people.
    const char* path = ::archive_entry_pathname(header);
    entry.path = path == nullptr ? "(a name that cannot be read)" : path;
    entry.content.clear();
    entry.problem = problem_of(header);
    if (entry.problem.empty()) {
      read_content(entry);
    }
    return true;
  }

 private:
  [[nodiscard]] ::archive* get() const { return archive_.get(); }

  void check(int status) const {
    if (feed_.failure) {
      std::rethrow_exception(feed_.failure);
    }
    if (feed_.too_large) {
      throw InputError(name_ + ": an archive of over " +
                       format_grouped(static_cast<std::int64_t>(limits_.total_bytes)) +
                       " bytes");
    }
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      const char* why = ::archive_error_string(get());
      // libarchive may report no error when the first allocation fails.
      if (::archive_errno(get()) == ENOMEM || (!opened_ && why == nullptr)) {
        throw std::bad_alloc();
      }
      throw InputError(name_ + ": damaged archive (" + printable(text_of(why)) + ")");
    }
  }

  [[nodiscard]] std::string problem_of(::archive_entry* header) const {
    if (::archive_entry_filetype(header) != AE_IFREG ||
        ::archive_entry_hardlink(header) != nullptr) {
      return "not a regular file";
    }
    if (::archive_entry_is_encrypted(header) != 0) {
      return "encrypted";
    }
    if (::archive_entry_size_is_set(header) != 0 &&
        ::archive_entry_size(header) > static_cast<la_int64_t>(limits_.entry_bytes)) {
      return too_large();
    }
    return {};
  }

  [[nodiscard]] std::string too_large() const {
    return "over " + format_grouped(static_cast<std::int64_t>(limits_.entry_bytes)) +
           " bytes";
  }

  void read_content(ArchiveEntry& entry) {
    std::array<char, 16 * 1024> chunk{};
    while (true) {
      const auto n = ::archive_read_data(get(), chunk.data(), chunk.size());
      if (n == 0) {
        return;
      }
      if (n < 0) {
        check(static_cast<int>(n) == ARCHIVE_WARN ? ARCHIVE_OK : static_cast<int>(n));
        continue;
      }
      total_ += static_cast<std::uint64_t>(n);
      if (entry.content.size() + static_cast<std::size_t>(n) > limits_.entry_bytes) {
        entry.content.clear();
        entry.problem = too_large();
        return;
      }
      if (total_ > limits_.total_bytes) {
        throw InputError(
            name_ + ": an archive of over " +
            format_grouped(static_cast<std::int64_t>(limits_.total_bytes)) + " bytes");
      }
      entry.content.append(chunk.data(), static_cast<std::size_t>(n));
    }
  }

  std::string name_;
  ArchiveLimits limits_;
  Feed feed_;
  std::unique_ptr<::archive, CloseReader> archive_;
  std::unique_ptr<::archive_entry, FreeEntry> header_;
  bool opened_ = false;
  std::int64_t entries_ = 0;
  std::uint64_t total_ = 0;
};

bool looks_like_archive(std::span<const std::byte> start) {
  constexpr std::string_view kZip = "PK\x03\x04";
  constexpr std::string_view kEmptyZip = "PK\x05\x06";
  constexpr std::string_view kTar = "ustar";
  constexpr std::size_t kTarAt = 257;
  const std::string_view text = as_text(start);
  return text.starts_with(kZip) || text.starts_with(kEmptyZip) ||
         (text.size() > kTarAt && text.substr(kTarAt).starts_with(kTar));
}

ArchiveReader::ArchiveReader(Input input, const ArchiveLimits& limits)
    : state_(std::make_unique<State>(std::move(input), limits)) {}

ArchiveReader::~ArchiveReader() = default;

bool ArchiveReader::next(ArchiveEntry& entry) {
  return state_->next(entry);
}

const std::string& ArchiveReader::name() const {
  return state_->name();
}

}  // namespace oa::io
