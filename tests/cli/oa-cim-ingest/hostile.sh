# Files that are not results: one line each, all counted, the good one still taken, status 3.
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

def pdf(*objects, trailer=b""):
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % at for at in offsets)
    return out + b"trailer <</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, trailer, start)

pages = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
         b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>")
put("l-empty.pdf", pdf(*pages))
# Keys that belong to no password.
secret = b"<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>" % (b"ab" * 32, b"cd" * 32)
put("m-secret.pdf", pdf(*pages, secret, trailer=b"/Encrypt 4 0 R/ID[<00><00>]"))
put("n-bomb.pdf", pdf(b"<</Type/Catalog/Pages 2 0 R>>",
                      b"<</Type/Pages/Kids[2 0 R]/Count 1000000000>>"))
kids = b" ".join(b"%d 0 R" % k for k in range(3, 1004))
put("n-long.pdf", pdf(pages[0], b"<</Type/Pages/Kids[%s]/Count 1001>>" % kids, *[pages[2]] * 1001))
stored = io.BytesIO()
with zipfile.ZipFile(stored, "w") as z:
    z.writestr("locked.log", "[]" * 20)
stored = bytearray(stored.getvalue())
stored[6] |= 1                              # encrypted, says the file's header
stored[stored.rindex(b"PK\x01\x02") + 8] |= 1  # and the directory
put("o.zip", bytes(stored))
with zipfile.ZipFile("p.zip", "w") as z:
    z.writestr("\u4efb\u52a1\n\x1b[31m.log", "?")
for name, form in (("q.tar", tarfile.USTAR_FORMAT), ("r.tar", tarfile.PAX_FORMAT)):
    with tarfile.open(name, "w", format=form) as t:
        info = tarfile.TarInfo("\u4efb\u52a1.log"); info.size = 1
        t.addfile(info, io.BytesIO(b"?"))
P
status oa-cim-ingest mat.manifest r -o out.oa
oa-view --check out.oa
ls -A . ..  | grep -c 'up.log\|abs.log'
true
