// Chinese translations of the texts in figures.
#include "oa/plot/look.h"

#include <algorithm>
#include <array>

namespace oa::plot {
namespace {

struct Translation {
  std::string_view english;
  std::string_view chinese;
};

// clang-format off
constexpr auto kTable = std::to_array<Translation>({
    {"; ", "；"},
    // maps
    {"Values chosen", "选中值"},
    {"Coefficients", "系数"},
    {"Weights", "权重"},
    {"{0} for image {1}", "图像 {1} 的{0}"},
    {"{0} for sequence {1}", "序列 {1} 的{0}"},
    {"{0}, mean of {1}", "{0}，{1}的平均"},
    {", head {0} of {1}", "，第 {0} 头（共 {1} 头）"},
    {" (class {0})", "（类别 {0}）"},
    {"{0} queries", "{0} 个查询"},
    {"{0} values", "{0} 个值"},
    {"{0} images", "{0} 幅图像"},
    {"{0} of {1}", "{0}，各有 {1}"},
    {"{0} of at most {1}", "{0}，各有至多 {1}"},
    {"on average {0} chosen", "平均选中 {0} 个"},
    {"mean sum {0}", "和的平均值 {0}"},
    {"{0} of {1} proved optimal", "{1} 个中 {0} 个已证明最优"},
    {"chosen", "选中"},
    {"not chosen", "未选中"},
    {"{0} of the images choose the value", "{0} 的图像选中该值"},
    {"each row a query, its values from left to right", "每行一个查询，从左到右是它的值"},
    {"Query-{0}", "查询 {0}"},
    {"framed: chosen; underlined: in the sum", "框：选中；下划线：在和中"},
    {"The image in its {0}×{1} patches", "图像及其 {0}×{1} 个图块"},
    // boxes
    {"Probability of the true class, by class", "各类别中真实类别的概率"},
    {"1 image each", "每组 1 幅图像"},
    {"{0} images each", "每组 {0} 幅图像"},
    {"{0} and {1} images", "{0} 和 {1} 幅图像"},
    {"box: quartiles and median; whiskers: 1.5 interquartile ranges",
     "箱：四分位数和中位数；须：1.5 倍四分位距"},
    {"probability", "概率"},
    {"probability, by log-odds", "概率（对数几率坐标）"},
    {"true class", "真实类别"},
    // confusion
    {"Confusion: {0}", "混淆矩阵：{0}"},
    {"{0} of {1} right, {2}", "{1}中 {0} 幅正确，{2}"},
    {"orange: wrong, from {0} to {1} of the row", "橙色：错误，占该行的 {0} 至 {1}"},
    {"orange: wrong, {0} of the row", "橙色：错误，占该行的 {0}"},
    {"predicted as", "预测为"},
    {"true class, predicted as", "真实类别，预测为"},
    {"right", "正确"},
    // curves
    {"Training: loss and accuracy", "训练：损失和准确率"},
    {"{0} runs", "{0} 次训练"},
    {"line: training; dashed: test", "实线：训练；虚线：测试"},
    {"line: training; dashed: images held out", "实线：训练；虚线：留出图像"},
    {"line: training; dashed: test or images held out", "实线：训练；虚线：测试或留出图像"},
    {"mean over {0} epochs", "{0} 轮的平均"},
    {"mean over {0} points", "{0} 个点的平均"},
    {"loss", "损失"},
    {"accuracy", "准确率"},
    {"epoch", "轮"},
    {"step", "步"},
    // gaps
    {"Distance to the proven optimum", "与已证明的最优值的距离"},
    {"{0}: {1} % optimal", "{0}：{1} % 最优"},
    {"{0}: {1} % optimal, worst gap {2}", "{0}：{1} % 最优，最大差距 {2}"},
    {", {0} of {1} runs ({2})", "，{1} 次运行中 {0} 次（{2}）"},
    {"{0} to {1} %", "{0} 至 {1} %"},
    {"{0} problems whose optimum is proved", "{0} 个已证明最优值的问题"},
    {"{0} left out, without proof", "{0} 个没有证明，未计入"},
    {"gap: (energy - optimum) / |optimum|", "差距：（能量 - 最优值）/ |最优值|"},
    {"relative gap", "相对差距"},
    {"problems within the gap", "差距以内的问题"},
    {"problems beyond the gap", "超出差距的问题"},
    // targets
    {"Time to target", "达到目标的时间"},
    {"{0}: {1} of {2}", "{0}：{2} 次中 {1} 次"},
    {"{0}: {1} of {2} tasks, {3} of {4} runs ({5})",
     "{0}：{2} 个任务中 {1} 个，{4} 次运行中 {3} 次（{5}）"},
    {" ({0})", "（{0}）"},
    {", 99 % in {0} s", "，{0} 秒内 99 %"},
    {"time until a run reaches the optimum with 99 %", "一次运行以 99 % 的概率达到最优值的时间"},
    {"tasks", "任务"},
    {", median {0} s", "，中位数 {0} 秒"},
    {" ({0} to {1})", "（{0} 至 {1}）"},
    {" ({0} or more)", "（{0} 以上）"},
    {"{0}: runs at an energy as good as {1}", "{0}：能量不差于 {1} 的运行"},
    {"seconds", "秒"},
    {"runs that reached the target", "达到目标的运行"},
    // levels
    {"Levels used of 8 bits", "8 位数值的使用情况"},
    {"{0} matrices", "{0} 个矩阵"},
    {"{0} of up to {1} spins; height: how often, on a logarithmic scale",
     "{0}，最多 {1} 个自旋；高度：出现次数（对数坐标）"},
    {"couplings: up to {0}, {1} of 255 levels", "耦合：最大 {0}，用了 255 个数值中的 {1} 个"},
    {"fields: up to {0}, {1} of 255 levels", "外场：最大 {0}，用了 255 个数值中的 {1} 个"},
    {"level", "数值"},
    // scatter
    {"{0} against {1}", "{0}与{1}"},
    {"{0} points", "{0} 个点"},
    // measurements
    {"Attention: time, roofline and memory", "注意力：时间、屋顶线和内存"},
    {"{0}: peak {1} GFLOP/s, copy {2} GB/s", "{0}：峰值 {1} GFLOP/s，复制 {2} GB/s"},
    {"copy {0} GB/s", "复制 {0} GB/s"},
    {"peak {0} GFLOP/s", "峰值 {0} GFLOP/s"},
    {"milliseconds", "毫秒"},
    {"tokens", "词元数"},
    {"FLOPs for each byte", "每字节的浮点运算数"},
    {"bytes of memory", "内存字节数"},
    {"optimizing", "优化"},
    {"softmax over all keys", "对所有键的 softmax"},
    {"softmax over a pattern", "按固定模式的 softmax"},
    {"softmax over chosen keys", "对选出的键的 softmax"},
    {"kernel or low rank", "核或低秩"},
    {"recurrent", "循环"},
    {"no keys", "无键"},
    {"other", "其他"},
    {"Attention: accuracy against time", "注意力：准确率与时间"},
    {"{0}: a layer at {1} tokens", "{0}：一层，{1} 个词元"},
});
// clang-format on

}  // namespace

std::string_view chinese(std::string_view english) {
  const auto* found = std::ranges::find(kTable, english, &Translation::english);
  return found == kTable.end() ? std::string_view{} : found->chinese;
}

}  // namespace oa::plot
