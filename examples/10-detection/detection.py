"""MIMO detection: channels, linear detectors, a plain sphere decoder, and the table.

    detection.py make USERS MODULATION SNR TRIALS SEED FOLDER
    detection.py contest FILE.npz SNR FOLDER
    detection.py table FOLDER...
    detection.py figure OUT.svg USERS FOLDER...

`make` and `contest` write V.npy, Q.npy and sent.npy for oa-qubo and oa-score, and
baselines.json.  A file of the contest has channels `H`, received `y` and sent `bits`.
"""

import json
import pathlib
import sys

import numpy as np

# Levels of the real and of the imaginary part; BPSK has real symbols.
LEVELS = {"bpsk": 2, "4qam": 2, "16qam": 4, "64qam": 8, "256qam": 16}
SPHERE_USERS = 8  # the plain decoder is for few users


def values(levels):
    return np.arange(1 - levels, levels, 2.0)


def gray_bits(symbols, levels):
    """Bits of the Gray codes of the levels, for real parts and imaginary parts."""
    parts = np.stack([symbols.real, symbols.imag], -1) if np.iscomplexobj(symbols) else symbols
    level = np.rint((parts + levels - 1) / 2).astype(int)
    code = level ^ (level >> 1)
    return (code[..., None] >> np.arange(int(np.log2(levels)))) & 1


def sliced(symbols, levels):
    """The nearest symbol."""

    def nearest(part):
        return np.clip(2 * np.rint((part + levels - 1) / 2) - (levels - 1), 1 - levels, levels - 1)

    if np.iscomplexobj(symbols):
        return nearest(symbols.real) + 1j * nearest(symbols.imag)
    return nearest(symbols)


def linear(channel, received, noise, power, levels, real):
    """Zero forcing for noise 0, else the least mean squared error, without its bias."""
    h, y = real_form(channel, received) if real else (channel, received)
    filter_ = np.linalg.solve(h.conj().T @ h + noise / power * np.eye(h.shape[1]), h.conj().T)
    return sliced(filter_ @ y / np.real(np.sum(filter_.T * h, axis=0)), levels)


def real_form(channel, received):
    """For real symbols: real parts beside imaginary parts."""
    return np.vstack([channel.real, channel.imag]), np.r_[received.real, received.imag]


def sphere(channel, received, levels, real):
    """The nearest point, depth first, the nearest level first (Schnorr and Euchner)."""
    h, y = real_form(channel, received)
    if not real:
        h = np.hstack([h, np.vstack([-channel.imag, channel.real])])
    q, r = np.linalg.qr(h)
    target = q.T @ y
    n = h.shape[1]
    best, found = np.inf, None
    x = np.zeros(n)

    def search(k, length):
        nonlocal best, found
        if k < 0:
            best, found = length, x.copy()
            return
        rest = target[k] - r[k, k + 1 :] @ x[k + 1 :]
        for value in sorted(values(levels), key=lambda v: abs(rest - r[k, k] * v)):
            longer = length + (rest - r[k, k] * value) ** 2
            if longer >= best:
                return
            x[k] = value
            search(k - 1, longer)

    search(n - 1, 0.0)
    half = n // 2
    return found if real else found[:half] + 1j * found[half:]


def make(users, modulation, snr, trials, seed, folder):
    rng = np.random.default_rng(seed)
    levels, real = LEVELS[modulation], modulation == "bpsk"
    shape = (trials, users)

    def draw():
        return rng.choice(values(levels), size=shape)

    sent = draw() if real else draw() + 1j * draw()
    normal = rng.standard_normal((2, trials, users, users)) / np.sqrt(2)
    channel = normal[0] + 1j * normal[1]
    power = (levels**2 - 1) / 3 * (1 if real else 2)
    noise = users * power / 10 ** (snr / 10)
    normal = rng.standard_normal((2, *shape)) * np.sqrt(noise / 2)
    received = np.einsum("tau,tu->ta", channel, sent) + normal[0] + 1j * normal[1]
    write(folder, channel, received, sent, modulation, snr, noise)


def contest(path, snr, folder):
    """The bits of the contest as symbols: b0, b2, ... of the real part, b1, b3, ... of the other."""
    with np.load(path) as file:
        channel, received, bits = (np.asarray(file[name]) for name in ("H", "y", "bits"))
    count = bits.shape[2] // 2

    def part(signs):
        level = signs[..., -1]
        for k in range(count - 1):
            level = signs[..., count - 2 - k] * (2.0 ** (k + 1) - level)
        return level

    signs = 1.0 - 2.0 * bits
    sent = part(signs[..., 0::2]) + 1j * part(signs[..., 1::2])
    modulation = {1: "4qam", 2: "16qam", 3: "64qam", 4: "256qam"}[count]
    power = (LEVELS[modulation] ** 2 - 1) / 3 * 2
    noise = channel.shape[2] / 10 ** (snr / 10)
    write(folder, channel / np.sqrt(power), received, sent, modulation, snr, noise)


