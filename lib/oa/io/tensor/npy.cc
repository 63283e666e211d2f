#include "oa/io/tensor/npy.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/tensor/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::io {
namespace {

// Format: numpy's documentation, "numpy.lib.format".
constexpr std::string_view kMagic{"\x93NUMPY", 6};

struct Descr {
  std::string_view text;  // the type without its byte order
  Dtype dtype;
  bool complex = false;
};

constexpr std::array kDescrs{Descr{"b1", Dtype::Bool},
                             Descr{"u1", Dtype::U8},
                             Descr{"i1", Dtype::I8},
                             Descr{"u2", Dtype::U16},
                             Descr{"i2", Dtype::I16},
                             Descr{"f2", Dtype::F16},
                             Descr{"u4", Dtype::U32},
                             Descr{"i4", Dtype::I32},
                             Descr{"f4", Dtype::F32},
                             Descr{"u8", Dtype::U64},
                             Descr{"i8", Dtype::I64},
                             Descr{"f8", Dtype::F64},
                             Descr{"c8", Dtype::F32, true},
                             Descr{"c16", Dtype::F64, true}};

constexpr std::array<std::string_view, 3> kKeys{"descr", "fortran_order", "shape"};

struct Layout {
  Dtype dtype = Dtype::F64;
  bool complex = false;
  bool swapped = false;
  bool column_major = false;
  Shape shape;
};

/// Reads the header: a Python dictionary literal with three known keys.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name, bool allow_complex)
      : text_(text),
        name_(name),
        allow_complex_(allow_complex) {}

  Layout read() {
    Layout layout;
    unsigned seen = 0;
    expect('{');
    while (!skip_char('}')) {
      const std::string_view key = quoted();
      const auto* known = std::ranges::find(kKeys, key);
      if (known == kKeys.end()) {
        fail("an unknown key '" + std::string(key.substr(0, 40)) + "'");
      }
      const unsigned bit = 1U << (known - kKeys.begin());
      if ((seen & bit) != 0) {
        fail("the key '" + std::string(key) + "' twice");
      }
      seen |= bit;
      expect(':');
      if (key == "descr") {
        read_descr(layout);
      } else if (key == "fortran_order") {
        layout.column_major = truth();
      } else {
        layout.shape = tuple();
      }
      if (!skip_char(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (seen != 7 || at_ != text_.size()) {
      fail("not exactly descr, fortran_order and shape");
    }
    return layout;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ": the .npy header has " + what);
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
      ++at_;
    }
  }
  bool skip_char(char c) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }
  void expect(char c) {
    if (!skip_char(c)) {
      fail(std::string("no '") + c + "' where one belongs");
    }
  }
  std::string_view quoted() {
    const char quote = skip_char('"') ? '"' : '\'';
    if (quote == '\'') {
      expect('\'');
    }
    const auto end = text_.find(quote, at_);
    if (end == text_.npos) {
      fail("an unfinished string");
    }
    const auto content = text_.substr(at_, end - at_);
    at_ = end + 1;
    return content;
  }
  std::string_view word() {
    skip_space();
    const auto begin = at_;
    while (at_ < text_.size() &&
           std::string_view(",)} ").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  bool truth() {
    const std::string_view value = word();
    if (value != "True" && value != "False") {
      fail("neither True nor False for fortran_order");
    }
    return value == "True";
  }
  void read_descr(Layout& layout) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') {
      fail("a structured type (expected plain numbers)");
    }
    const std::string_view descr = quoted();
    const std::string_view type = descr.substr(std::min<std::size_t>(1, descr.size()));
    const auto* found = std::ranges::find(kDescrs, type, &Descr::text);
    if (found == kDescrs.end() || (found->complex && !allow_complex_) ||
        std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
      fail("the type '" + std::string(descr.substr(0, 20)) +
           "' (expected plain numbers, such as <f4 or <f8)");
    }
    layout.dtype = found->dtype;
    layout.complex = found->complex;
    layout.swapped = descr[0] == '>' && size_of(found->dtype) > 1;
  }
  Shape tuple() {
    Shape shape;
    expect('(');
    while (!skip_char(')')) {
      const auto extent = parse_int(word());
      if (!extent || *extent < 0 || shape.size() == kMaxRank ||
          static_cast<std::uint64_t>(*extent) > kMaxData) {
        fail("an impossible shape");
      }
      shape.push_back(*extent);
      if (!skip_char(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::string_view text_;
  const std::string& name_;
  bool allow_complex_;
  std::size_t at_ = 0;
};

std::uint64_t elements(const Shape& shape, const std::string& name) {
  if (std::ranges::find(shape, 0) != shape.end()) {
    return 0;
  }
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (count > kMaxData / static_cast<std::uint64_t>(extent)) {
      throw InputError(name + ": the impossible shape " + to_string(shape));
    }
    count *= static_cast<std::uint64_t>(extent);
  }
  return count;
}

std::string read_text(Input& input, std::size_t size) {
  Bytes bytes;
  bytes.read(input, size);
  if (bytes.size() < size) {
    throw InputError(input.name() + ": truncated .npy header");
  }
  return std::string(as_text(bytes.span()));
}

void swap_bytes(std::byte* data, std::uint64_t count, std::size_t size) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::reverse(data + i * size, data + (i + 1) * size);
  }
}

/// Converts the elements of an array of `shape` from column-major to row-major order.
Bytes to_row_major(const Bytes& data, const Shape& shape, std::size_t size) {
  Bytes out;
  out.resize(data.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t to = 0; to < data.size(); to += size) {
    std::int64_t from = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from = from * shape[axis] + index[axis];
    }
    std::memcpy(
        out.data() + to, data.data() + static_cast<std::size_t>(from) * size, size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) {
        break;
      }
      index[axis] = 0;
    }
  }
  return out;
}

}  // namespace

