// Figures: which lines are drawn, values under the pointer and by the keyboard.
const DRAWN_MAX = 48;
const unpack = text => Array.from({ length: text.length / 2 }, (_, n) =>
  (LOOKS.digits.indexOf(text[2 * n]) * 90 + LOOKS.digits.indexOf(text[2 * n + 1])) / 8099);
const place = ([log, min, max], v) =>
  log ? Math.log(v / min) / Math.log(max / min) : (v - min) / (max - min);
const value = ([log, min, max], at) => log ? min * (max / min) ** at : min + at * (max - min);
// to what packed numbers are exact to
const exact = ([log, min, max], v) => log ? Number(v.toPrecision(3)) :
  Number(v.toFixed(Math.max(0, Math.floor(-Math.log10((max - min) / 8099)))));
const shown = v => String(Number(v.toPrecision(5))).replace(/\d(?=(\d{3})+$)/g,
  (digit, _, at, all) => all.length > 4 && !all.includes(".") ? digit + "\u202f" : digit);
const text = t => t.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const dashes = dash => {
  const pattern = LOOKS.dashes[dash % LOOKS.dashes.length];
  return pattern ? ` stroke-dasharray="${pattern}"` : "";
};
const mark = (style, x, y, hollow) => {
  const shape = (style % 8 + Math.floor(style / 8)) % LOOKS.marks.length;
  return `<path class="mark${hollow ? " hollow" : ""}" d="${LOOKS.marks[shape]}"` +
    ` transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"/>`;
};
const sample = line => `<svg class="sample c${line.style % 8}" viewBox="0 0 40 14">` +
  `<polyline${dashes(line.dash)} points="1,7 39,7"/>${mark(line.style, 20, 7)}</svg>`;

