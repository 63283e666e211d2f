#include "exact/problem_text.h"

#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>

namespace oa::exact {
namespace {

using enum io::ProblemFormat;

class Writer {
 public:
  Writer(Rng& rng, const Draw& draw, const Weights& weights)
      : rng_(rng),
        draw_(draw),
        weights_(weights) {}

  ProblemText write() {
    const auto formats = io::problem_formats();
    const auto draw = [&] {
      return formats[rng_.below(static_cast<std::uint32_t>(formats.size()))];
    };
    io::ProblemFormatInfo info = draw();
    while (!info.written || info.format == Kaiwu) {  // Kaiwu has no constant
      info = draw();
    }
    text_.format = info.format;
    text_.stated.n = weights_.n;
    const bool told = one_in(4);
    text_.stated.maximise = told ? one_in(2) : info.sense == qubo::Sense::Max;
    if (told) {
      text_.reading.sense = text_.stated.maximise ? qubo::Sense::Max : qubo::Sense::Min;
    }
    switch (info.format) {
      case Qubo: qbsolv(); break;
      case Gset: graph(); break;
      case Orlib: orlib(); break;
      case Biqmac: block(); break;
      case Bq: matrix_entries(); break;
      case Qs: zimpl(); break;
      case Csv: table(","); break;
      case Txt: table(" "); break;
      default: break;  // is not drawn
      case Npy: npy(); break;
      case Mtx: mtx(); break;
      case Coo: coo(); break;
      case Bqm: bqm(); break;
    }
    if (info.format != Npy) {
      as_others_save_it();
    }
    return std::move(text_);
  }

 private:
  /// Other line ends, and a mark at the beginning.
  void as_others_save_it() {
    if (one_in(12)) {
      std::erase(text_.bytes, '\r');
      std::ranges::replace(text_.bytes, '\n', '\r');
    }
    if (one_in(12)) {
      text_.bytes.insert(0, "\xef\xbb\xbf");
    }
  }

  bool one_in(std::uint32_t n) { return rng_.below(n) == 0; }
  std::string number(double value) { return random_number(rng_, value); }
  static std::string whole(std::size_t value) { return std::to_string(value); }

  void say(const std::string& text) { text_.bytes += text; }

  void state(Meaning meaning, int i, int k, double weight, bool twice = false) {
    text_.stated.entries.push_back({meaning, i, k, weight, twice});
  }

  /// Pairs and, on the diagonal, linear terms; some of them twice, with other weights.
  std::vector<Pair> entries(bool diagonal) {
    std::vector<Pair> all = weights_.pairs;
    for (int i = 0; diagonal && i < weights_.n; ++i) {
      const double h = weights_.linear[static_cast<std::size_t>(i)];
      if (h != 0.0 || one_in(8)) {
        all.push_back({i, i, h});
      }
    }
    const std::size_t once = all.size();
    for (std::size_t e = 0; one_in(4) && e < once; ++e) {
      if (one_in(3)) {
        all.push_back({all[e].i, all[e].k, one_in(3) ? -all[e].weight : draw_(rng_)});
      }
    }
    rng_.shuffle(std::span(all));
    return all;
  }

  void pair(int i, int k) {
    say(std::to_string(i) + (one_in(9) ? "\t " : " ") + std::to_string(k));
  }

  void end_line() { say(one_in(20) ? " \r\n" : "\n"); }

  void line(int i, int k, double weight) {
    pair(i, k);
    say(" " + number(weight));
    end_line();
  }

  /// Matrices leave open what their variables are.
  Meaning open_kind() {
    text_.stated.spins = one_in(2);
    if (text_.stated.spins || one_in(2)) {
      text_.reading.vartype =
          text_.stated.spins ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    }
    return text_.stated.spins ? Meaning::Spins : Meaning::Product;
  }

  void qbsolv() {
    const std::vector<Pair> all = entries(true);
    const auto nodes = static_cast<std::size_t>(
        std::ranges::count_if(all, [](const Pair& p) { return p.i == p.k; }));
    say("c a problem\np qubo 0 " + std::to_string(weights_.n) + " " + whole(nodes) +
        " " + whole(all.size() - nodes) + "\n");
    for (const Pair& p : all) {
      line(p.i, p.k, p.weight);
      state(Meaning::Product, p.i, p.k, p.weight);
    }
  }

