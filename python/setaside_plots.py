"""Pictures of results as SVG, without any package: a notebook shows them by themselves.

`lines` draws curves, `tree` a congestion tree of `Run.tree_branches`.
"""

from html import escape

# Okabe and Ito: told apart by the colour-blind too.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
DASHES = ("", "6 3", "2 3", "8 3 2 3")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 70, 50, 20, 150


class Svg:
    """A picture; `str` is its text."""

    def __init__(self, width, height, parts):
        self.width, self.height = width, height
        self.text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
            + "\n".join([*parts, "</svg>"])
        )

    def __repr__(self):
        return f"<Svg, {self.width} x {self.height}>"

    def __str__(self):
        return self.text

    def _repr_svg_(self):
        return self.text


def _text(x, y, text, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(str(text))}</text>'


def lines(curves, x="", y=""):
    """Curves by name, each a list of points (x, y); points without a value are left out."""
    curves = {
        name: [(a, b) for a, b in points if a is not None and b is not None]
        for name, points in curves.items()
    }
    points = [point for of_curve in curves.values() for point in of_curve]
    if not points:
        raise ValueError("no point has a value")
    x_max = max(a for a, _ in points) or 1
    y_max = max(b for _, b in points) or 1
    place = lambda a, b: (
        LEFT + (WIDTH - LEFT - RIGHT) * a / x_max,
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * b / y_max,
    )
    parts = []
    for at in range(5):
        (_, line), (column, floor) = place(0, y_max * at / 4), place(x_max * at / 4, 0)
        parts.append(f'<path d="M{LEFT} {line:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        parts.append(_text(LEFT - 6, line + 4, f"{y_max * at / 4:.4g}", "end"))
        parts.append(_text(column, floor + 18, f"{x_max * at / 4:.4g}", "middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x, "middle"))
    turn = f' transform="rotate(-90 16 {HEIGHT / 2:.0f})"'
    parts.append(_text(16, HEIGHT / 2, y, "middle", turn))
    for at, (name, of_curve) in enumerate(curves.items()):
        colour, dash = COLOURS[at % len(COLOURS)], DASHES[at // len(COLOURS) % len(DASHES)]
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        path = "L".join("{:.1f} {:.1f}".format(*place(a, b)) for a, b in sorted(of_curve))
        parts.append(f'<path d="M{path}" {style}><title>{escape(str(name))}</title></path>')
        row = TOP + 12 + 18 * at
        parts.append(f'<path d="M{WIDTH - RIGHT + 12} {row}h20" {style}/>')
        parts.append(_text(WIDTH - RIGHT + 38, row + 4, name))
    return Svg(WIDTH, HEIGHT, parts)


def _depths(branches, root):
    """Ports of a tree by their distance from its root, each with who told it."""
    found = {root: (0, None)}
    for branch in branches:  # in the order in which they joined: who told is there before
        teller = branch["from"] if branch["from"] in found else root
        if branch["port"] not in found:
            found[branch["port"]] = (found[teller][0] + 1, teller)
    return found


def tree(row, at_ns=None):
    """A tree, an entry of `Run.tree_branches["trees"]`: its root on the left, each port beside
    the one that told it. `at_ns`: only ports that held a SAQ for it then."""
    held = lambda b: at_ns is None or (
        b["joined_ns"] <= at_ns and (b["left_ns"] is None or at_ns < b["left_ns"])
    )
    ports = _depths([b for b in row["branches"] if held(b)], row["root"])
    columns = {}
    for port, (depth, _) in ports.items():
        columns.setdefault(depth, []).append(port)
    height = 40 + 20 * max(len(names) for names in columns.values())
    place = {}
    for depth, names in columns.items():
        step = (height - 40) / len(names)
        for at, port in enumerate(names):
            place[port] = (20 + 190 * depth, 30 + step * (at + 0.5))
    parts = []
    for port, (depth, teller) in ports.items():
        x, y = place[port]
        if teller is not None:
            a, b = place[teller]
            parts.append(f'<path d="M{a + 130:.0f} {b:.1f}L{x - 8:.0f} {y:.1f}" stroke="#999999"/>')
        colour = COLOURS[1] if depth == 0 else COLOURS[0]
        parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="4" fill="{colour}"/>')
        parts.append(_text(x + 8, y + 4, port.replace("fabric.", "")))
    when = "" if at_ns is None else f" at {at_ns / 1000:g} us"
    parts.append(_text(12, 16, f"tree {row['tree']}, root {row['root']}{when}"))
    return Svg(190 * len(columns) + 40, height, parts)
