#pragma once

#include "oa/io/bytes/lines.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/tensor/npy.h"

#include <algorithm>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// Readers for read_problems(), one for each format.

namespace oa::io {

// Readers of formats whose files may leave facts open, such as the vartype.
void read_qbsolv(Input& input, std::optional<qubo::Vartype> vartype, ProblemFile& file);
void read_orlib(Input& input, std::optional<qubo::Vartype> vartype, ProblemFile& file);
void read_coo(Input& input, std::optional<qubo::Vartype> vartype, ProblemFile& file);
void read_bqm(Input& input, std::optional<qubo::Vartype> vartype, ProblemFile& file);

[[nodiscard]] qubo::Quadratic read_gset(Input& input);
[[nodiscard]] qubo::Quadratic read_biqmac(Input& input);
[[nodiscard]] qubo::Quadratic read_bonn(Input& input);
[[nodiscard]] qubo::Quadratic read_qs(Input& input);
/// True if a comment is "# ObjectiveOffset c", which only the format qs has.
[[nodiscard]] bool names_offset(std::string_view comment);
[[nodiscard]] qubo::Quadratic read_csv_matrix(Input& input, qubo::Vartype vartype);
[[nodiscard]] qubo::Quadratic read_text_matrix(Input& input, qubo::Vartype vartype);
[[nodiscard]] qubo::Quadratic read_npz(Input& input, qubo::Vartype vartype);
[[nodiscard]] qubo::Quadratic read_npy_matrix(Input& input, qubo::Vartype vartype);
/// Returns the problem x'Qx of a square matrix Q, which messages call `where`.
[[nodiscard]] qubo::Quadratic problem_of_matrix(NpyArray array,
                                                qubo::Vartype vartype,
                                                const std::string& where);
/// Returns the problem x'Qx of numbers whose shape is that of a square matrix Q.
[[nodiscard]] qubo::Quadratic problem_of_numbers(const Shape& shape,
                                                 qubo::Numbers matrix,
                                                 qubo::Vartype vartype,
                                                 const std::string& where);
[[nodiscard]] qubo::Quadratic read_mtx(Input& input, qubo::Vartype vartype);
[[nodiscard]] qubo::Quadratic read_bqm_file(Input& input);
[[nodiscard]] bool looks_like_bqm_file(std::string_view start);
[[nodiscard]] qubo::Quadratic read_kaiwu(Input& input);
/// Writes f, of spins, without its constant: an array if the name ends in .npy.
void write_kaiwu(Output& output, const qubo::Quadratic& f);
/// Throws InputError if the text begins with a result of oa-anneal.
void refuse_result(std::string_view text, const std::string& name);
/// Reads any JSON of the format bqm.  `text` is the whole input.
[[nodiscard]] qubo::Quadratic read_json_problem(std::string_view text,
                                                const Input& input,
                                                std::optional<qubo::Vartype> vartype,
                                                bool& open);
/// Reads dictionaries and nested lists.
[[nodiscard]] qubo::Quadratic read_dict(std::string_view text,
                                        const Input& input,
                                        std::optional<qubo::Vartype> vartype,
                                        bool& open);

/// Throws "name: the file says SPIN, --vartype says binary".
[[noreturn]] void refuse_vartype(const std::string& name, qubo::Vartype stated);

/// Makes a model of a polynomial; numbers of its constraints become whole.
/// Throws InputError for numbers that are too large.
[[nodiscard]] qubo::Model checked_model(qubo::Polynomial p, const std::string& where);

/// Throws InputError if the sum of magnitudes is 1e300 or more: smaller totals keep all
/// sums in solvers finite.
void check_total(double total, const std::string& where);

/// Adds `terms` to `f` and checks their total.  A stop request leaves `f` incomplete.
void assemble(qubo::Quadratic& f,
              std::span<const qubo::Term> terms,
              const std::string& where,
              const std::stop_token& stop = {});

/// Throws InputError after a stop request, which may have truncated the input.
void refuse_stopped(const Input& input);

/// Reserves room for `announced` terms, the number in a header,
/// but not for more terms than `lines` can hold.
void reserve_terms(qubo::Terms& terms, std::int64_t announced, const LineReader& lines);

/// The variables that occur in a file.
class Variables {
 public:
  explicit Variables(int n) : used_(static_cast<std::size_t>(n)) {}
  void add(std::int32_t i) { used_[static_cast<std::size_t>(i)] = true; }
  /// True if all variables but variable 0 occur: perhaps the file counts from 1.
  [[nodiscard]] bool only_first_missing() const {
    return used_.size() > 1 && !used_[0] &&
           std::find(used_.begin() + 1, used_.end(), false) == used_.end();
  }

 private:
  std::vector<bool> used_;
};

[[nodiscard]] std::vector<std::string_view> words_in(std::string_view line);

/// "'abc' (expected `what`)", for messages; long words are cut.
[[nodiscard]] std::string unexpected(std::string_view word, std::string_view what);

/// "'abc' (expected a number)" or similar, for a word that is not a weight.
[[nodiscard]] std::string unexpected_weight(std::string_view word);

/// Adds the term weight x_i x_k.
void add_term(qubo::Terms& terms,
              std::int32_t i,
              std::int32_t k,
              const TwoDoubles& weight);

/// Throws InputError if `words` has a word left.
void expect_end(const LineReader& lines, Words& words);

}  // namespace oa::io