  void graph() {
    text_.stated.spins = true;
    const std::vector<Pair> all = entries(false);
    const bool bare = one_in(6);  // without weights: each is 1
    say(std::to_string(weights_.n) + " " + whole(all.size()) + "\n");
    for (const Pair& p : all) {
      const bool swapped = one_in(2);
      pair((swapped ? p.k : p.i) + 1, (swapped ? p.i : p.k) + 1);
      say(bare ? "" : " " + number(p.weight));
      end_line();
      state(Meaning::Cut, p.i, p.k, bare ? 1.0 : p.weight);
    }
  }

  void matrix_entries() {
    const std::vector<Pair> all = entries(true);
    say("# Q\n" + std::to_string(weights_.n) + " " + whole(all.size()) + "\n");
    for (const Pair& p : all) {
      const bool swapped = one_in(2);
      line((swapped ? p.k : p.i) + 1, (swapped ? p.i : p.k) + 1, p.weight);
      state(Meaning::Product, p.i, p.k, p.weight);
    }
  }

  void block() {
    const std::vector<Pair> all = entries(true);
    say(std::to_string(weights_.n) + " " + whole(all.size()) + "\n");
    for (const Pair& p : all) {
      line(p.i + 1, p.k + 1, p.weight);
      state(Meaning::Product, p.i, p.k, p.weight, p.i != p.k);
    }
  }

  void zimpl() {
    const double offset = one_in(2) ? draw_(rng_) : 0.0;
    say("# maximize obj: x[1];\n# ObjectiveOffset " + number(offset) +
        "\n\n# Vars NonZeros\n");
    state(Meaning::Constant, 0, 0, offset);
    block();
  }

  void orlib() {
    say("1\n");
    block();
  }

  /// A square matrix: each pair in one triangle or in both.
  std::vector<double> matrix(Meaning meaning) {
    const auto n = static_cast<std::size_t>(weights_.n);
    std::vector<double> all(n * n);
    for (const Pair& p : weights_.pairs) {
      const auto i = static_cast<std::size_t>(p.i);
      const auto k = static_cast<std::size_t>(p.k);
      all[i * n + k] = p.weight;
      all[k * n + i] = one_in(3) ? (one_in(2) ? p.weight : draw_(rng_)) : 0.0;
    }
    for (std::size_t i = 0; i < n; ++i) {
      all[i * n + i] = weights_.linear[i];
    }
    for (std::size_t at = 0; at < all.size(); ++at) {
      state(meaning, static_cast<int>(at / n), static_cast<int>(at % n), all[at]);
    }
    return all;
  }

  void table(const std::string& between) {
    const std::vector<double> all = matrix(open_kind());
    const auto n = static_cast<std::size_t>(weights_.n);
    for (std::size_t at = 0; at < all.size(); ++at) {
      say(number(all[at]));
      say((at + 1) % n == 0 ? "\n" : one_in(9) ? between + " " : between);
    }
  }

  template <class Element>
  static bool fits(const std::vector<double>& all, double most) {
    return std::ranges::all_of(all, [most](double x) {
      return std::abs(x) <= most && static_cast<double>(static_cast<Element>(x)) == x;
    });
  }

  template <class Element>
  void elements(const std::vector<double>& all, bool by_columns) {
    const auto n = static_cast<std::size_t>(weights_.n);
    for (std::size_t at = 0; at < all.size(); ++at) {
      const auto element =
          static_cast<Element>(by_columns ? all[at % n * n + at / n] : all[at]);
      std::array<char, sizeof element> bytes{};
      std::memcpy(bytes.data(), &element, sizeof element);
      text_.bytes.append(bytes.data(), bytes.size());
    }
  }

  void npy() {
    const std::vector<double> all = matrix(open_kind());
    const bool by_columns = one_in(3);
    const bool bytes = one_in(2) && fits<std::int8_t>(all, 100.0);
    const bool longs = one_in(3) && fits<std::int64_t>(all, 0x1p53);
    const bool floats = one_in(2) && fits<float>(all, 1e30);
    const std::string n = std::to_string(weights_.n);
    std::string head = std::string("{'descr': '") +
                       (bytes    ? "|i1"
                        : longs  ? "<i8"
                        : floats ? "<f4"
                                 : "<f8") +
                       "', 'fortran_order': " + (by_columns ? "True" : "False") +
                       ", 'shape': (" + n + ", " + n + "), }";
    head.resize((head.size() + 10 + 64) / 64 * 64 - 10 - 1, ' ');
    head += '\n';
    say(std::string("\x93NUMPY\x01\x00", 8));
    say({static_cast<char>(head.size() % 256), static_cast<char>(head.size() / 256)});
    say(head);
    if (bytes) {
      elements<std::int8_t>(all, by_columns);
    } else if (longs) {
      elements<std::int64_t>(all, by_columns);
    } else if (floats) {
      elements<float>(all, by_columns);
    } else {
      elements<double>(all, by_columns);
    }
  }

