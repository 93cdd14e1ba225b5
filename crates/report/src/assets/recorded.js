// Ports over time: the cell under the pointer or the cursor, in words.
for (const panel of document.querySelectorAll(".heat details")) {
  const states = ["utilised", "credit-stalled", "stalled by Xoff", "lost arbitration"];
  const svg = panel.querySelector("svg"), told = panel.querySelector(".told");
  const cells = svg.querySelector(".cells"), cursor = svg.querySelector(".cursor");
  const {us, rows} = JSON.parse(panel.querySelector("script").textContent);
  const columns = Number(cells.dataset.columns);
  let at = [0, 0];
  const tell = () => {
    const [x, y] = at, [name, row] = rows[y];
    let value = 0;
    for (let k = 4; k >= 0; k--) value = value * 90 + LOOKS.digits.indexOf(row[x * 5 + k]);
    const shares = [];
    for (let k = 0; k < 4; k++) { shares.unshift(value % 101); value = Math.floor(value / 101); }
    const idle = Math.max(0, 100 - shares.reduce((a, b) => a + b));
    const ns = n => Math.round(n * us * 1000) / 1000;
    told.textContent = `${name}, ${ns(x)} to ${ns(x + 1)} \u00b5s: ` +
      states.map((state, k) => `${state} ${shares[k]} %`).join(", ") + `, idle ${idle} %`;
    cursor.setAttribute("x", x);
    cursor.setAttribute("y", y);
    cursor.setAttribute("visibility", "visible");
  };
  const move = (x, y) => {
    at = [Math.min(Math.max(x, 0), columns - 1), Math.min(Math.max(y, 0), rows.length - 1)];
    tell();
  };
  told.hidden = false;
  svg.addEventListener("pointermove", event => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(cells.getScreenCTM().inverse());
    if (point.x >= 0 && point.x < columns && point.y >= 0 && point.y < rows.length) move(Math.floor(point.x), Math.floor(point.y));
  });
  svg.addEventListener("focus", tell);
  svg.addEventListener("keydown", event => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!step) return;
    event.preventDefault();
    move(at[0] + step[0], at[1] + step[1]);
  });
}
// Congestion trees: the slider shows and hides what is drawn already.
for (const figure of document.querySelectorAll(".scene")) {
  const {times, ports, roots, held, coloured, colours, widest} = JSON.parse(figure.querySelector("script").textContent);
  const svg = figure.querySelector("svg"), told = figure.querySelector(".told"), now = figure.querySelector(".now output");
  const slider = figure.querySelector(".slider"), input = slider.querySelector("input"), play = slider.querySelector("button");
  const drawn = new Map([...svg.querySelectorAll(".port")].map(port => [Number(port.dataset.p), port]));
  const diamonds = [...svg.querySelectorAll(".root")];
  const alive = (root, frame) => roots[root][1].some(([from, until]) => from <= frame && frame < until);
  const colour = root => root < coloured ? `c${root % colours}` : "rest";
  let states = new Map(), at = null;
  const show = frame => {
    states = new Map();
    for (const [port, root, from, until, xoffs = []] of held) {
      if (frame < from || frame >= until) continue;
      if (!states.has(port)) states.set(port, {roots: [], xoff: false});
      const state = states.get(port);
      state.roots.push(root);
      state.xoff ||= xoffs.some(([from, until]) => from <= frame && frame < until);
    }
    let saqs = 0, stopped = 0;
    for (const [port, element] of drawn) {
      const state = states.get(port);
      element.setAttribute("class", state === undefined ? "port" :
        `port on ${colour(Math.min(...state.roots))} n${Math.min(state.roots.length, widest)}${state.xoff ? " x" : ""}`);
    }
    for (const state of states.values()) { saqs += state.roots.length; stopped += state.xoff; }
    diamonds.forEach(diamond => diamond.classList.toggle("on", alive(Number(diamond.dataset.r), frame)));
    const living = roots.filter((_, root) => alive(root, frame)).length;
    now.textContent = `At ${times[frame]} \u00b5s: roots ${living}, ports with SAQs ${states.size}, SAQs ${saqs}, ports at Xoff ${stopped}`;
    input.setAttribute("aria-valuetext", `${times[frame]} \u00b5s`);
    tell(at);
  };
  const tell = port => {
    drawn.get(at)?.classList.remove("at");
    at = port;
    const state = states.get(at);
    if (at === null) { told.textContent = ""; return; }
    drawn.get(at)?.classList.add("at");
    if (!state) { told.textContent = `${ports[at]}: no SAQ at this moment`; return; }
    const names = state.roots.map(root => roots[root][0]);
    told.textContent = `${ports[at]}: ${names.length} SAQ${names.length > 1 ? "s" : ""}, for root ${names.join(", ")}${state.xoff ? "; at Xoff" : ""}`;
  };
  slider.hidden = false;
  told.hidden = false;
  input.addEventListener("input", () => show(Number(input.value)));
  svg.addEventListener("pointerover", event => {
    const port = event.target.closest(".port");
    if (port) tell(Number(port.dataset.p));
  });
  svg.addEventListener("keydown", event => {
    const step = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
    const shown = [...drawn.keys()].filter(port => states.has(port));
    if (!step || shown.length === 0) return;
    event.preventDefault();
    const place = shown.indexOf(at);
    tell(shown[place < 0 ? 0 : (place + step + shown.length) % shown.length]);
  });
  let timer = null;
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "Play"; };
  play.addEventListener("click", () => {
    if (timer !== null) { stop(); return; }
    if (Number(input.value) === times.length - 1) input.value = 0;
    play.textContent = "Pause";
    timer = setInterval(() => {
      if (Number(input.value) >= times.length - 1) { stop(); return; }
      input.value = Number(input.value) + 1;
      show(Number(input.value));
    }, 150);
  });
  show(Number(input.value));
}
// On paper every panel is open; afterwards they are as they were.
{
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(".heat details:not([open])")];
    opened.forEach(panel => { panel.open = true; });
  });
  addEventListener("afterprint", () => {
    opened.forEach(panel => { panel.open = false; });
    opened = [];
  });
}
