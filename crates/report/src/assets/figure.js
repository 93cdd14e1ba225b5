// A picture: values under the pointer and by the keyboard, and which of its lines are drawn.
for (const picture of document.querySelectorAll(".picture")) {
  const svg = picture.querySelector(".frame > svg");
  const tip = picture.querySelector(".tip");
  const lines = [...svg.querySelectorAll("g.s")].map(group => {
    const at = group.querySelector("polyline").getAttribute("points").split(" ");
    const values = group.dataset.v.split(";").map(value => value.split(" "));
    return {
      group, key: group.dataset.s, name: group.dataset.n,
      dots: at.map((place, n) => {
        const [x, y] = place.split(",").map(Number);
        return { x, y, value: values[n] };
      }),
    };
  });
  const drawn = () => lines.filter(line => !line.group.classList.contains("off"));

  // where the pointer or the keyboard is
  const cursor = document.createElementNS(svg.namespaceURI, "circle");
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("r", 8);
  let here = null;
  const text = (line, [x, y, ...more]) => {
    const { x: xName, xu, y: yName, yu } = svg.dataset;
    const unit = u => u ? " " + u : "";
    const least = more.at(-1) === "b" ? "at least " : "";
    const range = more.length > 1 ? ` (${more[0]} to ${more[1]})` : "";
    return `${line.name}: ${yName} ${least}${y}${range}${unit(yu)}, ${xName} ${x}${unit(xu)}`;
  };
  const leave = () => {
    here = null;
    cursor.remove();
    tip.textContent = "";
  };
  const go = (line, n) => {
    here = { line, n };
    const dot = line.dots[n];
    cursor.setAttribute("cx", dot.x);
    cursor.setAttribute("cy", dot.y);
    svg.append(cursor);
    tip.textContent = text(line, dot.value);
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
      line.dots.forEach((dot, n) => {
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
  const nearest = (line, x) => line.dots.reduce(
    (best, dot, n) => Math.abs(dot.x - x) < Math.abs(line.dots[best].x - x) ? n : best, 0);
  const step = key => {
    const all = drawn();
    if (all.length === 0) return leave();
    if (!here || !all.includes(here.line)) return go(all[0], 0);
    const { line, n } = here;
    const last = line.dots.length - 1;
    const beside = by => {
      const other = all[(all.indexOf(line) + by + all.length) % all.length];
      go(other, nearest(other, line.dots[n].x));
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

  // the legend dims and chooses
  const of = key => svg.querySelectorAll(`[data-s="${key}"]`);
  const dim = key => svg.querySelectorAll("[data-s]").forEach(
    part => part.classList.toggle("dim", key !== null && part.dataset.s !== key));
  const buttons = [...picture.querySelectorAll(".legend button")];
  const count = picture.querySelector(".choice .count");
  const show = (button, shown) => {
    button.setAttribute("aria-pressed", shown);
    of(button.dataset.s).forEach(part => part.classList.toggle("off", !shown));
  };
  const told = () => {
    if (here && !drawn().includes(here.line)) leave();
    if (!count) return;
    const hidden = lines.filter(line => line.group.classList.contains("off"));
    count.textContent = `${lines.length - hidden.length} of ${lines.length} lines are drawn.`;
    picture.querySelector(".names").textContent = hidden.map(line => line.name).join("; ");
    picture.querySelector(".others").hidden = hidden.length === 0;
  };
  for (const button of buttons) {
    button.addEventListener("pointerenter", () => dim(button.dataset.s));
    button.addEventListener("focus", () => dim(button.dataset.s));
    button.addEventListener("pointerleave", () => dim(null));
    button.addEventListener("blur", () => dim(null));
    button.addEventListener("click", () => {
      show(button, button.getAttribute("aria-pressed") === "false");
      told();
    });
  }
  for (const choice of picture.querySelectorAll(".choice button")) {
    const first = Number(picture.querySelector(".choice").dataset.first);
    choice.addEventListener("click", () => {
      const shown = { first: n => n < first, all: () => true, none: () => false };
      buttons.forEach((button, n) => show(button, shown[choice.dataset.to](n)));
      told();
    });
  }
}