  void mtx() {
    const Meaning meaning = open_kind();
    const std::string n = std::to_string(weights_.n);
    const bool symmetric = one_in(2);
    const std::string kind = std::string(" real ") +
                             (symmetric ? "symmetric" : "general") + "\n%\n" + n + " ";
    if (!symmetric && one_in(3)) {  // down the columns, and all of it
      say("%%MatrixMarket matrix array" + kind + n + "\n");
      const std::vector<double> all = matrix(meaning);
      const auto size = static_cast<std::size_t>(weights_.n);
      for (std::size_t at = 0; at < all.size(); ++at) {
        say(number(all[at % size * size + at / size]) + "\n");
      }
      return;
    }
    const std::vector<Pair> all = entries(true);
    say("%%MatrixMarket matrix coordinate" + kind + n + " " + whole(all.size()) + "\n");
    for (const Pair& p : all) {
      const bool swapped = symmetric || one_in(2);
      line((swapped ? p.k : p.i) + 1, (swapped ? p.i : p.k) + 1, p.weight);
      state(meaning, p.i, p.k, p.weight, symmetric && p.i != p.k);
    }
  }

  void coo() {
    text_.stated.spins = one_in(2);
    say(text_.stated.spins ? "# vartype=SPIN\n" : "# vartype=BINARY\n");
    std::vector<Pair> all = entries(true);
    all.push_back({weights_.n - 1, weights_.n - 1, 0.0});  // says how many there are
    for (const Pair& p : all) {
      const bool field = text_.stated.spins && p.i == p.k;
      const Meaning pair = text_.stated.spins ? Meaning::Spins : Meaning::Product;
      line(p.i, p.k, p.weight);
      state(field ? Meaning::Field : pair, p.i, p.k, p.weight);
    }
  }

  void list(const std::string& name, std::size_t n, const auto& element) {
    say("\"" + name + "\": [");
    for (std::size_t k = 0; k < n; ++k) {
      say((k > 0 ? ", " : "") + element(k));
    }
    say("], ");
  }

  void bqm() {
    const bool spins = text_.stated.spins = one_in(2);
    const std::vector<Pair> all = entries(false);
    const double offset = one_in(2) ? draw_(rng_) : 0.0;
    say("{\"type\": \"BinaryQuadraticModel\", \"version\": {\"bqm_schema\": "
        "\"3.0.0\"}, "
        "\"use_bytes\": false, \"num_variables\": " +
        std::to_string(weights_.n) + ", ");
    list("variable_labels", weights_.linear.size(), [](std::size_t i) {
      return std::to_string(i);
    });
    say("\"variable_type\": \"" + std::string(spins ? "SPIN" : "BINARY") + "\", ");
    list("linear_biases", weights_.linear.size(), [&](std::size_t i) {
      return number(weights_.linear[i]);
    });
    list("quadratic_head", all.size(), [&](std::size_t e) {
      return std::to_string(all[e].i);
    });
    list("quadratic_tail", all.size(), [&](std::size_t e) {
      return std::to_string(all[e].k);
    });
    list("quadratic_biases", all.size(), [&](std::size_t e) {
      return number(all[e].weight);
    });
    say("\"offset\": " + number(offset) + "}\n");
    state(Meaning::Constant, 0, 0, offset);
    for (int i = 0; i < weights_.n; ++i) {
      state(spins ? Meaning::Field : Meaning::Product,
            i,
            i,
            weights_.linear[static_cast<std::size_t>(i)]);
    }
    for (const Pair& p : all) {
      state(spins ? Meaning::Spins : Meaning::Product, p.i, p.k, p.weight);
    }
  }

  Rng& rng_;
  const Draw& draw_;
  const Weights& weights_;
  ProblemText text_;
};

}  // namespace

std::string random_number(Rng& rng, double value) {
  if (rng.below(3) != 0) {
    return format(value);
  }
  std::array<char, 64> text{};
  const int digits = std::array{16, 17, 25}[rng.below(3)];
  const auto end = std::to_chars(text.data(),
                                 text.data() + text.size(),
                                 value,
                                 std::chars_format::scientific,
                                 digits);
  return {text.data(), end.ptr};
}

ProblemText random_text(Rng& rng, const Draw& draw, const Weights& weights) {
  return Writer(rng, draw, weights).write();
}

}  // namespace oa::exact
