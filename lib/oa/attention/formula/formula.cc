#include "oa/attention/formula/formula.h"

#include "oa/base/index.h"

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

std::vector<FormulaLine> Formula::lines(const parts::Layout& layout) const {
  std::vector<std::string> names{"x"};
  for (std::size_t id = 1, outputs = 0; id < nodes_.size(); ++id) {
    names.push_back(nodes_[id].tensor >= 0 ? layout[nodes_[id].tensor].name
                                           : "x" + std::to_string(++outputs));
  }
  std::vector<FormulaLine> all;
  for (const Applied& applied : operations_) {
    const OperationForm& form = applied.operation->form();
    FormulaLine& line = all.emplace_back(FormulaLine{.name = names[at(applied.output)],
                                                     .operation = form.name,
                                                     .inputs = {},
                                                     .rows = form.rows,
                                                     .cols = form.cols,
                                                     .tensors = applied.tensors,
                                                     .settings = form.settings});
    for (const Value& in : form.in) {
      line.inputs.push_back(names[at(in.id)]);
    }
  }
  return all;
}

void Formula::show(Value queries, Value values) {
  if (queries_ < 0) {
    queries_ = queries.id;
    values_ = values.id;
  }
}

}  // namespace oa::attention
