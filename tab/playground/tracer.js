// A tracer of scalar functions, so that a picture is there at once: until Python is (or where there is none, on the front page).
// It reads the part of Python that such functions are written in, runs it, and tells the same story as
// minigrad_course/viz/explore/story.py, but for graph and program. Its derivatives are those of the library: TABLE is
// minigrad/core/rules.py, a row for each operation, [value, partial derivatives], which the page brings along.

const MOST = 400, TURNS = 20_000; // nodes that are shown, as in record.py; statements that one run may take
const NATIVE = { max: Math.max, min: Math.min, maximum: Math.max, minimum: Math.min, arcsin: Math.asin, arccos: Math.acos, arctan: Math.atan, arctan2: Math.atan2 };
for (const name of ["sin", "cos", "tan", "exp", "log", "sqrt", "log1p", "expm1", "log2", "log10", "cbrt", "hypot", "sinh", "cosh", "tanh", "abs", "sign", "floor", "ceil", "trunc"])
  NATIVE[name] = Math[name];
const NUMBERS = { pi: Math.PI, e: Math.E };
const BINARY = {
  "+": ["add", (a, b) => a + b, 5], "-": ["sub", (a, b) => a - b, 5], "*": ["mul", (a, b) => a * b, 6], "/": ["div", (a, b) => a / b, 6],
  "//": ["floor_divide", (a, b) => Math.floor(a / b), 6], "%": ["remainder", (a, b) => a - b * Math.floor(a / b), 6], "**": ["pow", (a, b) => a ** b, 8],
  "<": ["less", (a, b) => a < b, 4], ">": ["greater", (a, b) => a > b, 4], "<=": ["less_equal", (a, b) => a <= b, 4],
  ">=": ["greater_equal", (a, b) => a >= b, 4], "==": ["equal", (a, b) => a === b, 4], "!=": ["not_equal", (a, b) => a !== b, 4],
};

class Unread extends Error {} // what this tracer leaves to Python

// ------------------------------------------------------------------ reading
const TOKEN = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|\/\/|[<>=!]=|[-+*/%]=|->|[-+*/%^()=<>,:.[\]])|(\S))/y;

function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim()) {
    const [, number, name, sign, other] = TOKEN.exec(text);
    if (other) throw new Unread(other);
    const before = found.at(-1);
    if (before?.number !== undefined && (name && !["if", "else", "and", "or", "in"].includes(name) || sign === "(")) found.push({ sign: "*" }); // 2x
    found.push(number ? { number: Number(number), text: number } : name ? { name } : { sign: sign === "^" ? "**" : sign });
  }
  return found;
}

class Reader {
  constructor(text) {
    this.tokens = tokens(text);
    this.at = 0;
  }

  get next() { return this.tokens[this.at] ?? {}; }
  takes(word) { return (this.next.sign === word || this.next.name === word) && Boolean(++this.at); }
  needs(word) { if (!this.takes(word)) throw new Unread(`no ${word}`); }
  ends() { if (this.at < this.tokens.length) throw new Unread("more than a statement"); }

  list(end) {
    const all = [];
    do { if (end && this.next.sign === end) break; all.push(this.choice()); } while (this.takes(","));
    return all;
  }

  choice() {
    const then = this.level(4);
    if (!this.takes("if")) return then;
    const condition = this.level(4);
    this.needs("else");
    return { choice: [condition, then, this.choice()] };
  }

  level(least) { // precedence climbing
    let left = this.takes("-") ? { call: "neg", of: [this.level(7)] } : this.takes("+") ? this.level(7) : this.atom();
    for (let sign; (sign = this.next.sign) in BINARY && BINARY[sign][2] >= least;) {
      this.at++;
      left = { call: BINARY[sign][0], of: [left, sign === "**" ? this.level(7) : this.level(BINARY[sign][2] + 1)] };
    }
    return left;
  }

  atom() {
    const { number, name, sign } = this.next;
    this.at++;
    if (number !== undefined) return { number };
    if (sign === "(") {
      const inside = this.choice();
      this.needs(")");
      return inside;
    }
    if (!name || ["and", "or", "not", "lambda", "in", "if", "else"].includes(name)) throw new Unread(name ?? sign);
    let of = name;
    if (["mg", "np"].includes(name) && this.takes(".")) of = this.tokens[this.at++]?.name;
    if (!this.takes("(")) return of === name ? { name } : { number: NUMBERS[of] ?? (() => { throw new Unread(of); })() };
    const inside = this.list(")");
    this.needs(")");
    return { call: of, of: inside };
  }
}

