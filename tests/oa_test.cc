#include "oa_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace oa::test {

Folder::Folder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "oa-test.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make " + name);
  }
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void spill(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) {
    throw std::runtime_error("cannot write " + path);
  }
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

io::Input piped(std::string_view bytes) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0 ||
      ::write(ends[1], bytes.data(), bytes.size()) != std::ssize(bytes)) {
    throw std::runtime_error("cannot make a pipe");
  }
  // Opened again by its name: the Input owns that and closes it.
  ::close(ends[1]);
  io::Input input = io::Input::open("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  return input;
}

std::string repeated(std::string_view text, std::size_t n) {
  std::string all;
  all.reserve(n * text.size());
  for (std::size_t i = 0; i < n; ++i) {
    all += text;
  }
  return all;
}

std::string raw_safetensors(std::string_view header, std::size_t data) {
  const std::uint64_t length = header.size();
  std::string text(sizeof length, '\0');
  std::memcpy(text.data(), &length, sizeof length);
  text += header;
  text.append(data, '\0');
  return text;
}

std::string written(const std::function<void(io::Output&)>& write) {
  const Folder folder;
  const std::string path = folder.path("out");
  io::Output output(path);
  write(output);
  output.commit();
  return slurp(path);
}

std::string written_small(const std::function<void(io::Output&)>& write) {
  struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() {
      if (::pipe(ends.data()) != 0) {
        throw std::runtime_error("cannot make a pipe");
      }
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
      ::close(ends[0]);
      ::close(ends[1]);
    }
  } const pipe;
  io::Output output("/proc/self/fd/" + std::to_string(pipe.ends[1]));
  write(output);
  output.write(std::string_view("\0", 1));  // so that there is something to read
  output.commit();
  std::string text(std::size_t{1} << 16, '\0');
  const auto size = static_cast<std::size_t>(
      std::max<ssize_t>(1, ::read(pipe.ends[0], text.data(), text.size())));
  text.resize(size - 1);
  return text;
}

qubo::Problem random_problem(Rng& rng, int m, int n, int d) {
  qubo::Problem p;
  p.index = rng.below(100000);
  if (rng.below(2) == 0) {
    p.label = rng.below(10);
  }
  p.m = m;
  p.n = n;
  p.d = d;
  const auto um = static_cast<std::size_t>(m);
  const auto un = static_cast<std::size_t>(n);
  const auto ud = static_cast<std::size_t>(d);
  p.v.resize(um * ud);
  for (float& v : p.v) {
    v = static_cast<float>(rng.normal());
  }
  p.j.resize(um * um);
  for (std::size_t a = 0; a < um; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double dot = 0.0;
      for (std::size_t k = 0; k < ud; ++k) {
        dot +=
            static_cast<double>(p.v[a * ud + k]) * static_cast<double>(p.v[b * ud + k]);
      }
      p.j[a * um + b] = p.j[b * um + a] = static_cast<float>(2.0 * dot);
    }
  }
  p.h.resize(un * um);
  for (float& h : p.h) {
    h = static_cast<float>(4.0 * rng.normal());
  }
  return p;
}

qubo::Problem with_sizes(const qubo::Problem& problem, std::vector<int> sizes) {
  qubo::Problem p = problem;
  p.h.clear();
  for (int i = 0; i < p.n; ++i) {
    const auto row = problem.query(i);
    p.h.insert(
        p.h.end(), row.begin(), row.begin() + sizes[static_cast<std::size_t>(i)]);
  }
  p.sizes = std::move(sizes);
  return p;
}

qubo::SolvedProblem random_solution(Rng& rng, int m, int n, int d) {
  qubo::SolvedProblem s;
  s.problem = random_problem(rng, m, n, d);
  const auto um = static_cast<std::size_t>(m);
  for (int i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < um; ++k) {
      s.x.push_back(static_cast<std::uint8_t>(rng.below(2)));
    }
    const auto x = std::span<const std::uint8_t>(s.x).last(um);
    s.energy.push_back(qubo::energy(s.problem.j, s.problem.query(i), x));
    const bool proved = rng.below(2) == 0;
    s.bound.push_back(proved ? s.energy.back()
                             : -std::numeric_limits<double>::infinity());
    s.status.push_back(proved ? qubo::Status::ProvedOptimal : qubo::Status::BestFound);
    s.seconds.push_back(rng.uniform());
  }
  return s;
}

}  // namespace oa::test
