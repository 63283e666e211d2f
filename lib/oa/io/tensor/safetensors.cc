#include "oa/io/tensor/safetensors.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/tensor/safetensors_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

namespace oa::io {

static_assert(std::endian::native == std::endian::little, "tensors are used unchanged");

namespace {

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};

constexpr std::array kDtypes{DtypeRow{Dtype::Bool, "BOOL", 1},
                             DtypeRow{Dtype::U8, "U8", 1},
                             DtypeRow{Dtype::I8, "I8", 1},
                             DtypeRow{Dtype::U16, "U16", 2},
                             DtypeRow{Dtype::I16, "I16", 2},
                             DtypeRow{Dtype::F16, "F16", 2},
                             DtypeRow{Dtype::Bf16, "BF16", 2},
                             DtypeRow{Dtype::U32, "U32", 4},
                             DtypeRow{Dtype::I32, "I32", 4},
                             DtypeRow{Dtype::F32, "F32", 4},
                             DtypeRow{Dtype::U64, "U64", 8},
                             DtypeRow{Dtype::I64, "I64", 8},
                             DtypeRow{Dtype::F64, "F64", 8}};

const DtypeRow& row_of(Dtype dtype) {
  return *std::ranges::find(kDtypes, dtype, &DtypeRow::dtype);
}

bool shape_fits(const Shape& shape, const Shape& wanted) {
  return std::ranges::equal(shape, wanted, [](std::int64_t have, std::int64_t want) {
    return want < 0 || have == want;
  });
}

}  // namespace

std::size_t size_of(Dtype dtype) {
  return row_of(dtype).size;
}

std::string_view name_of(Dtype dtype) {
  return row_of(dtype).name;
}

std::optional<Dtype> dtype_named(std::string_view name) {
  const auto* row = std::ranges::find(kDtypes, name, &DtypeRow::name);
  return row == kDtypes.end() ? std::nullopt : std::optional(row->dtype);
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i > 0 ? "," : "") + (shape[i] < 0 ? "any" : format(shape[i]));
  }
  return text + ")";
}

const TensorView* Safetensors::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors_, name, &TensorView::name);
  return found == tensors_.end() ? nullptr : &*found;
}

const TensorView& Safetensors::require(std::string_view name,
                                       Dtype dtype,
                                       const Shape& shape,
                                       std::string_view where) const {
  const auto what = [&] {
    return std::string(where) + ": tensor '" + std::string(name) + "'";
  };
  const TensorView* found = find(name);
  if (found == nullptr) {
    throw InputError(what() + " is missing");
  }
  if (found->dtype != dtype) {
    throw InputError(what() + " is " + std::string(name_of(found->dtype)) +
                     " (expected " + std::string(name_of(dtype)) + ")");
  }
  if (!shape_fits(found->shape, shape)) {
    throw InputError(what() + " has shape " + to_string(found->shape) + " (expected " +
                     to_string(shape) + ")");
  }
  return *found;
}

namespace {

/// Throws InputError if the input is not safetensors, and names its format.
void refuse_others(Input& input,
                   const std::string& where,
                   std::span<const std::byte> prefix) {
  if (input.position() != prefix.size()) {
    return;  // later in a stream, the file is rather damaged
  }
  const auto next = input.peek(1024);
  std::vector<std::byte> start(prefix.begin(), prefix.end());
  start.insert(start.end(), next.begin(), next.end());
  if (const std::string what = recognised(start); !what.empty()) {
    throw InputError(where + ": " + what + " (expected a stream or a model)");
  }
}

}  // namespace

LastHeader::LastHeader() = default;
LastHeader::LastHeader(LastHeader&& other) noexcept = default;
LastHeader& LastHeader::operator=(LastHeader&& other) noexcept = default;
LastHeader::~LastHeader() = default;

const Header& LastHeader::read(std::span<const std::byte> json,
                               const std::string& where) {
  if (!header_ || !std::ranges::equal(json, json_)) {
    header_.reset();
    header_ = std::make_unique<Header>(parse_header(json, where));
    json_.assign(json.begin(), json.end());
  }
  return *header_;
}

bool read_safetensors(Input& input, LastHeader& last, Safetensors& to) {
  const std::string where =
      input.name() + ":byte " + format(static_cast<std::int64_t>(input.position()));
  std::array<std::byte, 8> prefix{};
  const auto got = input.read(prefix);
  if (got < prefix.size()) {
    if (got == 0 || input.stopped()) {
      return false;
    }
    throw InputError(where + ": truncated (the header's length takes 8 bytes)");
  }
  const auto length = std::bit_cast<std::uint64_t>(prefix);
  const auto known = input.remaining();
  if (length > kMaxHeader || (known && length > *known)) {
    refuse_others(input, where, prefix);
    // A length beyond the limit means another format, so do not print it.
    throw InputError(where +
                     (length > kMaxHeader
                          ? ": not in a known format, or damaged"
                          : ": not safetensors, or damaged: a header of " +
                                std::to_string(length) + " bytes (" +
                                std::to_string(*known) + " are left)") +
                     (length > kMaxHeader ? " (expected a stream or a model)" : ""));
  }
  to.header_.read(input, static_cast<std::size_t>(length), prefix);
  if (to.header_.size() < prefix.size() + length) {
    if (input.stopped()) {
      return false;
    }
    throw InputError(where + ": truncated in the header");
  }

  const Header& header = last.read(to.header_.span().subspan(prefix.size()), where);
  if (known && header.data_size > *known - length) {
    throw InputError(where + ": tensors take " + std::to_string(header.data_size) +
                     " bytes but " + std::to_string(*known - length) + " are left");
  }
  to.data_.read(input, static_cast<std::size_t>(header.data_size));
  if (to.data_.size() < header.data_size) {
    if (input.stopped()) {
      return false;
    }
    throw InputError(where + ": truncated: tensors take " +
                     std::to_string(header.data_size) + " bytes, " +
                     std::to_string(to.data_.size()) + " are there");
  }

  to.metadata = header.metadata;
  to.tensors_.resize(header.tensors.size());
  to.begins_.clear();
  for (std::size_t i = 0; i < header.tensors.size(); ++i) {
    const HeaderTensor& from = header.tensors[i];
    TensorView& tensor = to.tensors_[i];
    tensor.name = from.name;
    tensor.dtype = from.dtype;
    tensor.shape = from.shape;
    tensor.bytes = to.data_.span().subspan(from.begin, from.size);
    to.begins_.push_back(from.begin);
  }
  to.align();
  return true;
}