// A picture of a figure: its lines by number, drawn when they are asked for.
const pictureOf = (element, data, lines) => {
  const svg = element.querySelector(".frame > svg"), tip = element.querySelector(".tip");
  const [left, right, top, bottom] = data.box, [xName, xUnit, xs] = data.x, [yName, yUnit, ys] = data.y;
  const px = v => left + place(xs, v) * (right - left), py = v => bottom - place(ys, v) * (bottom - top);
  const known = new Map();
  // x and y in the picture, and the values
  const dots = i => {
    if (data.lines[i] === null) return [];
    if (!known.has(i)) {
      const [, first, packed] = data.lines[i];
      const at = packed === undefined ? first : unpack(data.xs[first]);
      const high = packed === undefined ? [] : unpack(packed);
      known.set(i, at.map((of, n) => {
        if (packed === undefined) return { x: px(of[0]), y: py(of[1]), values: of };
        const [x, y] = [value(xs, of), value(ys, high[n])];
        return { x: px(x), y: py(y), values: [exact(xs, x), exact(ys, y)] };
      }));
    }
    return known.get(i);
  };
  const draw = ({ i, style, dash }) => {
    const all = dots(i), kind = data.lines[i]?.[0];
    const at = (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`;
    const range = ({ values: [, y, min = y, max = y] }) => [py(min), py(max)];
    let out = `<g class="s c${style % 8}" data-i="${i}">`;
    if (kind === "b" && all.some(dot => dot.values.length > 2)) {
      const low = all.map(dot => at(dot.x, range(dot)[0]));
      const high = all.map(dot => at(dot.x, range(dot)[1])).reverse();
      out += `<path class="spread" d="M${[...low, ...high].join("L")}Z"/>`;
    }
    const from = all[data.drops[i]];
    if (from)
      out += `<path class="drop" d="M${from.x.toFixed(1)} ${from.y.toFixed(1)}V${bottom.toFixed(1)}"/>`;
    out += `<polyline${dashes(dash)} points="${all.map(dot => at(dot.x, dot.y)).join(" ")}"/>`;
    const every = Math.max(1, Math.floor(all.length / 5));
    all.forEach((dot, n) => {
      if (kind === "m" && dot.values.length > 2) {
        const [low, high] = range(dot);
        out += `<path class="range" d="M${dot.x.toFixed(1)} ${low.toFixed(1)}V${high.toFixed(1)}"/>`;
      }
      if (kind !== "p" || (all.length > 10 && n % every === style * 3 % every))
        out += mark(style, dot.x, dot.y, dot.values[4]);
    });
    return out + "</g>";
  };

  // where the pointer or the keyboard is
  const drawn = () => lines.filter(line => line.is_on && !line.is_hidden && dots(line.i).length > 0);
  const cursor = document.createElementNS(svg.namespaceURI, "circle");
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("r", 8);
  let here = null;
  const said = (line, [x, y, min, max, bound]) => {
    const unit = u => u ? " " + u : "";
    const range = min < max ? ` (95 %: ${shown(min)} to ${shown(max)})` : "";
    return `${line.name}: ${yName} ${bound ? "at least " : ""}${shown(y)}${range}${unit(yUnit)}, ` +
      `${xName} ${shown(x)}${unit(xUnit)}`;
  };
  const leave = () => {
    here = null;
    cursor.remove();
    tip.textContent = "";
  };
  const go = (line, n) => {
    here = { line, n };
    const dot = dots(line.i)[n];
    cursor.setAttribute("cx", dot.x);
    cursor.setAttribute("cy", dot.y);
    svg.append(cursor);
    tip.textContent = said(line, dot.values);
    tip.style.left = 0; // as wide as it wants to be
    const { width, height } = svg.viewBox.baseVal;
    const box = svg.getBoundingClientRect();
    const scale = box.width / width;
    const x = dot.x * scale - tip.offsetWidth / 2;
    const y = dot.y * scale + box.top - svg.parentElement.getBoundingClientRect().top;
    const above = y - tip.offsetHeight - 14;
    tip.style.left = Math.max(0, Math.min(box.width - tip.offsetWidth, x)) + "px";
    tip.style.top = (dot.y * 2 > height || above > 0 ? above : y + 14) + "px";
  };
  const point = event => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let [best, least] = [null, 30 ** 2];
    for (const line of drawn()) {
      dots(line.i).forEach((dot, n) => {
        const apart = (dot.x - x) ** 2 + (dot.y - y) ** 2;
        if (apart < least) [best, least] = [[line, n], apart];
      });
    }
    best ? go(...best) : leave();
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  svg.addEventListener("pointerleave", leave);

  // left and right along a line, up and down from line to line
  const nearest = (all, x) => all.reduce(
    (best, dot, n) => Math.abs(dot.x - x) < Math.abs(all[best].x - x) ? n : best, 0);
  const step = key => {
    const all = drawn();
    if (all.length === 0) return leave();
    if (!here || !all.includes(here.line)) return go(all[0], 0);
    const { line, n } = here, own = dots(line.i), last = own.length - 1;
    const beside = by => {
      const other = all[(all.indexOf(line) + by + all.length) % all.length];
      go(other, nearest(dots(other.i), own[n].x));
    };
    switch (key) {
      // marks alone have no neighbours on their line
      case "ArrowRight": return last === 0 ? beside(1) : go(line, Math.min(last, n + 1));
      case "ArrowLeft": return last === 0 ? beside(-1) : go(line, Math.max(0, n - 1));
      case "ArrowDown": return beside(1);
      case "ArrowUp": return beside(-1);
      case "Home": return go(line, 0);
      case "End": return go(line, last);
    }
  };
  svg.setAttribute("tabindex", 0);
  svg.setAttribute("role", "application");
  svg.setAttribute("aria-roledescription", "chart, arrow keys say its values");
  svg.addEventListener("keydown", event => {
    if (event.key === "Escape") return leave();
    if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key)) return;
    event.preventDefault();
    step(event.key);
  });
  svg.addEventListener("blur", leave);

  return {
    redraw: () => {
      svg.querySelector(".lines").innerHTML = lines.filter(line => line.is_on).map(draw).join("");
      if (here && !drawn().includes(here.line)) leave();
    },
    each: act => svg.querySelectorAll("[data-i]").forEach(part => act(part, lines[part.dataset.i])),
    leave: () => here && !drawn().includes(here.line) && leave(),
  };
};

const figures = [...document.querySelectorAll("figure[data-of]")].map(figure => {
  const data = JSON.parse(figure.querySelector("script").textContent);
  const lines = data.lines.map(([name, style, dash, first, values], i) =>
    ({ i, name, style, dash, values, is_first: first === 1, is_on: first === 1, is_hidden: false }));
  const pictures = [...figure.querySelectorAll(".picture")].map(
    (element, n) => pictureOf(element, data.pictures[n], lines));
  const legend = figure.querySelector(".legend"), count = figure.querySelector(".count");
  const dim = number => pictures.forEach(picture => picture.each(
    (part, line) => part.classList.toggle("dim", number !== null && line.i !== number)));
  const hide = () => pictures.forEach(picture => {
    picture.each((part, line) => part.classList.toggle("off", line.is_hidden || !line.is_on));
    picture.leave();
  });
  // nobody could tell lines apart that are the same in all pictures
  const told = (line, on) => {
    const same = other => data.pictures.every(
      ({ lines: all }) => JSON.stringify(all[line.i]) === JSON.stringify(all[other.i]));
    const above = on.find(other => other.i < line.i && same(other));
    return above ? `${line.name}, as ${above.name}` : line.name;
  };
  const listen = () => legend.querySelectorAll("button").forEach(button => {
    const line = lines[button.dataset.i];
    for (const enter of ["pointerenter", "focus"]) button.addEventListener(enter, () => dim(line.i));
    for (const out of ["pointerleave", "blur"]) button.addEventListener(out, () => dim(null));
    button.addEventListener("click", () => {
      line.is_hidden = !line.is_hidden;
      button.setAttribute("aria-pressed", !line.is_hidden);
      hide();
    });
  });
  listen();
  return {
    of: figure.dataset.of, axes: data.axes, lines, choice: figure.querySelector(".choice"),
    // draws the lines that pass
    choose: test => {
      let room = DRAWN_MAX;
      const passed = lines.filter(test);
      for (const line of lines) {
        line.is_on = passed.includes(line) && room-- > 0;
        line.is_hidden = false;
      }
      const on = lines.filter(line => line.is_on);
      legend.querySelectorAll("li:not(.still)").forEach(entry => entry.remove());
      legend.insertAdjacentHTML("afterbegin", on.map(line =>
        `<li><button type="button" aria-pressed="true" data-i="${line.i}">${sample(line)}` +
        `<span>${text(told(line, on))}</span></button></li>`).join(""));
      listen();
      pictures.forEach(picture => picture.redraw());
      hide();
      if (count) {
        const more = passed.length > on.length ? `, the first of ${passed.length} chosen` : "";
        count.textContent = `${on.length} of ${lines.length} lines are drawn${more}.`;
      }
    },
  };
});

// What chooses lines does so in all figures whose lines are the same things.
for (const { of, axes, lines, choice } of figures.filter(figure => figure.choice)) {
  const same = figures.filter(figure => figure.of === of);
  const boxes = [...choice.querySelectorAll("input")];
  const axisOf = box => box.closest("[data-axis]").dataset.axis;
  const check = test => boxes.forEach(box => { box.checked = test(axisOf(box), box.value); });
  const first = () => check((axis, v) => lines.some(
    line => line.is_first && line.values[axes.indexOf(axis)] === v));
  const all = () => same.forEach(figure => figure.choose(line => boxes.every(box => {
    const at = figure.axes.indexOf(axisOf(box));
    return box.checked || at < 0 || line.values[at] !== box.value;
  })));
  first();
  boxes.forEach(box => box.addEventListener("change", all));
  choice.querySelector("[data-to=first]").addEventListener("click", () => {
    first();
    same.forEach(figure => figure.choose(line => line.is_first));
  });
  choice.querySelector("[data-to=all]").addEventListener("click", () => {
    check(() => true);
    all();
  });
}
