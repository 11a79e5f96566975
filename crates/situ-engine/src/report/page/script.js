"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const make = (tag, text, kind) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
};
const colour = (entry) => (entry.is_bad ? "bad" : ["ignored", "skipped"].includes(entry.outcome) ? "" : "good");

for (const [name, value] of data.numbers) {
  const item = make("li");
  item.append(make("b", value), " " + name);
  at("numbers").append(item);
}

// Drawings: each is also said in words, for those who do not see it.
const svg = (tag, attributes, text) => {
  const made = document.createElementNS(at("svg").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const draw = (title, words, width, height, parts) => {
  const figure = make("figure");
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title + ": " + words });
  picture.append(...parts);
  figure.append(make("figcaption", title), picture);
  at("drawings").append(figure);
  at("drawings").hidden = false;
};
// Labels are as long as they are; the drawing makes room for them. The font is that of the style sheet.
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = "13px system-ui, sans-serif";
const length = (text) => Math.ceil(ruler.measureText(text).width) + 4;
if (data.sets) {
  const { title, left, right, both, neither, unknown } = data.sets;
  const width = Math.max(420, length(left[0]) + length(right[0]) + 30);
  const centre = width / 2;
  const rest = unknown ? `, ${unknown} not known` : "";
  const words = `${left[1]} ${left[0]}, ${both} both, ${right[1]} ${right[0]}, ${neither} nobody${rest}`;
  const middle = { "text-anchor": "middle" };
  draw(title, words, width, 190, [
    svg("circle", { cx: centre - 45, cy: 85, r: 75 }), svg("circle", { cx: centre + 45, cy: 85, r: 75 }),
    svg("text", { x: centre - 80, y: 90, ...middle }, left[1]), svg("text", { x: centre, y: 90, ...middle }, both),
    svg("text", { x: centre + 80, y: 90, ...middle }, right[1]),
    svg("text", { x: 5, y: 182 }, left[0]), svg("text", { x: width - 5, y: 182, "text-anchor": "end" }, right[0]),
    svg("text", { x: width - 5, y: 16, "text-anchor": "end" }, neither + " nobody"),
    ...(unknown ? [svg("text", { x: 5, y: 16 }, unknown + " not known")] : []),
  ]);
}
for (const { title, bars } of data.distributions) {
  if (!bars.some(([, count]) => count)) continue;
  const most = Math.max(1, ...bars.map(([, count]) => count));
  const words = bars.map(([label, count]) => label + ": " + count).join(", ");
  const left = Math.max(150, ...bars.map(([label]) => length(label)));
  const width = left + 190 + Math.max(...bars.map(([, count]) => length(count)));
  draw(title, words, width, 24 * bars.length, bars.flatMap(([label, count], row) => [
    svg("text", { x: left, y: 24 * row + 17, "text-anchor": "end" }, label),
    svg("rect", { x: left + 8, y: 24 * row + 5, width: (count / most) * 170, height: 15 }),
    svg("text", { x: left + 14 + (count / most) * 170, y: 24 * row + 17 }, count),
  ]));
}

// One check box for each value that occurs; none checked means all.
const boxes = (id, values) => {
  for (const value of [...new Set(values)].sort()) {
    const label = make("label");
    const box = make("input");
    box.type = "checkbox";
    box.value = value;
    label.append(box, " " + value);
    at(id).append(label);
  }
};
boxes("outcomes", data.entries.map((entry) => entry.outcome));
boxes("kinds", data.entries.map((entry) => entry.kind));
boxes("tags", data.entries.flatMap((entry) => entry.tags));
at("tagged").hidden = !data.entries.some((entry) => entry.tags.length);
const checked = (id) => [...at(id).querySelectorAll("input:checked")].map((box) => box.value);

const place = (entry) => (entry.file ? entry.file + (entry.line ? ":" + entry.line : "") : "");
for (const entry of data.entries) {
  entry.haystack = [entry.name, place(entry), entry.kind, entry.text].join("\n").toLowerCase();
}

let shown = [];
let current = -1;

// The list is filled a piece at a time, so that a long one does not hold the page up.
const PIECE = 400;
let filling = 0;
const fill = (from, ticket) => {
  if (ticket !== filling) return;
  const piece = document.createDocumentFragment();
  for (const entry of shown.slice(from, from + PIECE)) {
    const item = make("li", undefined, colour(entry));
    item.append(make("span", entry.outcome, "outcome"), " " + entry.name + " ", make("small", entry.kind + " " + place(entry)));
    if (entry.is_bad && entry.text) item.append(make("pre", entry.text.trimEnd()));
    piece.append(item);
  }
  at("list").append(piece);
  if (from + PIECE < shown.length) setTimeout(() => fill(from + PIECE, ticket), 0);
};

const filter = () => {
  const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [outcomes, kinds, tags] = [checked("outcomes"), checked("kinds"), checked("tags")];
  const within = (wanted, value) => !wanted.length || wanted.includes(value);
  shown = data.entries.filter((entry) =>
    within(outcomes, entry.outcome) && within(kinds, entry.kind) &&
    (!tags.length || entry.tags.some((tag) => tags.includes(tag))) && words.every((word) => entry.haystack.includes(word)));
  at("count").textContent = shown.length + " of " + data.entries.length;
  at("list").replaceChildren();
  current = -1;
  filling += 1;
  fill(0, filling);
};

