# Writes the problem called NAME, kind-size-seed: awk -v name=NAME -f instance.awk.
#
# palu<density>: G. Palubeckis' problems to be maximised, exactly as his generator draws them;
# palu50-3000-31000 is p3000.1.  be and be3: dense and 30 % (after Billionnet and Elloumi).
# The others are graphs for Max-Cut: g05 without weights, half of the edges; pm1s and pm1d -1 and 1,
# 10 % and 99 %; w01 -10 to 10, 10 %; grid planar and square, torus in three dimensions, weights
# about normal; toruspm -1 and 1; torus2pm in two dimensions; blocks eight g05 of that size, each sharing one vertex with those
# before.

# In (0, 1): the generator of Lewis, Goodman and Miller (1969).
function draw() {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483648
}

function between(low, high) {
  return int(draw() * (high - low + 1)) + low
}

function normal(sum, k) {
  sum = -6
  for (k = 0; k < 12; ++k) sum += draw()
  return int(100000 * sum)
}

function sign() {
  return draw() < 0.5 ? -1 : 1
}

function edge(i, k, weight) {
  if (weight != 0) line[count++] = i " " k " " weight
}

function dense(density, low, high, low_linear, high_linear, i, k) {
  for (i = 0; i < n; ++i) {
    edge(i, i, between(low_linear, high_linear))
    for (k = i + 1; k < n; ++k)
      if (draw() * 100 <= density) edge(i, k, 2 * between(low, high))
  }
}

function graph(density, low, high, i, k) {
  for (i = 1; i <= n; ++i)
    for (k = i + 1; k <= n; ++k)
      if (draw() * 100 < density) edge(i, k, low == -1 ? sign() : between(low, high))
}

function lattice(depth, wraps, kind, x, y, z, i) {
  for (x = 0; x < n; ++x)
    for (y = 0; y < n; ++y)
      for (z = 0; z < depth; ++z) {
        i = (x * n + y) * depth + z + 1
        if (wraps || x + 1 < n) edge(i, ((x + 1) % n * n + y) * depth + z + 1, any(kind))
        if (wraps || y + 1 < n) edge(i, (x * n + (y + 1) % n) * depth + z + 1, any(kind))
        if (depth > 1) edge(i, (x * n + y) * depth + (z + 1) % depth + 1, any(kind))
      }
  n = n * n * depth
}

# n vertices each, of which one is of a block before.
function blocks(number, total, b, i, k, place) {
  total = 1
  for (b = 0; b < number; ++b) {
    place[1] = between(1, total)
    for (i = 2; i <= n; ++i) place[i] = ++total
    for (i = 1; i <= n; ++i)
      for (k = i + 1; k <= n; ++k)
        if (draw() < 0.5) edge(place[i], place[k], 1)
  }
  n = total
}

function any(kind) {
  return kind == "pm" ? sign() : normal()
}

BEGIN {
  split(name, part, "-")
  kind = part[1]; n = part[2]; seed = part[3]
  if (kind !~ /^palu/)
    for (k = 0; k < 100; ++k) draw()
  qubo = kind ~ /^(palu|be)/
  if (kind ~ /^palu/) dense(0 + substr(kind, 5), -100, 100, -100, 100)
  else if (kind == "be") dense(100, -50, 50, -100, 100)
  else if (kind == "be3") dense(30, -50, 50, -100, 100)
  else if (kind == "g05") graph(50, 1, 1)
  else if (kind == "pm1s") graph(10, -1, 1)
  else if (kind == "pm1d") graph(99, -1, 1)
  else if (kind == "w01") graph(10, -10, 10)
  else if (kind == "grid") lattice(1, 0, "normal")
  else if (kind == "torus") lattice(n, 1, "normal")
  else if (kind == "toruspm") lattice(n, 1, "pm")
  else if (kind == "torus2pm") lattice(1, 1, "pm")
  else if (kind == "blocks") blocks(8)
  else { print name ": not known" >"/dev/stderr"; exit 1 }
  if (qubo) {
    for (k = 0; k < count; ++k) {
      split(line[k], part, " ")
      fields += part[1] == part[2]
    }
    print "p qubo 0 " n " " fields " " count - fields
    for (pairs = 0; pairs < 2; ++pairs)
      for (k = 0; k < count; ++k) {
        split(line[k], part, " ")
        if ((part[1] != part[2]) == pairs) print line[k]
      }
  } else {
    print n, count
    for (k = 0; k < count; ++k) print line[k]
  }
}
