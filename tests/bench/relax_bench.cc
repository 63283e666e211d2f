// The box QP of training: time and bits wrong by tolerance, against one far smaller.
//   oa-qubo model.bin images --first 100 | bench-relax
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/num/box/qp.h"
#include "oa/num/matrix.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace oa {
namespace {

struct Image {
  num::Matrix j;
  num::Matrix h;
};

num::Matrix matrix(int rows, int cols, const std::vector<float>& values) {
  num::Matrix to(rows, cols);
  for (int i = 0; i < rows; ++i) {
    std::copy_n(values.data() + static_cast<std::ptrdiff_t>(i) * cols, cols, to.row(i));
  }
  return to;
}

std::vector<Image> read_images() {
  io::StreamReader reader(io::Input::open("-"));
  std::vector<Image> images;
  while (const auto frame = reader.next()) {
    if (frame->kind != io::FrameKind::Head) {
      const qubo::Problem p = io::read_problem(*frame);
      images.push_back({matrix(p.m, p.m, p.j), matrix(p.n, p.m, p.h)});
    }
  }
  return images;
}

num::Matrix solve(const Image& image, float tolerance) {
  num::Matrix x(image.h.rows(), image.h.cols());
  num::Matrix g(image.h.rows(), image.h.cols());
  num::box_qp_descent({image.j}, image.h, {tolerance, 100'000}, x, g);
  return x;
}

void run(const std::vector<Image>& images, float tolerance) {
  using Clock = std::chrono::steady_clock;
  double seconds = 0.0;
  double wrong = 0.0;
  double queries = 0.0;
  for (const Image& image : images) {
    const num::Matrix best = solve(image, 1e-7F);
    const auto begin = Clock::now();
    const num::Matrix x = solve(image, tolerance);
    seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    for (int i = 0; i < x.rows(); ++i) {
      for (int k = 0; k < x.cols(); ++k) {
        wrong += (x(i, k) > 0.5F) != (best(i, k) > 0.5F) ? 1.0 : 0.0;
      }
      queries += 1.0;
    }
  }
  std::printf("tolerance %g: %.2f us an image, %.5f bits wrong a query\n",
              static_cast<double>(tolerance),
              1e6 * seconds / static_cast<double>(images.size()),
              wrong / queries);
}

}  // namespace
}  // namespace oa

int main() {
  const auto images = oa::read_images();
  for (const float tolerance : {1e-2F, 1e-3F, 5e-4F, 1e-4F, 1e-5F}) {
    oa::run(images, tolerance);
  }
}
