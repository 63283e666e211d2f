"""Forged results of a machine, and what oa-cim-ingest says of them.

Usage: forged.py FOLDER-OF-TOOLS FOLDER-OF-MAKE-STREAM

Twelve tasks are packed and solved by oa-cim-sim.  Each forgery below is made of these
results, and must give the outcome beside it:
  refused   status 3, or 1 where a file cannot be read; nothing of it is in the solutions
  reported  a warning or a count tells of it
  harmless  no message, and the solutions are those of the genuine results
Prints a line for each, and a table; status 1 if one is taken otherwise.
"""
import gzip, io, json, os, re, shutil, subprocess, sys, tarfile, tempfile, zipfile

TOOLS, MADE = (os.path.abspath(path) for path in sys.argv[1:3])
T = 5  # the task whose log is forged

# -- the genuine results --------------------------------------------------------------


def run(*command):
    tool = os.path.join(MADE if command[0] == "make-stream" else TOOLS, command[0])
    return subprocess.run([tool, *command[1:]], capture_output=True, text=True)


def pack(stream, name, *options, sim=()):
    """Packs and solves: the folder of results."""
    for command in (("oa-cim-pack", "-q", *options, "-o", f"{name}.tar.gz", stream),
                    ("oa-cim-sim", f"{name}.tar.gz", "-o", name, "--reads", "8", *sim)):
        done = run(*command)
        if done.returncode != 0:
            sys.exit(done.stderr)
    return name


def log_name(task, upload="mat0-11"):
    return f"{upload}_{task + 1:02}.log"


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


# -- kinds of forgeries, each a function of the folder that it spoils --------------------


def text(change):
    """The bytes of the log."""
    def forge(folder):
        path = f"{folder}/{log_name(T)}"
        write(path, change(read(path)))
    return forge


def shots(change):
    """Its solutions, as Python has them."""
    def change_bytes(data):
        solutions = json.loads(data)
        return json.dumps(change(solutions) or solutions)
    return text(change_bytes)


def energy(change, k=0):
    def change_one(s):
        s[k]["quboValue"] = change(s[k]["quboValue"])
    return shots(change_one)


def vector(change, k=0):
    def change_one(s):
        s[k]["solutionVector"] = change(s[k]["solutionVector"])
    return shots(change_one)


def first(old, new):
    """The first solution, as text: `old` becomes `new`, where {} is the energy."""
    def change(data):
        value = json.dumps(json.loads(data)[0]["quboValue"])
        return data.decode().replace(old.replace("{}", value), new.replace("{}", value), 1)
    return text(change)


def only(energy, x):
    return shots(lambda s: [{"quboValue": energy, "solutionVector": x}])


def renamed(*names):
    """The log under other names; the last replaces all earlier ones."""
    def forge(folder):
        data = read(f"{folder}/{log_name(T)}")
        os.remove(f"{folder}/{log_name(T)}")
        for name in names:
            write(f"{folder}/{name}", data)
    return forge


def added(name, make):
    """One more file."""
    return lambda folder: write(f"{folder}/{name}", make())


def both(*forgeries):
    def forge(folder):
        for one in forgeries:
            one(folder)
    return forge


def emptied(folder):
    shutil.rmtree(folder)
    os.mkdir(folder)


def all_of(results, suffix=".log"):
    """All results of another run in the place of the genuine ones."""
    def forge(folder):
        emptied(folder)
        for name in os.listdir(results):
            if name.endswith(suffix):
                shutil.copy(f"{results}/{name}", folder)
    return forge


def archived(entries, make=None):
    """A zip of (name, bytes) in the place of all; `make` spoils its bytes."""
    def forge(folder):
        packed = io.BytesIO()
        listed = entries(folder)
        with zipfile.ZipFile(packed, "w") as z:
            for name, data in listed:
                z.writestr(name, data)
        emptied(folder)
        write(f"{folder}/results.zip", (make or (lambda b: b))(packed.getvalue()))
    return forge


def logs(folder, where=""):
    return [(where + name, read(f"{folder}/{name}")) for name in sorted(os.listdir(folder))]


def linked(folder):
    shutil.move(f"{folder}/{log_name(T)}", "elsewhere")
    with tarfile.open(f"{folder}/results.tar", "w") as t:
        info = tarfile.TarInfo(log_name(T))
        info.type, info.linkname = tarfile.SYMTYPE, os.path.abspath("elsewhere")
        t.addfile(info)


