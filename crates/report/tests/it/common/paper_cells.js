// Opens all details and returns how many cells there are, those that are cut, and words that are
// broken.
document.querySelectorAll('details').forEach(details => { details.open = true; });
const cells = [...document.querySelectorAll('th, td')];
const cut = cells.filter(cell => {
    const { left, right } = cell.getBoundingClientRect();
    return left < 0 || right > innerWidth || cell.scrollWidth > cell.clientWidth + 1;
});
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const broken = [];
while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.parentElement.closest('th, td')) continue;
    for (const word of node.data.matchAll(/[^\s-]+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (range.getClientRects().length > 1) broken.push(word[0]);
    }
}
const told = all => all.map(cell => cell.textContent);
return [cells.length, told(cut), broken]
