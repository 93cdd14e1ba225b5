"use strict";
for (const table of document.querySelectorAll("table.sort")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => row.cells[column].dataset.v ?? "";
    const order = (a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === "" || y === "") return (x === "") - (y === "");
      const numbers = !isNaN(x) && !isNaN(y);
      return (down ? -1 : 1) * (numbers ? x - y : x.localeCompare(y));
    };
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
  }));
}
for (const figure of document.querySelectorAll("figure")) {
  const lines = [...figure.querySelectorAll(".s")];
  const dim = key => lines.forEach(line => line.classList.toggle("dim", key !== null && line.dataset.s !== key));
  for (const button of figure.querySelectorAll(".legend button")) {
    const key = button.dataset.s;
    button.addEventListener("pointerenter", () => dim(key));
    button.addEventListener("focus", () => dim(key));
    button.addEventListener("pointerleave", () => dim(null));
    button.addEventListener("blur", () => dim(null));
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") === "false";
      figure.querySelectorAll(`.legend button[data-s="${key}"]`).forEach(b => b.setAttribute("aria-pressed", shown));
      lines.filter(line => line.dataset.s === key).forEach(line => line.classList.toggle("off", !shown));
    });
  }
}