def exchanged(folder):
    a, b = (f"{folder}/{log_name(t)}" for t in (T, T + 1))
    os.rename(a, "aside")
    os.rename(b, a)
    os.rename("aside", b)


def zeros(folder):
    for t in range(12):
        path = f"{folder}/{log_name(t)}"
        x = json.loads(read(path))[0]["solutionVector"]
        write(path, json.dumps([{"quboValue": 0.0, "solutionVector": [0] * len(x)}]))


def report(change=lambda pdf: pdf, results="mat"):
    """The report in the place of the log."""
    def forge(folder):
        os.remove(f"{folder}/{log_name(T)}")
        name = log_name(T).replace(".log", ".pdf")
        write(f"{folder}/{name}", change(read(f"{results}/{name}")))
    return forge


def printed(old, new):
    """The first `old` that the report prints becomes `new`; both are as long."""
    code = lambda words: words.encode("utf-16-be").hex().upper().encode()
    def change(pdf):
        assert code(old) in pdf and len(old) == len(new)
        return pdf.replace(code(old), code(new), 1)
    return report(change)


# -- the forgeries -----------------------------------------------------------------------


def forgeries():
    genuine = json.loads(read(f"mat/{log_name(T)}"))
    best, size = genuine[0]["quboValue"], len(genuine[0]["solutionVector"])
    bit = genuine[0]["solutionVector"][0]
    other = lambda t=T, run="again": read(f"{run}/{log_name(t)}")
    flip = lambda x: [1 - x[0]] + x[1:]
    nan = lambda word: first('"quboValue": {}', f'"quboValue": {word}')
    return [
        ("energies",),
        ("lower by 1", "refused", energy(lambda e: e - 1)),
        ("higher by 1", "refused", energy(lambda e: e + 1)),
        ("of the last solution, lower by 1", "refused", energy(lambda e: e - 1, -1)),
        ("off by one level, 4", "refused", energy(lambda e: e + 4)),
        ("off by 1e-6", "refused", energy(lambda e: e + 1e-6)),
        ("off by -1e-6", "refused", energy(lambda e: e - 1e-6)),
        ("off by 1e-9 of itself", "refused", energy(lambda e: e * (1 + 1e-9))),
        ("off by the last bit", "refused", energy(lambda e: e * (1 + 2**-52))),
        ("doubled", "refused", energy(lambda e: 2 * e)),
        ("of the other sign", "refused", energy(lambda e: -e)),
        ("all shifted by 100", "refused", shots(
            lambda s: [{**one, "quboValue": one["quboValue"] - 100} for one in s])),
        ("of two solutions exchanged", "refused", shots(
            lambda s: [{**s[0], "quboValue": s[-1]["quboValue"]}, *s[1:-1],
                       {**s[-1], "quboValue": s[0]["quboValue"]}])),
        ("a text", "refused", energy(str)),
        ("null", "refused", energy(lambda e: None)),
        ("true", "refused", energy(lambda e: True)),
        ("in an array", "refused", energy(lambda e: [e])),
        ("in an object", "refused", energy(lambda e: {"quboValue": e})),
        ("NaN", "refused", nan("NaN")),
        ("-Infinity", "refused", nan("-Infinity")),
        ("-1e999", "refused", nan("-1e999")),
        ("-1e308", "refused", nan("-1e308")),
        ("with a decimal comma", "refused", nan(str(best).replace(".", ","))),
        ("in hexadecimal", "refused", nan("-0x10")),
        ("missing", "refused", shots(lambda s: s[0].pop("quboValue") and None)),
        ("without its decimal point", "harmless", energy(int)),
        ("with an exponent", "harmless", nan(f"{best:e}")),
        ("members",),
        ("quboValue twice, the lower one last", "refused",
         first('"quboValue": {}', '"quboValue": {}, "quboValue": -9999.0')),
        ("quboValue twice, the lower one first", "refused",
         first('"quboValue": {}', '"quboValue": -9999.0, "quboValue": {}')),
        ("quboValue twice, the same", "refused",
         first('"quboValue": {}', '"quboValue": {}, "quboValue": {}')),
        ("quboValue twice, once escaped", "refused",
         first('"quboValue": {}', '"quboValue": {}, "qubo\\u0056alue": -9999.0')),
        ("solutionVector twice", "refused", first(
            '"solutionVector"', f'"solutionVector": {[0] * size}, "solutionVector"')),
        ("result twice", "refused", first('"result": 0', '"result": 0, "result": 1')),
        ("another member twice", "refused", first('"result": 0', '"a": 0, "a": 0')),
        ("a member twice deep inside", "refused",
         first('"result": 0', '"a": {"b": 0, "b": 0}')),
        ("quboValue in other letters", "refused", first('"quboValue"', '"QuboValue"')),
        ("quboValue escaped", "harmless", first('"quboValue"', '"qubo\\u0056alue"')),
        ("more members", "harmless",
         first('"result": 0', '"maxcutValue": 7, "more": {"quboValue": -9999}')),
        ("no number of the result", "harmless", first('"result": 0, ', "")),
        ("solutions",),
        ("a bit flipped", "refused", vector(flip)),
        ("all bits flipped", "refused", vector(lambda x: [1 - v for v in x])),
        ("in the reverse order of variables", "refused", vector(lambda x: x[::-1])),
        ("all zero, with the best energy", "refused", vector(lambda x: [0] * size)),
        ("all one, with the best energy", "refused", vector(lambda x: [1] * size)),
        ("a value 2", "refused", vector(lambda x: [2] + x[1:])),
        ("a value 0.5", "refused", vector(lambda x: [0.5] + x[1:])),
        ("a value 1e-300", "refused", vector(lambda x: [1e-300] + x[1:])),
        ('a value "1"', "refused", vector(lambda x: [str(x[0])] + x[1:])),
        ("a value true", "refused", vector(lambda x: [True] + x[1:])),
        ("a value null", "refused", vector(lambda x: [None] + x[1:])),
        ("0 and -1 mixed", "refused", vector(lambda x: [0, -1] + x[2:])),
        ("one variable less", "refused", vector(lambda x: x[:-1])),
        ("one variable more", "refused", vector(lambda x: x + [0])),
        ("one variable less, in all", "refused", shots(lambda s: [
            {**one, "solutionVector": one["solutionVector"][:-1]} for one in s])),
        ("one variable more, in all", "refused", shots(lambda s: [
            {**one, "solutionVector": one["solutionVector"] + [0]} for one in s])),
        ("empty", "refused", vector(lambda x: [])),
        ("an array in the array", "refused", vector(lambda x: [x])),
        ("each value in an array", "refused", vector(lambda x: [[v] for v in x])),
        ("a text of digits", "refused", vector(lambda x: "".join(map(str, x)))),
        ("missing", "refused", shots(lambda s: s[0].pop("solutionVector") and None)),
        ("10,001 of them", "refused", shots(lambda s: s[:1] * 10001)),
        ("none", "refused", text(lambda data: b"[]")),
        ("spins for bits", "harmless", vector(lambda x: [2 * v - 1 for v in x])),
        ("numbers with a point, and -0.0", "harmless",
         vector(lambda x: [float(v) or -0.0 for v in x])),
        ("in another order", "harmless", shots(lambda s: s[::-1])),
        ("each twice", "harmless", shots(lambda s: s + s)),
        ("the best alone", "harmless", shots(lambda s: s[:1])),
        ("the worst alone", "reported", shots(lambda s: s[-1:])),
        ("energies that prove nothing",),
        ("all zero, energy 0, beside the others", "harmless",
         shots(lambda s: s + [{"quboValue": 0, "solutionVector": [0] * size}])),
        ("all zero, energy 0, nothing else", "reported", only(0.0, [0] * size)),
        ("all zero, energy -0.0", "reported", only(-0.0, [0] * size)),
        ("the same without a name", "refused",
         both(only(0.0, [0] * size), renamed("result.log"))),
        ("the same with a name beyond all tasks", "refused",
         both(only(0.0, [0] * size), renamed("mat12.log"))),
        ("all twelve logs all zero", "reported", zeros),
        ("files",),
        ("empty", "refused", text(lambda data: b"")),
        ("cut in the middle", "refused", text(lambda data: data[:len(data) // 2])),
        ("cut by a byte", "refused", text(lambda data: data[:-1])),
        ("a NUL byte", "refused", text(lambda data: data + b"\0")),
        ("two arrays", "refused", text(lambda data: data + data)),
        ("words after the array", "refused", text(lambda data: data + b" done")),
        ("a comma too many", "refused", text(lambda data: data[:-1] + b",]")),
        ("single quotes", "refused", text(lambda data: data.replace(b'"', b"'"))),
        ("a comment", "refused", text(lambda data: b"/* ok */" + data)),
        ("no array around it", "refused", text(lambda data: data[1:-1])),
        ("an object around it", "refused", text(lambda data: b'{"data":' + data + b"}")),
        ("two tasks in one file", "refused",
         text(lambda data: data[:-1] + b"," + read(f"mat/{log_name(T + 1)}")[1:])),
        ("UTF-16", "refused", text(lambda data: data.decode().encode("utf-16"))),
        ("a page of HTML", "refused", text(lambda data: b"<html>log in</html>")),
        ("1,000 levels", "refused", text(lambda data: b"[" * 1000)),
        ("a byte order mark", "harmless", text(lambda data: b"\xef\xbb\xbf" + data)),
        ("CR LF, on many lines", "harmless",
         text(lambda data: data.replace(b", ", b",\r\n"))),
        ("CR alone", "harmless", text(lambda data: data.replace(b", ", b",\r"))),
        ("packed by gzip", "harmless", text(gzip.compress)),
        ("names",),
        ("two exchanged", "reported", exchanged),
        ("another task's", "reported", both(
            renamed("mat7.log"), lambda folder: os.remove(f"{folder}/{log_name(7)}"))),
        ("another task's place", "reported", renamed("mat0-11_07 .log", "mat0-11_04.json")),
        ("none", "harmless", renamed("result.log")),
        ("leading zeros", "harmless", renamed("mat005.log")),
        ("a number with a sign", "harmless", renamed("-7.log")),
        ("a number beyond all tasks", "harmless", renamed("mat99.log")),
        ("a number of 30 digits", "harmless", renamed(f"mat{'9' * 30}.log")),
        ("capital letters", "harmless", renamed("MAT0-11_06.LOG")),
        ("control characters", "harmless", renamed("\x1b[31m\n5.log")),
        ("not those of results", "reported", renamed("mat5.txt")),
        ("the same log twice", "reported", renamed("mat5.log", "copy.log")),
        ("results from elsewhere",),
        ("another run, as a second result", "reported", added("more.log", other)),
        ("another run, in its place", "harmless", text(lambda data: other())),
        ("task 6, in its place", "reported",
         text(lambda data: read(f"mat/{log_name(T + 1)}"))),
        ("another run of task 6, in its place", "reported", text(lambda data: other(T + 1))),
        ("another pack: other images", "refused", all_of("images")),
        ("another pack: of 6 bits", "refused", all_of("bits")),
        ("another pack: of best precision", "refused", all_of("best")),
        ("another pack: merged", "refused", all_of("merged")),
        ("another pack: of spins", "refused", all_of("spins")),
        ("archives",),
        ("a path that climbs out", "harmless",
         archived(lambda folder: logs(folder, "../../up/"))),
        ("an absolute path", "harmless", archived(lambda folder: logs(folder, "/up/"))),
        ("a log twice, the same", "reported",
         archived(lambda folder: logs(folder) + logs(folder, "b/")[T:T + 1])),
        ("a log twice, once wrong", "refused", archived(lambda folder: logs(folder) + [
            (f"b/{log_name(T)}", read(f"{folder}/{log_name(T)}").replace(b"-", b""))])),
        ("an archive in it", "refused", archived(
            lambda folder: logs(folder) + [("more.zip", b"PK")])),
        ("cut", "refused", archived(logs, lambda data: data[:len(data) // 2])),
        ("a link to the log", "refused", linked),
        ("reports",),
        ("the report alone", "harmless", report()),
        ("the log and its report", "harmless",
         added("r.pdf", lambda: read(f"mat/{log_name(T)[:-3]}pdf"))),
        ("called a log", "harmless", both(report(), lambda folder: os.rename(
            f"{folder}/{log_name(T)[:-3]}pdf", f"{folder}/mat5.log"))),
        ("a log called a report", "harmless", renamed("mat5.pdf")),
        ("a report that says more than the log", "reported", both(
            shots(lambda s: s[:-1]),
            added("r.pdf", lambda: read(f"mat/{log_name(T)[:-3]}pdf")))),
        ("a report of failure", "reported", printed("成功", "失败")),
        ("a report of failure beside the log", "reported", both(
            printed("成功", "失败"), added(log_name(T), lambda: read(f"mat/{log_name(T)}")))),
        ("without a state", "refused", printed("任务状态", "任务任务")),
        ("an energy of another sign", "refused", printed("= -", "=  ")),
        ("an energy that is not a number", "refused", printed("= -", "= x")),
        ("a bit flipped", "refused", printed(f"[{bit}, ", f"[{1 - bit}, ")),
        ("a value 2", "refused", printed(f"[{bit}, ", "[2, ")),
        ("a malformed run time", "refused", printed("ms", "??")),
        ("the matrix of another task", "reported", printed("5.csv", "6.csv")),
        ("cut", "refused", report(lambda pdf: pdf[:len(pdf) // 8])),
    ]


# -- expected messages -------------------------------------------------------------------


def solutions(path):
    """The x of every image."""
    found = []
    with open(path, "rb") as f:
        while size := f.read(8):
            header = json.loads(f.read(int.from_bytes(size, "little")))
            header.pop("__metadata__", None)
            ends = [t["data_offsets"] for t in header.values()]
            data = f.read(max((end for _, end in ends), default=0))
            if "x" in header:
                found.append(data[slice(*header["x"]["data_offsets"])])
    return found


def ingest(folder):
    """The status, the counts, the warnings and the solutions."""
    done = run("oa-cim-ingest", "--json", "--verbose", "--missing", "exact", "-o", "out.oa",
               "mat.manifest", folder)
    *warnings, last = done.stderr.splitlines()
    counts = json.loads(last) if last.startswith("{") else {}
    heads = ("oa-cim-ingest: warning: ", f"{folder}/")
    said = []
    for line in warnings:
        for head in heads:
            line = line.removeprefix(head)
        said.append(line)
    x = solutions("out.oa") if os.path.exists("out.oa") else None
    if x is not None:
        os.remove("out.oa")
    return done.returncode, counts, said, x


def outcome(status, counts, said, x, truth):
    """How a forgery was taken, and in which words."""
    told = [f"{name} {counts[name]}" for name in
            ("missing", "duplicate", "failed", "by_name", "ignored", "renamed")
            if counts.get(name)]
    if counts.get("best_is_optimal") != counts.get("checked"):
        told.append(f"best is optimal {counts['best_is_optimal']} of {counts['checked']}")
    words = said[0] if said else "; ".join(told) or "-"
    if len(said) > 1:
        words += f" (and {len(said) - 1} more)"
    if status == 3 or (status == 1 and counts.get("unreadable")):
        return ("refused" if x == truth else "WRONG RESULT"), words
    if status > 3 or x is None:
        return f"STATUS {status}", words
    if said or told:
        return "reported", words
    return ("harmless" if x == truth else "WRONG RESULT"), words


def main():
    for seed, name in ((1, "in.oa"), (2, "other.oa")):
        run("make-stream", "--variables", "8", "--images", "3", "--queries", "4",
            "--seed", str(seed), "-o", name)
    pack("in.oa", "mat")
    pack("in.oa", "again", sim=("--seed", "7"))
    pack("other.oa", "images")
    pack("in.oa", "bits", "--bits", "6")
    pack("in.oa", "best", "--precision", "best")
    pack("in.oa", "merged", "--merge", "--spins", "20")
    pack("in.oa", "spins", "--format", "ising", sim=("--format", "ising"))
    for name in os.listdir("again"):  # another run of the same upload
        mine = f"again/{name.replace('again', 'mat')}"
        os.rename(f"again/{name}", mine)
        if mine.endswith(".log"):  # in which something else was found
            write(mine, json.dumps(json.loads(read(mine))[:-1]))
    os.mkdir("genuine")
    all_of("mat")("genuine")
    status, _, said, truth = ingest("genuine")
    if status != 0 or said:
        sys.exit(f"the genuine results: status {status}, {said}")
    kinds = ("refused", "reported", "harmless", "otherwise")
    table = {}
    for entry in forgeries():
        if len(entry) == 1:
            counts = table[entry[0]] = dict.fromkeys(kinds, 0)
            print(f"\n{entry[0]}:")
            continue
        what, expected, forge = entry
        shutil.copytree("genuine", "r")
        forge("r")
        got, words = outcome(*ingest("r"), truth)
        counts[got if got == expected else "otherwise"] += 1
        wrong = "" if got == expected else f" (expected {expected})"
        words = re.sub(r"byte \d+", "byte N", words).removeprefix(f"{log_name(T)}: ")
        print(f"  {what:40} {got + wrong:9} {words}")
        shutil.rmtree("r")
    table["all"] = {k: sum(counts[k] for counts in table.values()) for k in kinds}
    print()
    row = lambda *cells: print("| {:28} | {:>5} | {:>7} | {:>8} | {:>8} | {:>9} |".format(*cells))
    row("forged", "tried", *kinds)
    row(*["---"] * 6)
    for what, counts in table.items():
        row(what, sum(counts.values()), *counts.values())
    sys.exit(table["all"]["otherwise"] > 0)


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    main()
