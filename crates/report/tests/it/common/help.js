const picture = id => document.querySelector(`#${id} .picture`);
const svg = id => picture(id).querySelector('.frame > svg');
const tip = id => picture(id).querySelector('.tip').textContent;
const press = (id, ...keys) => keys.map(key => {
    svg(id).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return tip(id);
});
const drawn = id => [...picture(id).querySelectorAll('g.s')].filter(
    line => getComputedStyle(line).display !== 'none').length;
const of = (id, selector) => document.querySelector(`#${id} ${selector}`);
const click = (id, selector) => of(id, selector).click();
const text = (id, selector) => of(id, selector).innerText;
const names = id => document.querySelectorAll(`#${id} .legend button`).length;