void Safetensors::align() {
  const auto is_aligned = [](const TensorView& t) {
    return t.bytes.empty() ||
           reinterpret_cast<std::uintptr_t>(t.bytes.data()) % size_of(t.dtype) == 0;
  };
  if (std::ranges::all_of(tensors_, is_aligned)) {
    return;
  }
  std::size_t size = 0;
  for (const TensorView& t : tensors_) {
    size += (t.bytes.size() + 7) / 8 * 8;
  }
  aligned_.resize(size);
  std::size_t at = 0;
  for (TensorView& t : tensors_) {
    std::ranges::copy(t.bytes, aligned_.data() + at);
    t.bytes = aligned_.span().subspan(at, t.bytes.size());
    at += (t.bytes.size() + 7) / 8 * 8;
  }
}

Safetensors read_safetensors_file(Input& input) {
  Safetensors result;
  LastHeader last;
  if (!read_safetensors(input, last, result)) {
    throw InputError(input.name() + ": empty (expected safetensors)");
  }
  if (!input.at_end() && result.metadata.contains("oa.kind")) {
    throw InputError(input.name() +
                     ": a stream of problems or solutions (expected a model or other "
                     "tensors)");
  }
  if (!input.at_end()) {
    throw InputError(input.name() + ":byte " + std::to_string(input.position()) +
                     ": trailing garbage after the last tensor");
  }
  return result;
}

std::string safetensors_header(const Metadata& metadata,
                               std::vector<TensorView>& tensors) {
  std::ranges::sort(tensors, [](const TensorView& a, const TensorView& b) {
    const auto sa = size_of(a.dtype);
    const auto sb = size_of(b.dtype);
    return sa != sb ? sa > sb : a.name < b.name;
  });
  // Built in one string, because every frame of a stream has a header.
  std::string text(8, '\0');
  const auto number = [&](std::uint64_t value) {
    std::array<char, 20> digits;
    text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
  };
  text += '{';
  if (!metadata.empty()) {
    text += R"("__metadata__":)";
    char before = '{';
    for (const auto& [key, value] : metadata) {
      text += before;
      append_quoted(text, key);
      text += ':';
      append_quoted(text, value);
      before = ',';
    }
    text += '}';
  }
  std::uint64_t begin = 0;
  for (const TensorView& t : tensors) {
    text += text.ends_with('{') ? "" : ",";
    append_quoted(text, t.name);
    text += R"(:{"dtype":")";
    text += name_of(t.dtype);
    text += R"(","shape":[)";
    for (std::size_t i = 0; i < t.shape.size(); ++i) {
      text += i > 0 ? "," : "";
      number(static_cast<std::uint64_t>(t.shape[i]));
    }
    text += R"(],"data_offsets":[)";
    number(begin);
    text += ',';
    begin += t.bytes.size();
    number(begin);
    text += "]}";
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');  // aligns the data
  const auto length = static_cast<std::uint64_t>(text.size() - 8);
  std::memcpy(text.data(), &length, sizeof length);
  return text;
}

const std::string& LastWritten::header(const Metadata& metadata,
                                       std::vector<TensorView>& tensors) {
  const auto same_form = [](const TensorView& a, const TensorView& b) {
    return a.name == b.name && a.dtype == b.dtype && a.shape == b.shape;
  };
  if (text_.empty() || metadata != metadata_ ||
      !std::ranges::equal(tensors, tensors_, same_form)) {
    metadata_ = metadata;
    tensors_ = tensors;
    text_ = safetensors_header(metadata, tensors);
    order_.clear();
    for (const TensorView& t : tensors) {
      order_.push_back(static_cast<std::size_t>(
          std::ranges::find(tensors_, t.name, &TensorView::name) - tensors_.begin()));
    }
    for (TensorView& t : tensors_) {
      t.bytes = {};
    }
    return text_;
  }
  std::vector<TensorView> ordered;
  ordered.reserve(tensors.size());
  for (const std::size_t i : order_) {
    ordered.push_back(std::move(tensors[i]));
  }
  tensors = std::move(ordered);
  return text_;
}

void write_safetensors(Output& output,
                       const Metadata& metadata,
                       std::vector<TensorView> tensors) {
  output.write(safetensors_header(metadata, tensors));
  for (const TensorView& t : tensors) {
    output.write(t.bytes);
  }
}

}  // namespace oa::io
