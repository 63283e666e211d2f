"""A QUBO with a proof: the largest cut of a graph, the Petersen graph."""

import oa

edges = [(k, (k + 1) % 5) for k in range(5)]
edges += [(k, k + 5) for k in range(5)]
edges += [(k + 5, (k + 2) % 5 + 5) for k in range(5)]

# An edge is cut where its ends differ: (1 - s_i s_k) / 2 with spins of -1 and 1.
cut = oa.solve({edge: -0.5 for edge in edges}, offset=len(edges) / 2, vartype="spin", sense="max")
print(f"cut {cut.energy:g} of {len(edges)} edges, {cut.status}")

# All largest cuts, up to the exchange of the two sides.
every = oa.solve(
    {edge: -0.5 for edge in edges}, vartype="spin", sense="max", all_optima=True, fix={0: 1}
)
print(f"{len(every.optima)} largest cuts, complete: {every.optima_complete}")
