#include "stream.h"

#include "arrays.h"
#include "oa/base/error.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/memory_file.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"

#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

/// The elements of a tensor as numpy calls them; half precision of 8 exponent bits,
/// which numpy does not know, as whole numbers.
nb::dlpack::dtype type_of(io::Dtype dtype) {
  using enum nb::dlpack::dtype_code;
  const auto code = [&] {
    switch (dtype) {
      case io::Dtype::Bool: return Bool;
      case io::Dtype::I8:
      case io::Dtype::I16:
      case io::Dtype::I32:
      case io::Dtype::I64: return Int;
      case io::Dtype::F16:
      case io::Dtype::F32:
      case io::Dtype::F64: return Float;
      default: return UInt;
    }
  }();
  return {static_cast<std::uint8_t>(code),
          static_cast<std::uint8_t>(8 * io::size_of(dtype)),
          1};
}

using View = nb::ndarray<nb::numpy, nb::ro>;

/// A view of a tensor, which keeps `owner` alive.
View view_of(const io::TensorView& tensor, nb::handle owner) {
  std::vector<std::size_t> shape(tensor.shape.begin(), tensor.shape.end());
  return {tensor.bytes.data(),
          shape.size(),
          shape.data(),
          owner,
          nullptr,
          type_of(tensor.dtype)};
}

/// Tensors by name, as views of what `owner` keeps.
nb::dict views_of(const io::Safetensors& data, nb::handle owner) {
  nb::dict all;
  for (const io::TensorView& tensor : data.tensors()) {
    all[tensor.name.c_str()] = view_of(tensor, owner);
  }
  return all;
}

/// A frame of a stream, and the head of its part.
struct Frame {
  std::shared_ptr<const io::Frame> frame;
  std::shared_ptr<const io::Frame> head;
};

View array(nb::handle self, const std::string& name) {
  const io::TensorView* tensor = nb::cast<const Frame&>(self).frame->data.find(name);
  if (tensor == nullptr) {
    throw nb::key_error(name.c_str());
  }
  return view_of(*tensor, self);
}

std::vector<std::string> names_of(const Frame& frame) {
  std::vector<std::string> names;
  for (const io::TensorView& tensor : frame.frame->data.tensors()) {
    names.push_back(tensor.name);
  }
  return names;
}

/// The frames of a stream but the heads, each with its own.
class Reader {
 public:
  explicit Reader(const std::string& path) : reader_(io::Input::open(path)) {}

  std::optional<Frame> next() {
    const nb::gil_scoped_release unlocked;
    while (true) {
      std::optional<io::Frame> frame = reader_.next();
      if (!frame) {
        return std::nullopt;
      }
      auto shared = std::make_shared<const io::Frame>(*std::move(frame));
      if (shared->kind != io::FrameKind::Head) {
        return Frame{std::move(shared), head_};
      }
      head_ = std::move(shared);
    }
  }

  [[nodiscard]] std::optional<Frame> head() const {
    return head_ ? std::optional(Frame{head_, head_}) : std::nullopt;
  }
  [[nodiscard]] bool complete() const { return reader_.complete(); }

 private:
  io::StreamReader reader_;
  std::shared_ptr<const io::Frame> head_;
};

/// Writes a stream of frames, byte for byte.
class Writer {
 public:
  explicit Writer(const std::string& path) : output_(path), writer_(output_) {}

  void write(const Frame& frame) {
    if (frame.head == nullptr) {
      throw InputError(
          "a frame without a head (expected one of a stream or of a model)");
    }
    if (frame.head != head_) {
      if (head_) {
        writer_.finish(frame.head->complete_before);
      }
      writer_.copy(*frame.head);
      head_ = frame.head;
    }
    if (frame.frame != frame.head) {
      writer_.copy(*frame.frame);
    }
  }
  void finish(bool complete) {
    if (!head_) {
      throw InputError(output_.name() + ": no frames");
    }
    writer_.finish(complete);
    output_.commit();
  }

 private:
  io::Output output_;
  io::StreamWriter writer_;
  std::shared_ptr<const io::Frame> head_;
};

io::Dtype dtype_of(const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& values,
                   const std::string& name) {
  for (const auto& [dtype, matches] : {std::pair{io::Dtype::F32, nb::dtype<float>()},
                                       {io::Dtype::F64, nb::dtype<double>()},
                                       {io::Dtype::I64, nb::dtype<std::int64_t>()},
                                       {io::Dtype::I32, nb::dtype<std::int32_t>()},
                                       {io::Dtype::U8, nb::dtype<std::uint8_t>()}}) {
    if (values.dtype() == matches) {
      return dtype;
    }
  }
  throw nb::type_error((name + ": elements of a type that no frame has").c_str());
}

