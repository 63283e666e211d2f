# Every command in a read-only folder: commands that make files report it.
# Root may write anywhere, so root becomes nobody.
. "$CASE_DIR/inputs"
mkdir folder
chmod 755 .. .
chmod 555 folder
as=
[ "$(id -u)" != 0 ] || as='setpriv --reuid=65534 --regid=65534 --clear-groups'
$as oa-view --version >/dev/null 2>&1 || { echo "nobody cannot run oa-view here"; exit 77; }
try() {
  (cd folder && eval "$as $command") >/dev/null 2>err
  echo "$name: status $?"
  cat err
}
each_case try
ls -A folder