/** A function from its text: {name, parameters, body}; a bare expression is one of its free names. */
function read(text, table) {
  const lines = text.split("\n").map((line, i) => ({ number: i + 1, text: line, depth: line.search(/\S|$/), code: line.replace(/#.*/, "").trim() })).filter(line => line.code);
  const first = lines[0]?.code ?? "";
  if (!/^def\b/.test(first)) {
    if (lines.length !== 1) throw new Unread("not one function");
    const [, name = "f", named, formula] = /^(?:([A-Za-z]\w*)(?:\(([^)]*)\))?\s*=(?!=))?(.*)$/.exec(first);
    const body = new Reader(formula), value = body.choice();
    body.ends();
    const free = [...new Set(body.tokens.flatMap((t, i) => t.name && !(t.name in table) && !(t.name in NATIVE) && !(t.name in NUMBERS) && !["mg", "np"].includes(t.name) && body.tokens[i + 1]?.sign !== "(" && body.tokens[i - 1]?.sign !== "." ? [t.name] : []))];
    const inputs = named ? named.split(",").map(x => x.trim()) : free;
    return { name, parameters: inputs.map(x => ({ name: x, value: 1, moves: true, default: false })), body: [{ line: 1, does: "return", values: [value] }] };
  }
  const [, name, inside] = /^def (\w+)\((.*)\)\s*(?:->[^:]*)?:/.exec(first) ?? (() => { throw new Unread("a def over several lines"); })();
  if (lines.some((line, i) => i && /^(def|class|import|from|@)/.test(line.code))) throw new Unread("more than a function");
  const parameters = inside.split(",").filter(part => part.trim()).map(part => {
    const [, called, integer, value] = /^\s*(\w+)\s*(?::\s*(int|float)\s*)?(?:=\s*([-+.\de]+)\s*)?$/.exec(part) ?? (() => { throw new Unread(part); })();
    return { name: called, value: Number(value ?? 1), moves: integer !== "int", default: value !== undefined };
  });
  const after = first.slice(first.lastIndexOf(":") + 1).trim();
  const body = after ? [statement(after, 1)] : block(lines, 1, lines[1]?.depth)[0];
  return { name, parameters, body };
}

function block(lines, i, depth) { // the statements from line i on that stand at this depth
  const all = [];
  while (i < lines.length && lines[i].depth === depth) {
    const { code, number } = lines[i], head = /^(for|if|elif|else)\b(.*?):\s*(.*)$/.exec(code);
    if (!head) {
      all.push(statement(code, number));
      i++;
      continue;
    }
    const [, word, what, same] = head;
    const [body, end] = same ? [[statement(same, number)], i + 1] : block(lines, i + 1, Math.max(lines[i + 1]?.depth, depth + 1));
    if (word === "for") {
      const [, name, range] = /^\s*(\w+) in range(\(.*\))\s*$/.exec(what) ?? (() => { throw new Unread(what); })();
      const reader = new Reader(range);
      reader.needs("(");
      all.push({ line: number, does: "for", name, range: reader.list(")"), body });
    } else if (word === "if") all.push({ line: number, does: "if", ways: [[new Reader(what).choice(), body]] });
    else all.at(-1).ways.push([word === "else" ? { number: 1 } : new Reader(what).choice(), body]);
    i = end;
  }
  if (i < lines.length && lines[i].depth > depth) throw new Unread("indentation");
  return [all, i];
}

function statement(code, line) {
  const reader = new Reader(code);
  if (code === "pass") return { line, does: "pass" };
  const made = reader.takes("return") ? { line, does: "return", values: reader.list() } : { line, does: "set", targets: [], values: reader.list() };
  const sign = reader.next.sign;
  if (made.does === "set" && /^[-+*/%]=$/.test(sign)) {
    reader.at++;
    made.targets.push(made.values);
    made.values = [{ call: BINARY[sign[0]][0], of: [made.values[0], reader.choice()] }];
  }
  while (made.does === "set" && reader.takes("=")) {
    made.targets.push(made.values);
    made.values = reader.list();
  }
  reader.ends();
  if (made.does === "set" && !(made.targets.length && made.targets.flat().every(target => target.name))) throw new Unread(code);
  return made;
}

// ------------------------------------------------------------------ running
/** The results of a function, with `values` for its inputs: numbers, or nodes where `operate` makes them. */
function run(fn, values, operate) {
  const names = { ...values };
  let turns = 0, line = 0;
  const value = of => {
    if (of.number !== undefined) return of.number;
    if (of.name) {
      if (of.name in names) return names[of.name];
      if (of.name in NUMBERS) return NUMBERS[of.name];
      throw new Unread(of.name);
    }
    if (of.choice) return value(of.choice[0]) ? value(of.choice[1]) : value(of.choice[2]);
    return operate(of.call, of.of.map(value), line);
  };
  const number = of => {
    const is = value(of);
    if (typeof is !== "number") throw new Unread("a node where a number must be");
    return is;
  };
  const go = statements => {
    for (const s of statements) {
      if (++turns > TURNS) throw new Unread("it runs too long");
      line = s.line;
      if (s.does === "return") return s.values.map(value);
      if (s.does === "set") {
        const results = s.values.map(value);
        for (const targets of s.targets) {
          if (targets.length !== results.length) throw new Unread("unpacking");
          targets.forEach((target, i) => { names[target.name] = results[i]; });
        }
      }
      if (s.does === "if") {
        const done = go(s.ways.find(([condition]) => value(condition))?.[1] ?? []);
        if (done) return done;
      }
      if (s.does === "for") {
        const range = s.range.map(number), [from, to, by] = range.length === 1 ? [0, range[0], 1] : [...range, 1];
        for (let i = from; by > 0 ? i < to : i > to; i += by) {
          names[s.name] = i;
          const done = go(s.body);
          if (done) return done;
        }
      }
    }
    return null;
  };
  return go(fn.body) ?? (() => { throw new Unread("no return"); })();
}

/** The number that an operation has for numbers. */
function computed(table, name, inputs) {
  const sign = Object.values(BINARY).find(([called]) => called === name);
  if (sign) return sign[1](...inputs);
  if (name === "neg") return -inputs[0];
  if (name === "square") return inputs[0] ** 2;
  if (name in NATIVE) return NATIVE[name](...inputs);
  if (!(name in table)) throw new Unread(name);
  return evaluated(table, table[name][0], inputs);
}
const parsed = new Map();
const parse = text => parsed.get(text) ?? parsed.set(text, new Reader(text).choice()).get(text);
function evaluated(table, text, [a, b, c], v) {
  return Number(run({ body: [{ does: "return", values: [parse(text)] }] }, { a, b, c, v }, (name, inputs) => computed(table, name, inputs))[0]);
}

// ------------------------------------------------------------------ writing
export function number(x) { // in four digits, as Python's .4g
  if (typeof x === "boolean") return x ? "True" : "False";
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  const short = Number(x.toPrecision(4)), size = short === 0 ? 0 : Math.floor(Math.log10(Math.abs(short)));
  return size < -4 || size > 3 ? short.toExponential().replace("e+", "e") : String(short === 0 ? 0 : short);
}
const minus = text => text.replaceAll("-", "−");
const SPELLED = { sigmoid: "σ", log: "ln" };
const bracketed = (text, least, has) => (has < least ? `(${text})` : text);

/** The HTML of an expression, with HTML for its names; least: how strongly it must hold together. */
function written(of, names, least = 0) {
  if (of.number !== undefined) return minus(number(of.number));
  if (of.name) return names[of.name].startsWith("−") && least > 5 ? `(${names[of.name]})` : names[of.name];
  const [a, b] = of.of ?? [], at = (x, level) => written(x, names, level);
  switch (of.call) {
    case "add": return bracketed(`${at(a, 5)} + ${at(b, 5)}`, least, 5);
    case "sub": return bracketed(`${at(a, 5)} − ${at(b, 6)}`, least, 5);
    case "mul": return bracketed(`${at(a, 6)}·${at(b, 6)}`, least, 6);
    case "div": return bracketed(`${at(a, 6)}/${at(b, 7)}`, least, 6);
    case "neg": return bracketed(`−${at(a, 6)}`, least, 5);
    case "pow": return `${at(a, 9)}<sup>${at(b, 0)}</sup>`;
    case "square": return `${at(a, 9)}<sup>2</sup>`;
    case "exp": return `<var>e</var><sup>${at(a, 0)}</sup>`;
    case "sqrt": return `√${at(a, 9)}`;
    case "abs": return `|${at(a, 0)}|`;
    default: return `${SPELLED[of.call] ?? of.call}(${of.of.map(x => at(x, 0)).join(", ")})`;
  }
}
function symbol(name) {
  const [, base, rest] = /^([A-Za-z]*)(.*)$/.exec(name);
  return `<var>${base}</var>${rest ? `<sub>${rest.replace(/^_/, "")}</sub>` : ""}`;
}

// ------------------------------------------------------------------ the walk back
const same = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12 || (a !== a && b !== b);

/** The events of a walk from each output, with the rules [order, add, reset] kept or not; see walk.py. */
function walks(nodes, shares, inputs, outputs, [order, add, reset], partial, html) {
  const events = [], reached = new Map();
  const goes = outputs.length > 1 || reset ? outputs : [...outputs, ...outputs];
  const fromOutput = y => {
    const before = new Set([y]);
    for (let k = y; k >= 0; k--) if (before.has(k)) nodes[k].inputs.forEach(x => before.add(x));
    return [...before].filter(k => nodes[k].moving).sort((a, b) => b - a);
  };
  const asReached = y => {
    const queue = [y];
    for (const k of queue) for (const x of nodes[k].inputs) if (nodes[x].moving && !queue.includes(x)) queue.push(x);
    return queue;
  };
  let adjoint = {};
  goes.forEach((y, walk) => {
    const right = {}, truth = { [y]: 1 };
    for (const k of fromOutput(y)) shares.forEach((s, j) => {
      if (s.from === k && k in truth) truth[s.to] = (truth[s.to] ?? 0) + (right[j] = truth[k] * partial(j));
    });
    if (reset) {
      adjoint = {};
      events.push([0, walk, y, -1, "", "", "", ""]);
    }
    if (nodes[y].moving) {
      adjoint[y] = 1;
      const arrived = { [y]: 1 };
      events.push([1, walk, y, -1, "", "", "1", ""]);
      for (const k of order ? fromOutput(y) : asReached(y)) {
        const has = adjoint[k];
        if (has !== undefined) shares.forEach((s, j) => {
          if (s.from !== k) return;
          const amount = has * partial(j), before = adjoint[s.to], name = nodes[k].name;
          arrived[s.to] = (arrived[s.to] ?? 0) + (right[j] ?? 0);
          adjoint[s.to] = before === undefined || !add ? amount : before + amount;
          const wrong = !same(has, truth[k])
            ? !order && same(has, arrived[k]) ? `${name} did not wait for the rest of its adjoint, which is ${number(truth[k])}` : `the adjoint of ${name} is ${number(has)} already, and not ${number(truth[k])}`
            : same(adjoint[s.to], arrived[s.to]) ? ""
            : !add ? `the ${number(before ?? 0)} that had arrived before is lost`
            : !reset ? `added to the ${number(before ?? 0)} that was left by the walk before` : `an earlier share of ${nodes[s.to].name} was wrong`;
          events.push([2, walk, s.to, j, html(j, has), number(amount), number(adjoint[s.to]), wrong]);
        });
      }
    }
    const ends = inputs.map(x => adjoint[x] ?? 0), wrong = inputs.map((x, i) => !same(ends[i], truth[x] ?? 0));
    events.push([3, walk, y, -1, "", ends.map(number), wrong, wrong.includes(true) ? "not the derivatives" : ""]);
    reached.set(y, inputs.map(x => truth[x] ?? 0));
  });
  return { events, gradient: reached.get(outputs[0]) };
}

/** What there is to see of a function of numbers: {parameters, story, at(name, x), gradient}; null if that is Python's. */
export function traced(source, given, table) {
  try {
    return follow(source, given, table);
  } catch (error) {
    if (error instanceof Unread || error instanceof RangeError) return null;
    throw error;
  }
}

/** The story of other inputs, with what Python alone has told of the same run: its graph and its program. */
export function onto(told, story) {
  const alike = told?.mode === story.mode && told.graph && told.nodes.map(n => n.name).join() === story.nodes.map(n => n.name).join();
  if (!alike || told.source.join() !== story.source.join()) return story;
  const nodes = told.nodes.map((n, k) => ({ ...n, value: story.nodes[k].value, numbers: story.nodes[k].numbers }));
  return { ...told, title: story.title, nodes, walks: story.walks };
}

function follow(source, given, table) {
  const fn = read(source, table), nodes = [], values = {};
  for (const p of fn.parameters) {
    values[p.name] = given[p.name] ?? p.value;
    if (typeof values[p.name] !== "number" || Number.isNaN(values[p.name])) throw new Unread("an array");
  }
  const node = made => nodes.push({ inputs: [], line: null, number: false, moving: false, shape: [], ...made }) && nodes.length - 1;
  const start = { ...values };
  for (const p of fn.parameters) if (p.moves) start[p.name] = { k: node({ name: p.name, is: values[p.name], kind: "input", moving: true }) };
  const inputs = nodes.map((_, k) => k);
  let count = 0;
  const operate = (name, of, line) => {
    if (name === "pow" && of[1] === 2) return operate("square", [of[0]], line); // as Node.__pow__ does
    const numbers = of.map(x => (typeof x === "object" ? nodes[x.k].is : Number(x)));
    const is = computed(table, name, numbers);
    if (!of.some(x => typeof x === "object") || typeof is === "boolean") return is;
    if (!(name in table)) throw new Unread(name);
    const at = of.map((x, i) => (typeof x === "object" ? x.k : node({ name: number(numbers[i]), is: numbers[i], kind: "constant", number: true })));
    if (nodes.length >= MOST) throw new Unread("too many nodes");
    return { k: node({ name: `v${++count}`, is, kind: "operator", op: name, inputs: at, line, moving: at.some(k => nodes[k].moving) }) };
  };
  const outputs = run(fn, start, operate).map(y => (typeof y === "object" ? y.k : (() => { throw new Unread("a result that is a number"); })()));
  if (!inputs.length) throw new Unread("no input");
  const result = fn.name.length === 1 ? fn.name : "f";
  if (outputs.length === 1 && nodes[outputs[0]].op && !nodes.some(n => n.name === result)) nodes[outputs[0]].name = result;
  for (const n of nodes) {
    const names = Object.fromEntries(n.inputs.map((x, i) => ["abc"[i], nodes[x].number ? minus(nodes[x].name) : symbol(nodes[x].name)]));
    const numbers = Object.fromEntries(n.inputs.map((x, i) => ["abc"[i], minus(number(nodes[x].is))]));
    const call = { call: n.op, of: n.inputs.map((_, i) => ({ name: "abc"[i] })) };
    Object.assign(n, { called: n.name, value: number(n.is), html: n.number ? minus(n.name) : symbol(n.name), dot: "",
      bar: `<span class="mgx-bar" role="img" aria-label="adjoint of ${n.name}">${symbol(n.name)}</span>` },
    n.op ? { formula: written(call, names), numbers: written(call, numbers) } : {});
  }
  const shares = nodes.flatMap((n, from) => (n.moving ? n.inputs.flatMap((to, i) => (nodes[to].moving ? [{ from, to, i, ...shareOf(n, i) }] : [])) : []));
  function shareOf(n, i) {
    const [a, b] = n.inputs, power = n.op === "pow" && i === 0 && nodes[b].number && nodes[b].is;
    const of = power ? parse(power === 2 ? "2 * a" : `${power} * a ** ${power - 1}`) : parse(table[n.op][1][i]);
    return { of, formula: product(n.bar, of, name => (name === "v" ? n.html : nodes[n.inputs["abc".indexOf(name)]].html)) };
  }
  function product(bar, of, called) {
    const names = { v: "", a: "", b: "", c: "" };
    for (const name in names) try { names[name] = called(name); } catch { /* a row of fewer inputs */ }
    if (of.number === 1) return bar;
    if (of.call === "neg") return `−${product(bar, of.of[0], called)}`;
    return `${bar}·${written(of, names, 6)}`;
  }
  const slopes = shares.map(({ from, i }) => evaluated(table, table[nodes[from].op][1][i], nodes[from].inputs.map(x => nodes[x].is), nodes[from].is));
  const html = (j, has) => product(minus(number(has)), shares[j].of, name => minus(number(name === "v" ? nodes[shares[j].from].is : nodes[nodes[shares[j].from].inputs["abc".indexOf(name)]].is)));
  const all = {};
  let gradient;
  for (let rules = 7; rules >= 0; rules--) {
    const kept = [4, 2, 1].map(bit => Boolean(rules & bit)), walked = walks(nodes, shares, inputs, outputs, kept, j => slopes[j], html);
    all[kept.map(Number).join("")] = { events: walked.events };
    gradient ??= walked.gradient;
  }
  const call = fn.parameters.map(p => `${p.name}=${number(values[p.name])}`).join(", ");
  return {
    parameters: fn.parameters, gradient: Object.fromEntries(inputs.map((x, i) => [nodes[x].name, gradient[i]])), value: nodes[outputs[0]].is, called: nodes[outputs[0]].name, values,
    at: (name, x) => Number(run(fn, { ...values, [name]: x }, (op, of) => computed(table, op, of.map(Number)))[0]),
    story: {
      mode: "reverse", title: `${fn.name}(${call})`, source: source.trimEnd().split("\n").map((text, i) => [i + 1, text]), nodes, inputs, outputs,
      forward: nodes.flatMap((n, k) => (n.op ? [k] : [])), shares: shares.map(({ from, to, formula }) => ({ from, to, formula, text: "" })), walks: all, graph: null,
    },
  };
}
