// What visitors do, each for one test: `return arrows();`.

// Arrow keys in a picture of curves: whether it takes the focus, and what each key shows.
const arrows = () => {
    svg('load-latency').focus();
    const active = document.activeElement === svg('load-latency');
    const said = press('load-latency',
        'ArrowRight', 'ArrowRight', 'ArrowDown', 'End', 'Home', 'Escape');
    return [active, ...said];
};

// A pointer near a mark: what it shows, then without it, and where.
const pointer = () => {
    const mark = svg('memory').querySelector('.mark').getBoundingClientRect();
    const move = (x, y) => svg('memory').dispatchEvent(
        new PointerEvent('pointermove', { clientX: x, clientY: y, bubbles: true }));
    move(mark.x + 6, mark.y + 6);
    const said = tip('memory');
    const place = picture('memory').querySelector('.tip').getBoundingClientRect();
    svg('memory').dispatchEvent(new PointerEvent('pointerleave'));
    const apart = Math.max(mark.top - place.bottom, place.top - mark.bottom);
    return [said, tip('memory'), place.left >= 0 && place.right <= innerWidth, apart];
};

// Lines by a value, from the legend, all, none and the first ones: how many are drawn.
const chooses = () => {
    const at = 'throughput', seen = [drawn(at), text(at, '.count')];
    click(at, '.choice input:not(:checked)');
    seen.push(drawn(at), names(at), text(at, '.count'), press(at, 'ArrowRight')[0]);
    click(at, '.legend button');
    seen.push(drawn(at), names(at), press(at, 'ArrowRight')[0].slice(0, 8));
    click(at, '[data-to=all]');
    seen.push(drawn(at), names(at), text(at, '.count'));
    document.querySelectorAll(`#${at} .choice input`).forEach(box => box.click());
    seen.push(drawn(at), names(at), press(at, 'ArrowRight')[0]);
    click(at, '[data-to=first]');
    seen.push(drawn(at));
    return seen;
};

// All lines and the first ones again: how far they are from where they were.
const drawnAlike = () => {
    const all = ['sizing', 'throughput', 'saqs', 'memory'];
    const legends = () => all.map(id => of(id, '.legend').innerText).join();
    const told = legends();
    const plain = text => text.replace(/\s+/g, ' ').replace(/> </g, '><').trim();
    const html = id => plain(new XMLSerializer().serializeToString(of(id, '.lines'))
        .replace(/ d="M[^"]*z"/g, ''));
    const marks = id => of(id, '.lines').querySelectorAll('.mark').length;
    const before = all.map(id => [html(id), marks(id)]);
    click('throughput', '[data-to=all]');
    const more = drawn('throughput');
    click('throughput', '[data-to=first]');
    const places = html => [...html.matchAll(/-?[0-9]+([.][0-9]+)?/g)].map(m => Number(m[0]));
    const apart = all.map((id, n) => {
        const [a, b] = [before[n][0], html(id)].map(places);
        const far = a.map((x, k) => Math.abs(x - b[k]));
        return a.length === b.length ? Math.max(...far) : 'other';
    });
    return [legends() === told && more, all.map((id, n) => before[n][1] === marks(id)), apart];
};

// The slider at some moments: its words, ports and roots.
const slide = () => {
    const input = document.querySelector(".slider input"), seen = [];
    const look = () => seen.push([document.querySelector("#trees-now").textContent,
        document.querySelectorAll(".scene>svg .port.on").length,
        document.querySelectorAll(".scene>svg .root.on").length]);
    look();
    for (const at of [0, input.max, 3, 4, 7, 8]) {
        input.value = at;
        input.dispatchEvent(new Event("input"));
        look();
    }
    return seen;
};

// A pointer on a cell, then arrow keys there and on the trees: what they show.
const values = () => {
    const heat = document.querySelector(".heat details[open]"), svg = heat.querySelector("svg");
    const key = (of, key) => of.dispatchEvent(
        new KeyboardEvent("keydown", {key, bubbles: true}));
    const box = heat.querySelector(".cells").getBoundingClientRect();
    const at = {clientX: box.left + 2, clientY: box.top + 2};
    svg.dispatchEvent(new PointerEvent("pointermove", at));
    const seen = [heat.querySelector(".told").textContent];
    key(svg, "ArrowRight");
    seen.push(heat.querySelector(".told").textContent);
    const trees = document.querySelector(".scene");
    key(trees.querySelector("svg"), "ArrowRight");
    seen.push(trees.querySelector(".told").textContent);
    return seen;
};

// Before, while and after a page is printed: open panels, and whether pictures fit.
const panels = () => {
    const open = () => document.querySelectorAll(".heat details[open]").length;
    const seen = [open()];
    dispatchEvent(new Event("beforeprint"));
    seen.push(open(), document.querySelectorAll(".heat details").length);
    const boxes = [...document.querySelectorAll(".heat details>svg,.scene>svg")]
        .map(svg => svg.getBoundingClientRect());
    seen.push(boxes.every(box => box.height > 20 && box.left >= 0 && box.right <= innerWidth));
    seen.push(Math.max(...boxes.map(box => box.height)));
    dispatchEvent(new Event("afterprint"));
    seen.push(open());
    return seen;
};

// The smallest text of recorded pictures, pixels, and how many numbers there are.
const textSizes = () => {
    const texts = [...document.querySelectorAll(".scene svg text,.heat svg text")];
    const shown = texts.filter(text => text.getClientRects().length > 0);
    const sizes = shown.map(
        text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
    const numbers = shown.filter(text => text.classList.contains("mini"));
    return [Math.min(...sizes), numbers.length];
};
