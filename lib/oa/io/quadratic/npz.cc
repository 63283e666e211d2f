#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/tensor/npy.h"
#include "oa/io/tensor/tensor_stats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

// Reads archives of numpy arrays:
// a sparse matrix of scipy.sparse.save_npz(), or the only array of numpy.savez().

namespace oa::io {
namespace {

constexpr std::size_t kMaxMember = std::size_t{4} << 30;

class Archive {
 public:
  explicit Archive(Input& input) : name_(input.name()) {
    ArchiveLimits limits;
    limits.entries = 64;
    limits.entry_bytes = kMaxMember;
    Bytes bytes;
    bytes.read(
        input,
        std::min<std::uint64_t>(kMaxMember, input.remaining().value_or(kMaxMember)));
    if (!input.at_end()) {
      throw InputError(name_ + ": over 4 GiB of arrays");
    }
    ArchiveReader reader(Input::memory(bytes.span(), name_), limits);
    for (ArchiveEntry entry; reader.next(entry);) {
      if (!entry.problem.empty()) {
        throw InputError(name_ + ":" + entry.path + ": " + entry.problem);
      }
      members_[entry.path] = std::move(entry.content);
    }
  }

  [[nodiscard]] bool has(const std::string& member) const {
    return members_.contains(member);
  }
  [[nodiscard]] const std::map<std::string, std::string>& members() const {
    return members_;
  }
  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] Input open(const std::string& member) const {
    const auto found = members_.find(member);
    if (found == members_.end()) {
      throw InputError(name_ + ": no member '" + member +
                       "' (expected what scipy.sparse.save_npz() writes)");
    }
    return Input::memory(std::as_bytes(std::span(found->second)), name_ + ":" + member);
  }

 private:
  std::string name_;
  std::map<std::string, std::string> members_;
};

/// A vector of numbers.
class Vector {
 public:
  Vector(const Archive& archive, const std::string& member) {
    Input input = archive.open(member);
    where_ = input.name();
    array_ = read_npy(input);
    if (array_.shape.size() != 1) {
      throw InputError(where_ + ": an array of shape " + to_string(array_.shape) +
                       " (expected a vector)");
    }
  }

  [[nodiscard]] std::int64_t size() const { return array_.shape[0]; }
  [[nodiscard]] const std::string& where() const { return where_; }

  [[nodiscard]] double number(std::int64_t k) const {
    const double value =
        element(array_.dtype, array_.data.span(), static_cast<std::size_t>(k));
    constexpr double kMax = 9007199254740992.0;  // 2^53
    const bool whole = array_.dtype == Dtype::I64 || array_.dtype == Dtype::U64;
    if (!std::isfinite(value) || (whole && std::abs(value) > kMax)) {
      throw InputError(where_ + ": element " + format(k) +
                       " is not finite, or above 2^53");
    }
    return value;
  }

  /// Returns element k as a whole number from 0 to `most`.
  [[nodiscard]] std::int64_t index(std::int64_t k, std::int64_t most) const {
    const double value = number(k);
    if (!(value >= 0.0) || value > static_cast<double>(most) ||
        value != std::floor(value)) {
      throw InputError(where_ + ": element " + format(k) + " is " + format(value) +
                       " (expected a whole number from 0 to " + format(most) + ")");
    }
    return static_cast<std::int64_t>(value);
  }

 private:
  std::string where_;
  NpyArray array_;
};

/// Reads the ASCII word in an array of bytes or wide characters, such as "csr"; the
/// array's header ends with a line end.
std::string word_of(const Archive& archive) {
  const std::string& bytes = archive.members().at("format.npy");
  std::string word;
  for (const char c : bytes.substr(std::min(bytes.size(), bytes.find('\n') + 1))) {
    if (c != '\0') {
      word += c;
    }
  }
  return word;
}

void expect_size(const Vector& vector, std::int64_t size) {
  if (vector.size() != size) {
    throw InputError(vector.where() + ": " + format(vector.size()) +
                     " elements (expected " + format(size) + ")");
  }
}

void put(qubo::Terms& terms, std::int64_t i, std::int64_t k, double weight) {
  if (weight != 0.0) {
    terms.push_back(
        {static_cast<std::int32_t>(i), static_cast<std::int32_t>(k), weight});
  }
}

/// Reads entries of compressed rows or columns: transposing Q does not change x'Qx.
qubo::Terms compressed_terms(const Archive& archive, std::int64_t n) {
  const Vector data(archive, "data.npy");
  const Vector indices(archive, "indices.npy");
  const Vector begins(archive, "indptr.npy");
  expect_size(indices, data.size());
  expect_size(begins, n + 1);
  qubo::Terms terms;
  std::int64_t at = begins.index(0, 0);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t end = begins.index(i + 1, data.size());
    for (; at < end; ++at) {
      put(terms, i, indices.index(at, n - 1), data.number(at));
    }
    if (end < at) {
      throw InputError(begins.where() + ": element " + format(i + 1) +
                       " is less than the element before it");
    }
  }
  return terms;
}

qubo::Terms coordinate_terms(const Archive& archive, std::int64_t n) {
  const Vector data(archive, "data.npy");
  const Vector rows(archive, "row.npy");
  const Vector columns(archive, "col.npy");
  expect_size(rows, data.size());
  expect_size(columns, data.size());
  qubo::Terms terms;
  for (std::int64_t k = 0; k < data.size(); ++k) {
    put(terms, rows.index(k, n - 1), columns.index(k, n - 1), data.number(k));
  }
  return terms;
}

}  // namespace

qubo::Quadratic read_npz(Input& input, qubo::Vartype vartype) {
  const Archive archive(input);
  if (!archive.has("format.npy")) {
    if (archive.members().size() != 1) {
      throw InputError(archive.name() + ": " + format(std::ssize(archive.members())) +
                       " members and no sparse matrix (expected one array, or what "
                       "scipy.sparse.save_npz() writes)");
    }
    Input member = archive.open(archive.members().begin()->first);
    return read_npy_matrix(member, vartype);
  }
  const Vector shape(archive, "shape.npy");
  expect_size(shape, 2);
  const std::int64_t n = shape.index(0, kMaxSparseVariables);
  const std::int64_t columns = shape.index(1, kMaxSparseVariables);
  if (n != columns || n < 1) {
    throw InputError(shape.where() + ": " + format(n) + " x " + format(columns) +
                     " (expected a square matrix)");
  }
  const std::string kind = word_of(archive);
  if (kind != "csr" && kind != "csc" && kind != "coo") {
    throw InputError(archive.name() + ": the sparse format " +
                     unexpected(kind, "csr, csc or coo, as tocsr() makes it"));
  }
  qubo::Quadratic f(static_cast<int>(n));
  f.vartype = vartype;
  assemble(f,
           kind == "coo" ? coordinate_terms(archive, n) : compressed_terms(archive, n),
           archive.name());
  return f;
}

}  // namespace oa::io
