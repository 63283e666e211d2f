#include "problem.h"

#include "app/solve/decode.h"
#include "app/solve/reading.h"
#include "arrays.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/tensor/npy.h"
#include "oa/qubo/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using Given = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Numbers = std::optional<Row<double>>;

/// How Python calls the elements of arrays, and how the library does.
io::Dtype dtype_of(const Given& array) {
  const nb::dlpack::dtype type = array.dtype();
  const auto is = [&](nb::dlpack::dtype_code code, int bits) {
    return type.code == static_cast<std::uint8_t>(code) && type.bits == bits;
  };
  using enum nb::dlpack::dtype_code;
  for (const auto& [code, bits, dtype] : {std::tuple{Bool, 8, io::Dtype::Bool},
                                          {UInt, 8, io::Dtype::U8},
                                          {UInt, 16, io::Dtype::U16},
                                          {UInt, 32, io::Dtype::U32},
                                          {UInt, 64, io::Dtype::U64},
                                          {Int, 8, io::Dtype::I8},
                                          {Int, 16, io::Dtype::I16},
                                          {Int, 32, io::Dtype::I32},
                                          {Int, 64, io::Dtype::I64},
                                          {Float, 16, io::Dtype::F16},
                                          {Float, 32, io::Dtype::F32},
                                          {Float, 64, io::Dtype::F64}}) {
    if (is(code, bits)) {
      return dtype;
    }
  }
  throw nb::type_error("Q: elements that are not numbers");
}

/// Linear terms and a constant.
void add_linear(qubo::Quadratic& f, const Numbers& h, double offset) {
  double total = std::abs(offset);
  std::vector<qubo::Term> terms;
  if (h) {
    if (std::cmp_not_equal(h->size(), f.size())) {
      throw InputError("h: " + format(static_cast<std::int64_t>(h->size())) +
                       " numbers (expected " + format(f.size()) + ")");
    }
    for (int i = 0; i < f.size(); ++i) {
      const double weight = h->data()[i];
      total += std::abs(weight);
      if (weight != 0.0) {
        terms.push_back({i, i, weight});
      }
    }
  }
  io::check_total(total, "h and offset");
  f.add_linear(terms);
  f.add_constant(offset);
}

/// The width of elements that the library stores as they are.
std::optional<qubo::Width> width_of(io::Dtype dtype) {
  switch (dtype) {
    case io::Dtype::I8: return qubo::Width::Int8;
    case io::Dtype::I16: return qubo::Width::Int16;
    case io::Dtype::F32: return qubo::Width::Float;
    case io::Dtype::F64: return qubo::Width::Double;
    default: return std::nullopt;
  }
}

/// The memory of an array, which stays until the last user is done.
qubo::Numbers borrowed(const Given& q, qubo::Width width) {
  const std::shared_ptr<const void> owner(new Given(q), [](const void* array) {
    const nb::gil_scoped_acquire lock;
    delete static_cast<const Given*>(array);  // NOLINT: made in the line before
  });
  return {width, {static_cast<const std::byte*>(q.data()), q.nbytes()}, owner};
}

/// With `borrow` the array must not change while the problem lives.
qubo::Quadratic quadratic_of(const Given& q, qubo::Vartype vartype, bool borrow) {
  io::NpyArray array{.dtype = dtype_of(q), .shape = {}, .data = {}};
  for (std::size_t k = 0; k < q.ndim(); ++k) {
    array.shape.push_back(static_cast<std::int64_t>(q.shape(k)));
  }
  if (const auto width = width_of(array.dtype); borrow && width && q.nbytes() > 0) {
    return io::problem_of_numbers(array.shape, borrowed(q, *width), vartype, "Q");
  }
  array.data.resize(q.nbytes());
  if (q.nbytes() > 0) {
    std::memcpy(array.data.data(), q.data(), q.nbytes());
  }
  return io::problem_of_matrix(std::move(array), vartype, "Q");
}

Problem of_matrix(
    const Given& q, const Numbers& h, double offset, bool spin, bool max, bool borrow) {
  Problem problem{quadratic_of(q, vartype_of(spin), borrow)};
  problem.model.f.sense = sense_of(max);
  add_linear(problem.model.f, h, offset);
  return problem;
}

Problem of_terms(std::int64_t n,
                 const Row<std::int32_t>& rows,
                 const Row<std::int32_t>& columns,
                 const Row<double>& weights,
                 const Numbers& h,
                 double offset,
                 bool spin,
                 bool max) {
  if (n < 1 || n > io::kMaxSparseVariables) {
    throw InputError("Q: " + format(n) + " variables (expected 1 to " +
                     format_grouped(io::kMaxSparseVariables) + ")");
  }
  qubo::Terms terms;
  terms.reserve(weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (const double weight = weights.data()[k]; weight != 0.0) {
      terms.push_back({rows.data()[k], columns.data()[k], weight});
    }
  }
  Problem problem{qubo::Quadratic(static_cast<int>(n))};
  problem.model.f.vartype = vartype_of(spin);
  problem.model.f.sense = sense_of(max);
  io::assemble(problem.model.f, terms, "Q");
  add_linear(problem.model.f, h, offset);
  return problem;
}

