// Puts the rules for paper into force, for scripts of visits to begin with.
for (const sheet of document.styleSheets) {
    for (const rule of [...sheet.cssRules]) {
        if (rule.media?.mediaText !== 'print') continue;
        [...rule.cssRules].forEach(
            inner => sheet.insertRule(inner.cssText, sheet.cssRules.length));
    }
}