bool looks_like_npy(std::span<const std::byte> start) {
  return start.size() >= kMagic.size() &&
         std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

NpyArray read_npy(Input& input, bool allow_complex) {
  const std::string prefix = read_text(input, 8);
  if (!prefix.starts_with(kMagic)) {
    throw InputError(input.name() + ": not an .npy file");
  }
  const int version = static_cast<unsigned char>(prefix[6]);
  if (version < 1 || version > 3) {
    throw InputError(input.name() + ": .npy version " + format(version) +
                     " (expected 1, 2 or 3)");
  }
  std::uint32_t length = 0;
  const std::string length_text = read_text(input, version == 1 ? 2 : 4);
  std::memcpy(&length, length_text.data(), length_text.size());
  const auto known = input.remaining();
  if (length > kMaxHeader || (known && length > *known)) {
    throw InputError(input.name() + ": an .npy header of " + std::to_string(length) +
                     " bytes is longer than the file or the limit");
  }
  const std::string header = read_text(input, length);
  Layout layout = HeaderReader(header, input.name(), allow_complex).read();

  const std::size_t part = size_of(layout.dtype);
  const std::size_t size = layout.complex ? 2 * part : part;
  const std::uint64_t count = elements(layout.shape, input.name());
  NpyArray array{layout.dtype, std::move(layout.shape), {}, layout.complex};
  array.data.read(input, static_cast<std::size_t>(count * size));
  if (array.data.size() < count * size || !input.at_end()) {
    throw InputError(input.name() + ": " + to_string(array.shape) + " " +
                     std::string(name_of(array.dtype)) + " takes " +
                     std::to_string(count * size) + " bytes, but " +
                     (input.at_end() ? std::to_string(array.data.size()) + " are there"
                                     : "more follow"));
  }
  if (layout.swapped) {
    swap_bytes(array.data.data(), count * (size / part), part);
  }
  if (layout.column_major && array.shape.size() > 1) {
    array.data = to_row_major(array.data, array.shape, size);
  }
  return array;
}

void write_npy(Output& output,
               Dtype dtype,
               const Shape& shape,
               std::span<const std::byte> data) {
  const auto* descr = std::ranges::find(kDescrs, dtype, &Descr::dtype);
  if (descr == kDescrs.end()) {
    throw InputError("numpy has no type " + std::string(name_of(dtype)));
  }
  std::string header = std::string("{'descr': '") + (size_of(dtype) > 1 ? '<' : '|') +
                       std::string(descr->text) +
                       "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    header += (i > 0 ? ", " : "") + format(shape[i]);
  }
  header += shape.size() == 1 ? ",), }" : "), }";
  // Magic, version, length and header together fill blocks of 64 bytes.
  const std::size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  output.write(kMagic);
  output.write(std::string_view("\1\0", 2));
  const auto length = static_cast<std::uint16_t>(header.size());
  output.write(std::as_bytes(std::span(&length, 1)));
  output.write(header);
  output.write(data);
}

}  // namespace oa::io