/// A frame in the part of `head`, from arrays.
Frame make(const Frame& head,
           const std::string& kind,
           const std::map<std::string,
                          nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>>& arrays) {
  std::vector<io::TensorView> tensors;
  for (const auto& [name, values] : arrays) {
    io::Shape shape;
    for (std::size_t k = 0; k < values.ndim(); ++k) {
      shape.push_back(static_cast<std::int64_t>(values.shape(k)));
    }
    tensors.push_back(
        {name,
         dtype_of(values, name),
         std::move(shape),
         {static_cast<const std::byte*>(values.data()), values.nbytes()}});
  }
  const std::string header = io::safetensors_header({{"oa.kind", kind}}, tensors);
  std::vector<std::byte> bytes(header.size());
  std::memcpy(bytes.data(), header.data(), header.size());
  for (const io::TensorView& tensor : tensors) {
    bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
  io::Frame part;  // without the tensors of the head
  part.where = "frame";
  part.series = head.head->series;
  part.coefficients = head.head->coefficients;
  part.levels = head.head->levels;
  part.encoding = head.head->encoding;
  part.lambda = head.head->lambda;
  Frame frame{std::make_shared<const io::Frame>(io::read_again(bytes, part)),
              head.head};
  if (frame.frame->kind == io::FrameKind::Solution) {
    (void)io::read_solution(*frame.frame);
  } else {
    (void)io::read_problem(*frame.frame);
  }
  return frame;
}

/// The bytes of a stream of one frame, or of its head.
nb::bytes bytes_of(const Frame& frame) {
  const io::MemoryFile file("frame.oa");
  Writer writer(file.path());
  writer.write(frame);
  writer.finish(true);
  const auto bytes = file.bytes();
  return nb::bytes(bytes->data(), bytes->size());
}

void restore_frame(Frame& frame, const nb::bytes& bytes) {
  const auto* data = static_cast<const std::byte*>(bytes.data());
  const io::MemoryFile file("frame.oa", {data, data + bytes.size()});
  Reader reader(file.path());
  const std::optional<Frame> next = reader.next();
  new (&frame) Frame(next ? *next : reader.head().value());
}

/// A file of tensors: a model, for one.
struct Tensors {
  io::Safetensors data;
};

}  // namespace

void declare_stream(nb::module_& m) {
  nb::class_<Frame>(m, "Frame", "Arrays by name: a frame of a stream, oa-stream(5).")
      .def_prop_ro("kind", [](const Frame& f) { return io::name_of(*f.frame); })
      .def_prop_ro("metadata", [](const Frame& f) { return f.frame->data.metadata; })
      .def_prop_ro("head",
                   [](const Frame& f) {
                     return Frame{f.head, f.head};
                   })
      .def("keys", names_of)
      .def(
          "__contains__",
          [](const Frame& f, const std::string& name) {
            return f.frame->data.find(name) != nullptr;
          },
          nb::arg("name"))
      .def("__getitem__",
           array,
           nb::sig(
               "def __getitem__(self, name: str) -> numpy.typing.NDArray[typing.Any]"))
      .def("__len__", [](const Frame& f) { return f.frame->data.tensors().size(); })
      .def(
          "__iter__",
          [](const Frame& f) { return nb::iter(nb::cast(names_of(f))); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[str]"))
      .def("__getstate__", bytes_of)
      .def("__setstate__", restore_frame);
  nb::class_<Reader>(m, "StreamReader")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def("next", &Reader::next)
      .def_prop_ro("head", &Reader::head)
      .def_prop_ro("complete", &Reader::complete);
  nb::class_<Writer>(m, "StreamWriter")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def("write", &Writer::write, nb::arg("frame"))
      .def("finish", &Writer::finish, nb::arg("complete"));
  m.def("make_frame", make, nb::arg("head"), nb::arg("kind"), nb::arg("arrays"));
  nb::class_<Tensors>(m, "Tensors")
      .def(
          "__init__",
          [](Tensors* self, const std::string& path) {
            io::Input input = io::Input::open(path);
            new (self) Tensors{io::read_safetensors_file(input)};
          },
          nb::arg("path"))
      .def_prop_ro("metadata", [](const Tensors& t) { return t.data.metadata; })
      .def_prop_ro(
          "arrays",
          [](nb::handle self) {
            return views_of(nb::cast<const Tensors&>(self).data, self);
          },
          nb::sig("def arrays(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"));
}

}  // namespace oa::python
