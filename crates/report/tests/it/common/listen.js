const saidHere = [];
addEventListener("error", e => saidHere.push(String(e.message)));
addEventListener("unhandledrejection", e => saidHere.push(String(e.reason)));
addEventListener("securitypolicyviolation", e => saidHere.push("refused: " + e.blockedURI));
const errorHere = console.error;
console.error = (...all) => { saidHere.push(all.join(" ")); errorHere.apply(console, all); };