const choose = (index) => {
  const items = at("list").children;
  if (index < 0 || index >= items.length) return;
  if (items[current]) items[current].removeAttribute("aria-current");
  current = index;
  items[current].setAttribute("aria-current", "true");
  items[current].scrollIntoView({ block: "nearest" });
};

const byFile = new Map();
for (const entry of data.entries) {
  if (!entry.file) continue;
  if (!byFile.has(entry.file)) byFile.set(entry.file, []);
  byFile.get(entry.file).push(entry);
}
for (const file of Object.keys(data.sources)) {
  const bad = (byFile.get(file) || []).filter((entry) => entry.is_bad).length;
  const option = make("option", bad ? file + " (" + bad + ")" : file);
  option.value = file;
  at("file").append(option);
}

const showFile = (file, line, chosen) => {
  const text = data.sources[file];
  if (text === undefined) return;
  at("file").value = file;
  const atLine = new Map();
  for (const entry of byFile.get(file) || []) {
    if (!atLine.has(entry.line)) atLine.set(entry.line, []);
    atLine.get(entry.line).push(entry);
  }
  const body = document.createDocumentFragment();
  const lines = text.split("\n");
  for (let number = 1; number <= lines.length; number += 1) {
    const row = make("div", undefined, number === line ? "row here" : "row");
    row.append(make("span", String(number)), make("code", lines[number - 1] || " "));
    const here = atLine.get(number);
    if (!here) {
      body.append(row);
      continue;
    }
    const fold = make("details", undefined, here.some((entry) => entry.is_bad) ? "bad" : "good");
    fold.open = at("unfold").checked || number === line;
    fold.append(make("summary", here.map((entry) => entry.outcome + " " + entry.kind + " " + entry.name.split("::").pop()).join(", ")));
    // A test is folded away; a statement that something is said of is not.
    (here.some((entry) => entry.about) ? fold : body).append(row);
    for (const entry of here) if (entry.text) fold.append(make("pre", entry.text.trimEnd(), entry === chosen ? "chosen" : ""));
    body.append(fold);
  }
  at("source").replaceChildren(body);
  const target = at("source").querySelector(".chosen") || at("source").querySelector(".here");
  if (target) target.scrollIntoView({ block: "center" });
};
const showEntry = (entry) => entry && entry.file && showFile(entry.file, entry.line, entry);

// Call trees: each function below the one that called it, with a way to its source and to its tests.
const button = (text, kind, act) => {
  const made = make("button", text, kind);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
};
const goTo = (entry) => {
  if (!shown.includes(entry)) {
    at("filters").reset();
    filter();
  }
  // The list may still be filling up.
  setTimeout(() => choose(shown.indexOf(entry)), 0);
  showEntry(entry);
};
const branch = (node) => {
  const item = make("li", undefined, node.is_chosen ? "" : "other");
  const fold = make("details");
  const state = node.tests.length ? "node good" : node.refused.length ? "node bad" : "node";
  const head = make("summary", undefined, state);
  const what = (node.hits === 1 ? "1 call, " : node.hits + " calls, ") + node.calls + " distinct" + (node.is_again ? "; what it called is above" : "");
  head.append(make("span", node.function, "name"), " ", make("small", what));
  fold.open = true;
  fold.append(head);
  const below = make("ul");
  const source = make("li", undefined, "why");
  source.append(button(node.file + ":" + node.line, "", () => showFile(node.file, node.line)));
  below.append(source);
  for (const number of node.is_again ? [] : node.tests) {
    const test = make("li", undefined, "test");
    test.append(button(data.entries[number].name, "good", () => goTo(data.entries[number])));
    below.append(test);
  }
  for (const reason of node.is_again ? [] : node.refused) below.append(make("li", "not shown: " + reason, "why"));
  for (const leaf of node.is_again ? [] : node.leaves) {
    const away = make("li", "leaves by ", "leaf");
    away.append(make("code", leaf));
    below.append(away);
  }
  below.append(...node.children.map(branch));
  fold.append(below);
  item.append(fold);
  return item;
};
for (const tree of data.trees) {
  const drawn = make("ul", undefined, "tree");
  drawn.append(branch(tree));
  at("trees").append(drawn);
  at("trees").hidden = false;
}

at("filters").addEventListener("input", filter);
at("filters").addEventListener("submit", (event) => event.preventDefault());
at("file").addEventListener("change", () => showFile(at("file").value));
at("unfold").addEventListener("change", () => showFile(at("file").value));
at("list").addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (!item) return;
  choose([...at("list").children].indexOf(item));
  showEntry(shown[current]);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input[type=search], select")) {
    if (event.key === "Escape") at("list").focus();
    return;
  }
  const inList = event.target === at("list") || event.target === document.body;
  if (event.key === "/") { event.preventDefault(); at("find").focus(); }
  else if (event.key === "j" || (event.key === "ArrowDown" && inList)) { event.preventDefault(); choose(current + 1); }
  else if (event.key === "k" || (event.key === "ArrowUp" && inList)) { event.preventDefault(); choose(current - 1); }
  else if (event.key === "Enter" && inList) showEntry(shown[current]);
  else if (event.key === "u") at("unfold").click();
});

filter();
const first = data.entries.find((entry) => entry.is_bad && entry.file) || data.entries.find((entry) => entry.file);
if (first) showFile(first.file, first.is_bad ? first.line : undefined);
// What comes first is above the sources.
window.scrollTo(0, 0);
