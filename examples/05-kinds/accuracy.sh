# Accuracy against time as a picture: SVG, from table.csv.  Usage: accuracy.sh TABLE
# Times are those of the first number of tokens, on a logarithmic axis.
awk -F , '
  NR == 1 { sub("ms_", "", $7); tokens = $7; next }
  { ++n; name[n] = $1; y[n] = 100 * $4; sd[n] = 100 * $5; x[n] = log($7) / log(10)
    if (n == 1 || x[n] < left) left = x[n]
    if (n == 1 || x[n] > right) right = x[n]
    if (n == 1 || y[n] - sd[n] < low) low = y[n] - sd[n]
    if (n == 1 || y[n] + sd[n] > high) high = y[n] + sd[n] }
  function across(v) { return 60 + 620 * (v - left) / (right - left) }
  function down(v) { return 450 - 410 * (v - low) / (high - low) }
  function text(px, py, anchor, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", px, py, anchor, what
  }
  END {
    left -= 0.1; right += 0.25; margin = 0.05 * (high - low) + 0.01; low -= margin; high += margin
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 500\" font-family=\"sans-serif\" font-size=\"9\">"
    print "<rect width=\"760\" height=\"500\" fill=\"white\"/>"
    print "<path d=\"M60 40V450H680\" fill=\"none\" stroke=\"black\"/>"
    step = high - low > 4 ? 1 : high - low > 1 ? 0.5 : 0.1
    for (v = step * int(low / step + 1); v < high; v += step) {
      printf "<path d=\"M56 %.1fH680\" stroke=\"#ddd\"/>\n", down(v)
      text(52, down(v) + 3, "end", sprintf("%.1f", v))
    }
    for (e = int(left) - 1; e <= right; ++e) for (m = 1; m < 6; m += m < 2 ? 1 : 3) {
      v = e + log(m) / log(10)
      if (v < left || v > right) continue
      printf "<path d=\"M%.1f 450v5\" stroke=\"black\"/>\n", across(v)
      text(across(v), 465, "middle", sprintf("%g", m * 10 ^ e))
    }
    text(370, 485, "middle", "milliseconds of a layer at " tokens " tokens, one thread")
    text(60, 30, "start", "per cent of test images")
    for (i = 1; i <= n; ++i) {
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", across(x[i]), down(y[i]),
        name[i] ~ /^optimizing/ ? "#c33" : "#36c"
      if (sd[i] > 0) printf "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#888\"/>\n", across(x[i]),
        down(y[i] - sd[i]), down(y[i] + sd[i])
      text(across(x[i]) + 5, down(y[i]) + 3, "start", name[i])
    }
    print "</svg>"
  }' "$1"
