#include "oa/io/table/event_file.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/crc32.h"
#include "oa/io/bytes/output.h"

#include <bit>
#include <cerrno>
#include <cmath>

#include <unistd.h>

namespace oa::io {
namespace {

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k) {
    text += static_cast<char>(value >> (8 * k));
  }
  return text;
}

/// The masked CRC-32C of TensorBoard's records: rotated, plus a constant.
std::string checksum(std::string_view bytes) {
  const std::uint32_t sum = crc32c(bytes);
  return little_endian(((sum >> 15) | (sum << 17)) + 0xa282ead8U, 4);
}

std::uint64_t little_endian_number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[k]);
  }
  return value;
}

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kSumBytes = 4;
constexpr std::uint64_t kMaxEventBytes = std::uint64_t{16} << 20;

/// Reads a message of protocol buffers field by field.
class MessageReader {
 public:
  explicit MessageReader(std::string_view left) : left_(left) {}

  /// Moves to the next field.  False at the end and in a malformed message; see ok().
  bool next() {
    if (left_.empty() || !ok_) {
      return false;
    }
    const std::uint64_t tag = varint();
    key_ = static_cast<char>(tag);
    switch (tag & 7U) {
      case 0: number_ = varint(); break;
      case 1: bytes_ = take(8); break;
      case 2: bytes_ = take(varint()); break;
      case 5: bytes_ = take(4); break;
      default: ok_ = false;
    }
    return ok_;
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] char key() const { return key_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::string_view one = take(1);
      if (one.empty()) {
        return 0;
      }
      const auto byte = static_cast<unsigned char>(one[0]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) {
        return value;
      }
    }
    ok_ = false;
    return 0;
  }

  std::string_view left_;
  char key_ = 0;
  std::uint64_t number_ = 0;
  std::string_view bytes_;
  bool ok_ = true;
};

/// Reads `size` bytes, or fewer at the end of the input.
std::string read_bytes(Input& input, std::size_t size) {
  std::string text(size, '\0');
  text.resize(input.read(std::as_writable_bytes(std::span(text))));
  return text;
}

// Keys of fields: field number and type in one byte.
constexpr char kWallTime = 0x09;     // Event 1, a double
constexpr char kStep = 0x10;         // Event 2, an integer
constexpr char kFileVersion = 0x1a;  // Event 3, text
constexpr char kSummary = 0x2a;      // Event 5, a message
constexpr char kValue = 0x0a;        // Summary 1, a message
constexpr char kTag = 0x0a;          // Value 1, text
constexpr char kSimpleValue = 0x15;  // Value 2, a float

/// Encodes a number: seven bits per byte, lowest first.
std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) {
    text += static_cast<char>(value | 0x80);
  }
  return text + static_cast<char>(value);
}

std::string sized(char field, std::string_view bytes) {
  return field + varint(bytes.size()) + std::string(bytes);
}

std::string wall_time(double seconds) {
  return kWallTime + little_endian(std::bit_cast<std::uint64_t>(seconds), 8);
}

/// Adds the scalar of a message; false if the message is malformed.
bool add_scalar(std::string_view message, TableSummary& columns) {
  MessageReader value(message);
  std::string_view tag;
  std::optional<float> number;
  while (value.next()) {
    if (value.key() == kTag) {
      tag = value.bytes();
    } else if (value.key() == kSimpleValue) {
      number = std::bit_cast<float>(
          static_cast<std::uint32_t>(little_endian_number(value.bytes())));
    }
  }
  if (value.ok() && number) {
    columns.column(tag).add(static_cast<double>(*number));
  }
  return value.ok();
}

bool add_event(std::string_view message, TableSummary& columns) {
  MessageReader event(message);
  while (event.next()) {
    if (event.key() == kStep) {
      columns.column("step").add(static_cast<double>(event.number()));
    } else if (event.key() == kSummary) {
      MessageReader summary(event.bytes());
      while (summary.next()) {
        if (summary.key() == kValue && !add_scalar(summary.bytes(), columns)) {
          return false;
        }
      }
      if (!summary.ok()) {
        return false;
      }
    }
  }
  return event.ok();
}

std::string path_of(const std::string& folder, int number) {
  return folder + "/events.out.tfevents." + format(number) + ".oa-train";
}

}  // namespace

EventFiles::EventFiles(const std::string& folder, bool append) {
  OutputFolder made(folder);
  int number = 1;
  for (; ::access(path_of(folder, number).c_str(), F_OK) == 0; ++number) {
    if (!append && ::unlink(path_of(folder, number).c_str()) != 0) {
      throw IoError(path_of(folder, number), errno);
    }
  }
  file_.emplace(path_of(folder, append ? number : 1), false);
  made.commit();
  record(wall_time(0.0) + sized(kFileVersion, "brain.Event:2"));
}

void EventFiles::write(std::int64_t step,
                       double seconds,
                       std::span<const Scalar> scalars) {
  std::string summary;
  for (const Scalar& scalar : scalars) {
    if (std::isfinite(scalar.value)) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(scalar.value));
      summary += sized(kValue,
                       sized(kTag, scalar.tag) + kSimpleValue + little_endian(bits, 4));
    }
  }
  if (!summary.empty()) {
    record(wall_time(seconds) + kStep + varint(static_cast<std::uint64_t>(step)) +
           sized(kSummary, summary));
  }
}

bool looks_like_events(std::span<const std::byte> start) {
  const std::string_view text = as_text(start);
  return text.size() >= kLengthBytes + kSumBytes &&
         text.substr(kLengthBytes, kSumBytes) == checksum(text.substr(0, kLengthBytes));
}

TableSummary read_event_columns(Input& input) {
  TableSummary columns;
  while (!input.at_end()) {
    const auto fail = [&](const std::string& what) {
      throw InputError(input.name() + ": event " + format(columns.rows + 1) + ": " +
                       what);
    };
    const std::string length = read_bytes(input, kLengthBytes);
    if (read_bytes(input, kSumBytes) != checksum(length)) {
      fail("the checksum of its length is wrong");
    }
    const std::uint64_t size = little_endian_number(length);
    if (size > kMaxEventBytes) {
      fail("over 16 MiB");
    }
    const std::string event = read_bytes(input, size);
    if (event.size() < size || read_bytes(input, kSumBytes) != checksum(event)) {
      fail("cut, or its checksum is wrong");
    }
    if (!add_event(event, columns)) {
      fail("not a message of protocol buffers");
    }
    ++columns.rows;
  }
  return columns;
}

void EventFiles::record(std::string_view event) {
  const std::string length = little_endian(event.size(), 8);
  file_->put(length + checksum(length) + std::string(event) + checksum(event));
}

}  // namespace oa::io
