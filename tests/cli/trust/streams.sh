# Every command with standard streams closed: commands that need none work, those that write
# to the closed one or reads from it says so; no file takes its place.
. "$CASE_DIR/inputs"
try() {
  in_folder open
  one=$status
  plain=$command
  command="$plain <&-"
  case $plain in *"<"*) command="$plain 2>&1" ;; esac
  in_folder in-closed
  two=$status
  command="$plain >&-"
  in_folder out-closed
  three=$status
  command="$plain 2>&-"
  in_folder err-closed
  echo "$name: $one; without stdin $two, stdout $three, stderr $status"
  cat "out-closed/$name.err"
}
each_case try
diff -r open in-closed
diff -r open err-closed
# Files written with standard output closed are complete.
(cd out-closed && find . -mindepth 2 -type f) | while read -r file; do
  cmp "open/$file" "out-closed/$file"
done
