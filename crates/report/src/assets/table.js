document.documentElement.classList.add("scripted");
for (const table of document.querySelectorAll("table.sort")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => row.cells[column].dataset.v ?? row.cells[column].firstChild.data;
    const order = (a, b) => {
      const [x, y] = [value(a), value(b)];
      // what is no number comes last
      if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
      return (down ? -1 : 1) * (x - y);
    };
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
  }));
}