def write(folder, channel, received, sent, modulation, snr, noise):
    levels, real = LEVELS[modulation], modulation == "bpsk"
    power = (levels**2 - 1) / 3 * (1 if real else 2)
    trials, users = sent.shape
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "V.npy", channel.transpose(0, 2, 1))
    np.save(folder / "Q.npy", received[:, None, :])
    np.save(folder / "sent.npy", sent)
    wrong = {"zero forcing": [], "mmse": [], "sphere": []}
    bits = gray_bits(sent, levels)
    for t in range(trials):
        h, y = channel[t], received[t]
        answers = {
            "zero forcing": linear(h, y, 0.0, power, levels, real),
            "mmse": linear(h, y, noise / 2 if real else noise, power, levels, real),
        }
        if users <= SPHERE_USERS:
            answers["sphere"] = sphere(h, y, levels, real)
        for name, answer in answers.items():
            wrong[name].append(np.mean(gray_bits(answer, levels) != bits[t]))
    facts = {
        "users": users,
        "modulation": modulation,
        "snr": snr,
        "noise": noise,
        "bit_errors": {name: float(np.mean(w)) for name, w in wrong.items() if w},
    }
    (folder / "baselines.json").write_text(json.dumps(facts))


def rows(folders):
    for folder in map(pathlib.Path, folders):
        facts = json.loads((folder / "baselines.json").read_text())
        errors = dict(facts["bit_errors"])
        scores = {p.stem: json.loads(p.read_text()) for p in sorted(folder.glob("*.score"))}
        for name, score in scores.items():
            errors[name] = score["bit_errors"]
        exact = scores.get("exact", {})
        yield facts, errors, exact


def table(folders):
    names = ["zero forcing", "mmse", "sphere", "exact", "sa", "marginals", "machine8", "best8"]
    print("users modulation snr  " + "  ".join(names) + "  proved  us median")
    for facts, errors, exact in rows(folders):
        cells = [f"{errors[n]:.4f}".rjust(len(n)) if n in errors else "-".rjust(len(n)) for n in names]
        proved = f"{exact['proved_optimal']}/{exact['qubos']}" if exact else "-"
        median = f"{1e6 * exact['seconds_median']:.0f}" if exact else "-"
        print(
            f"{facts['users']:5} {facts['modulation']:>10} {facts['snr']:3g}  "
            + "  ".join(cells)
            + f"  {proved}  {median}"
        )


def figure(out, users, folders):
    """Bit errors of systems with so many users against SNR; times against users."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "oa", "font.size": 9})
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    styles = {"exact": "-", "mmse": "--", "machine8": ":"}
    markers = {"bpsk": "o", "4qam": "s", "16qam": "^"}
    curves, times = {}, {}
    for facts, errors, exact in rows(folders):
        modulation = facts["modulation"]
        for name in styles:
            if facts["users"] == users and name in errors:
                curves.setdefault((modulation, name), []).append((facts["snr"], errors[name] or np.nan))
        if exact:
            key = (modulation, facts["snr"])
            times.setdefault(key, []).append((facts["users"], 1e6 * exact["seconds_median"]))
    colors = {modulation: f"C{k}" for k, modulation in enumerate(LEVELS)}
    for (modulation, name), points in sorted(curves.items()):
        look = {"color": colors[modulation], "marker": markers.get(modulation, "."), "linestyle": styles[name]}
        left.semilogy(*zip(*sorted(points)), label=f"{modulation}: {name}", **look)
    for (modulation, snr), points in sorted(times.items()):
        look = {"color": colors[modulation], "marker": markers.get(modulation, "."), "alpha": 0.4 + 0.02 * snr}
        right.loglog(*zip(*sorted(points)), label=f"{modulation}, {snr:g} dB", **look)
    counts = sorted({count for points in times.values() for count, _ in points})
    right.set_xticks(counts, [str(count) for count in counts], minor=False)
    right.minorticks_off()
    left.set(xlabel="SNR in dB", ylabel="share of wrong bits", title=f"{users} users")
    right.set(xlabel="users", ylabel="microseconds, median", title="optimum")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small", ncols=2)
    figure.savefig(out, metadata={"Date": None})


if __name__ == "__main__":
    command, *words = sys.argv[1:]
    if command == "make":
        users, modulation, snr, trials, seed, folder = words
        make(int(users), modulation, float(snr), int(trials), int(seed), pathlib.Path(folder))
    elif command == "contest":
        contest(words[0], float(words[1]), pathlib.Path(words[2]))
    elif command == "table":
        table(words)
    else:
        figure(words[0], int(words[1]), words[2:])
