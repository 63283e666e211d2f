# Files that are no results: one line each, all counted, the good one still taken, status 3.
make-stream --variables 5 --images 1 --queries 1 -o in.oa
oa-cim-pack -q -o mat.tar.gz in.oa
oa-cim-sim mat.tar.gz -o r --reads 8
python3 -W ignore - <<'P'
import os, zipfile, io, tarfile
os.chdir("r")
put = lambda name, data: open(name, "wb").write(data)
put("b-deep.log", b"[" * 1000000)
put("c-number.log", b'[{"quboValue": 1e999, "solutionVector": [1]}]')
put("d-two.log", b'[{"quboValue": 1, "solutionVector": [2]}]')
put("e-length.log", b'[{"quboValue": 0, "solutionVector": [0]}]')
put("f-empty.log", b"")
put("g-no.pdf", b"%PDF-1.4 no")
put("h-html.pdf", b"<html>")
with zipfile.ZipFile("i.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("../../up.log", "[]")
    z.writestr("/abs.log", "[]")
    z.writestr("zeros.log", bytes(70 << 20))
    z.writestr("nested.zip", "PK")
    z.writestr("notes.txt", "?")
    z.writestr("same.log", "x")
    z.writestr("same.log", "y")
t = tarfile.open("j.tar", "w")
for name, kind in (("link.log", tarfile.SYMTYPE), ("device.log", tarfile.CHRTYPE)):
    info = tarfile.TarInfo(name); info.type = kind; info.linkname = "/etc/passwd"; t.addfile(info)
t.close()
put("k.zip", b"PK\x03\x04 broken")
P
oa-cim-ingest mat.manifest r -o out.oa
echo "status $?"
oa-view --check out.oa
ls -A . ..  | grep -c 'up.log\|abs.log'
true
