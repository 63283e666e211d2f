#include "oa/attention/formula/formula.h"

namespace oa::attention {

Formula::Formula(const Site& site,
                 int tokens,
                 Purpose purpose,
                 int threads,
                 parts::Layout& layout,
                 Constants& constants)
    : site_(site),
      tokens_(tokens),
      purpose_(purpose),
      threads_(threads),
      layout_(layout),
      constants_(constants),
      nodes_{{.rows = decodes() ? 1 : tokens, .cols = site.width}} {}

void Formula::require(bool holds, const std::string& why) const {
  if (!holds && purpose_ == Purpose::Refusal) {
    throw Refused{why};
  }
}

Value Formula::tokens() {
  return {this, 0, nodes_[0].rows, nodes_[0].cols};
}

Value Formula::parameter(const std::string& name,
                         std::vector<std::int64_t> shape,
                         const parts::Init& init) {
  const int number = layout_.declare(full(name), std::move(shape), init);
  const parts::Tensor& t = layout_[number];
  return node({.rows = t.rows, .cols = t.cols, .tensor = number});
}

int Formula::tensor(const std::string& name,
                    std::vector<std::int64_t> shape,
                    const parts::Init& init) {
  return tensors_.emplace_back(layout_.declare(full(name), std::move(shape), init));
}

Value Formula::add(std::unique_ptr<Operation> operation) {
  const OperationForm& form = operation->form();
  const Value out = node({.rows = form.rows, .cols = form.cols});
  operations_.push_back(
      {std::move(operation), out.id, needed_for_, std::exchange(tensors_, {})});
  return out;
}

Value Formula::node(Node node) {
  nodes_.push_back(node);
  return {this, static_cast<int>(nodes_.size()) - 1, node.rows, node.cols};
}

void Formula::show(Value queries, Value values) {
  if (queries_ < 0) {
    queries_ = queries.id;
    values_ = values.id;
  }
}

}  // namespace oa::attention
