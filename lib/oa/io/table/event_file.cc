#include "oa/io/table/event_file.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/crc32c.h"
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

/// The checksum of a record: a sum of sums would be a weak one, hence the turn.
std::string checksum(std::string_view bytes) {
  const std::uint32_t sum = crc32c(bytes);
  return little_endian(((sum >> 15) | (sum << 17)) + 0xa282ead8U, 4);
}

// Fields of messages: number and type in one byte, then the value.
constexpr char kWallTime = 0x09;     // Event 1, a double
constexpr char kStep = 0x10;         // Event 2, an integer
constexpr char kFileVersion = 0x1a;  // Event 3, text
constexpr char kSummary = 0x2a;      // Event 5, a message
constexpr char kValue = 0x0a;        // Summary 1, a message
constexpr char kTag = 0x0a;          // Value 1, text
constexpr char kSimpleValue = 0x15;  // Value 2, a float

/// Seven bits a byte, the lowest first.
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

void EventFiles::record(std::string_view event) {
  const std::string length = little_endian(event.size(), 8);
  file_->put(length + checksum(length) + std::string(event) + checksum(event));
}

}  // namespace oa::io