/// All problems of a file, and warnings of what it leaves open.
std::pair<std::vector<Problem>, std::vector<std::string>> read(
    const std::string& path,
    const std::string& format,
    const std::string& sense,
    const std::string& vartype) {
  const app::ReadingOptions reading{format, sense, vartype};
  std::vector<Problem> all;
  const nb::gil_scoped_release unlocked;
  io::Input input = io::Input::open(path);
  const io::ProblemFormat found = app::choose_format(reading, input, "format");
  io::ProblemFile file = io::read_problems(input, found, app::settings_of(reading));
  for (qubo::Model& model : file.problems) {
    all.push_back({std::move(model), std::string(io::info(found).name)});
  }
  return {std::move(all), app::warnings_of(file, path)};
}

/// Returns warnings.  `names` are those of the first variables; variables that serve
/// constraints get names of their own.  With `any_sense` the sense is not written.
std::vector<std::string> write(const Problem& problem,
                               const std::string& path,
                               const std::string& format,
                               std::vector<std::string> names,
                               bool any_sense) {
  const nb::gil_scoped_release unlocked;
  qubo::Quadratic f = qubo::quadratic_of(problem.model, path);
  const std::size_t given = names.size();
  for (std::size_t k = given; given > 0 && k < f.linear.size(); ++k) {
    names.push_back("\"added " + oa::format(static_cast<std::int64_t>(k - given)) +
                    "\"");
  }
  f.names = io::checked_names(std::move(names), path);
  const io::ProblemFormat to = app::format_called(format);
  if (any_sense) {
    f.sense = io::info(to).sense;
  }
  auto warnings = app::conversion_warnings(problem.model, f, to, path);
  io::Output output(path);
  io::write_quadratic(output, std::move(f), to, path);
  output.commit();
  return warnings;
}

double energy_of(const Problem& problem, const Row<std::int8_t>& x) {
  if (std::cmp_not_equal(x.size(), problem.size())) {
    throw InputError("x: " + format(static_cast<std::int64_t>(x.size())) +
                     " elements (expected " + format(problem.size()) + ")");
  }
  std::vector<std::uint8_t> bits(x.size());
  std::ranges::transform(
      std::span(x.data(), x.size()), bits.begin(), [](std::int8_t v) {
        return v == 1 ? std::uint8_t{1} : std::uint8_t{0};
      });
  return qubo::exact_value(problem.model, bits).value();
}

/// The name of each format, its suffix, and whether it is written.
std::vector<std::tuple<std::string, std::string, bool>> formats() {
  std::vector<std::tuple<std::string, std::string, bool>> all;
  for (const io::ProblemFormatInfo& f : io::problem_formats()) {
    all.emplace_back(f.name, f.suffix(), f.written);
  }
  return all;
}

/// What `use` makes of the function to which a problem reduces.
template <class Use>
auto of_function(const Use& use) {
  return [use](const Problem& p) {
    return p.model.quadratic() ? use(p.model.f) : use(qubo::quadratic_of(p.model, "Q"));
  };
}

}  // namespace

Array<std::int8_t> values_of(std::span<const std::uint8_t> x, bool spin) {
  std::vector<std::int8_t> values(x.size());
  const std::int8_t zero = spin ? -1 : 0;
  std::ranges::transform(x, values.begin(), [zero](std::uint8_t bit) {
    return bit != 0 ? std::int8_t{1} : zero;
  });
  return array_of(std::move(values));
}

TermArrays arrays_of(std::span<const qubo::Term> terms) {
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> columns;
  std::vector<double> weights;
  for (const qubo::Term& t : terms) {
    rows.push_back(t.first);
    columns.push_back(t.second);
    weights.push_back(t.weight);
  }
  return {array_of(std::move(rows)),
          array_of(std::move(columns)),
          array_of(std::move(weights))};
}

void declare_problem(nb::module_& m) {
  nb::class_<Problem> problem(m, "Problem");
  problem.def_prop_ro("size", &Problem::size)
      .def_prop_ro("spin", &Problem::spin)
      .def_prop_ro("maximise",
                   [](const Problem& p) { return p.model.f.sense == qubo::Sense::Max; })
      .def_prop_ro("offset",
                   of_function([](const qubo::Quadratic& f) { return f.offset; }))
      .def_prop_ro(
          "linear",
          of_function([](const qubo::Quadratic& f) { return array_of(f.linear); }),
          kOwned)
      .def_prop_ro(
          "terms",
          of_function([](const qubo::Quadratic& f) { return arrays_of(f.terms()); }),
          kOwned)
      .def_prop_ro("format", [](const Problem& p) { return p.format; })
      .def_prop_ro("names", [](const Problem& p) { return p.model.f.names; })
      .def("energy", energy_of, nb::arg("x"));
  declare_state(problem, m);
  m.def("of_matrix",
        of_matrix,
        nb::arg("q").noconvert(),
        nb::arg("h").none(),
        nb::arg("offset"),
        nb::arg("spin"),
        nb::arg("max"),
        nb::arg("borrow"));
  m.def("of_terms",
        of_terms,
        nb::arg("n"),
        nb::arg("rows"),
        nb::arg("columns"),
        nb::arg("weights"),
        nb::arg("h").none(),
        nb::arg("offset"),
        nb::arg("spin"),
        nb::arg("max"));
  m.def("read",
        read,
        nb::arg("path"),
        nb::arg("format"),
        nb::arg("sense"),
        nb::arg("vartype"));
  m.def("write",
        write,
        nb::arg("problem"),
        nb::arg("path"),
        nb::arg("format"),
        nb::arg("names"),
        nb::arg("any_sense"));
  m.def("formats", formats);
}

}  // namespace oa::python
