#pragma once

#include "app/context.h"
#include "oa/train/ranks.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace oa::app {

/// What the module that knows MPI is given, and its two functions: one says of which
/// version it is, the other joins the other ranks.
struct Joining {
  std::stop_token stop;
  std::function<void(const std::string&)> warn;
};
using JoinRanks = train::Ranks*(const Joining&);
constexpr const char* kJoinRanks = "oa_join_ranks";
using RanksVersion = const char*();
constexpr const char* kRanksVersion = "oa_ranks_version";

/// The processes that mpirun or srun has started together, this one among them; nothing
/// if it was started alone.  Then MPI is not loaded.  Throws IoError if the module is
/// not installed, or that of another version is.
[[nodiscard]] std::unique_ptr<train::Ranks> join_ranks(Context& context);

/// Runs `prepare` on all ranks and compares what they say.  If it threw on one of them,
/// or if two differ, rank 0 throws an error that names the rank and what is wrong, and
/// the others return the status to end with.
[[nodiscard]] std::optional<Exit> agree(
    train::Ranks& ranks,
    const std::function<std::map<std::string, std::string>()>& prepare);

}  // namespace oa::app
