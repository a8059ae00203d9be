'use strict';
// Everything that comes from the module is set as text, never as markup.
const data = JSON.parse(document.getElementById('data').textContent);
const at = (id) => document.getElementById(id);

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
function draw(tag, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}
function scaled(value, units, base) {
  let unit = 0;
  while (value >= base && unit + 1 < units.length) { value /= base; ++unit; }
  return (value === 0 ? '0' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)) + ' ' + units[unit];
}
// Nobody reads a hundred-thousandth of a microsecond.
const microseconds = (us) => us === null ? 'not known' : us >= 1000 ? scaled(us / 1000, ['ms', 's'], 1000) :
  us === 0 || us >= 0.1 ? us.toPrecision(3) + ' µs' : us >= 0.001 ? (us * 1000).toPrecision(3) + ' ns' : 'under 1 ns';
const bytes = (n) => scaled(n, ['B', 'kB', 'MB', 'GB', 'TB'], 1000);
const operations = (n) => scaled(n, ['', 'k', 'M', 'G', 'T', 'P'], 1000).trim();
// The strategy first, whether the library may be called last.
const placeOf = (name) => name === 'strategy' ? 0 : name === 'library' ? 2 : 1;
const schedule = (fields) => Object.entries(fields).sort(([a], [b]) => placeOf(a) - placeOf(b)).map(([name, value]) => name + ' = ' + value).join(', ');
const width = (share) => (100 * share).toFixed(2) + '%';

// Of all launches, without what it takes to launch them.
const isMeasured = (kernel) => Boolean(kernel.measured) && kernel.measured.us !== null;
function timeOf(kernel) {
  if (isMeasured(kernel)) return Math.max(kernel.measured.us - kernel.measured.parts_us.launch, 0) * kernel.launches;
  const way = kernel.ways.find((candidate) => candidate.chosen);
  const one = way && way.predicted_us !== undefined ? way.predicted_us : kernel.work ? kernel.work.floor_us : null;
  return one === null ? null : one * kernel.launches;
}
const kernels = data.kernels.map((kernel) => ({ ...kernel, time: timeOf(kernel), kind: kernel.work ? kernel.work.bound_by : 'unknown' }));
const kindOfTime = kernels.length > 0 && kernels.every(isMeasured) ? 'measured' : kernels.some(isMeasured) ? 'measured or predicted' : 'predicted';
const launched = kernels.reduce((sum, kernel) => sum + kernel.launches, 0) * data.launch_us;
const whole = kernels.reduce((sum, kernel) => sum + (kernel.time || 0), launched);
const sorted = [...kernels].sort((a, b) => (b.time || 0) - (a.time || 0));
const shareOf = (kernel) => whole > 0 && kernel.time ? kernel.time / whole : 0;

function showSummary() {
  const launches = kernels.reduce((sum, kernel) => sum + kernel.launches, 0);
  for (const node of document.querySelectorAll('.kind-of-time'))
    node.textContent = node.textContent.startsWith('P') ? kindOfTime[0].toUpperCase() + kindOfTime.slice(1) : kindOfTime;
  document.title = data.module + ': forge explain';
  at('title').textContent = data.module;
  at('summary').textContent = data.target + ' · ' + kernels.length + ' kernels, ' + launches + ' launches · ' + kindOfTime + ' ' +
    microseconds(whole) + ' · ceilings ' + (data.measured_ceilings ? 'measured' : 'estimated') + ' · ' + data.version;
}

function showTime() {
  const strip = at('time');
  const longest = sorted.slice(0, 3).filter((kernel) => kernel.time).map((kernel) => kernel.name + ' ' + width(shareOf(kernel)));
  strip.setAttribute('aria-label', 'Shares of the ' + kindOfTime + ' time. The longest: ' + longest.join(', ') + '; launches ' + width(launched / whole));
  for (const kernel of sorted) {
    if (!kernel.time) continue;
    const part = make('i', { class: kernel.kind, title: kernel.name + ': ' + microseconds(kernel.time) });
    part.style.width = width(shareOf(kernel));
    // Borders of many short ones would look like time that nothing takes.
    if (shareOf(kernel) < 0.005) part.style.borderRight = '0';
    strip.append(part);
  }
  const part = make('i', { class: 'launch', title: 'launches: ' + microseconds(launched) });
  part.style.width = width(launched / whole);
  strip.append(part);
  if (longest.length) at('time-legend').append(make('li', {}, 'longest: ' + longest.join(', ')));
  for (const [kind, text] of [['memory', 'bound by memory'], ['arithmetic', 'bound by arithmetic'], ['unknown', 'not known']]) {
    const of = kernels.filter((kernel) => kernel.kind === kind);
    if (of.length === 0) continue;
    const share = of.reduce((sum, kernel) => sum + shareOf(kernel), 0);
    at('time-legend').append(make('li', {}, make('i', { class: kind }), text + ': ' + width(share)));
  }
  at('time-legend').append(make('li', {}, make('i', { class: 'launch' }), 'launches, ' + microseconds(data.launch_us) + ' each at most: ' + width(launched / whole)));
}

// Of kernels; and the one whose details are shown.
const buttons = new Map();
let opened = null;

function showTable() {
  const body = at('table').tBodies[0];
  for (const kernel of sorted) {
    const name = make('button', { class: 'name', type: 'button', 'aria-controls': 'detail', 'aria-expanded': 'false' }, kernel.name);
    name.addEventListener('click', () => showDetail(kernel));
    buttons.set(kernel, name);
    const bar = make('i', { class: kernel.kind });
    bar.style.width = 'calc(var(--bar) * ' + (shareOf(kernel) / shareOf(sorted[0])).toFixed(4) + ')';
    const work = kernel.work;
    const number = (text) => make('td', { class: 'number' }, text);
    body.append(make('tr', {}, make('th', { scope: 'row' }, name), number(microseconds(kernel.time)),
      make('td', {}, make('div', { class: 'bar' }, bar, width(shareOf(kernel)))), make('td', {}, kernel.schedule.strategy), number(String(kernel.launches)),
      number(work ? microseconds(work.floor_us * kernel.launches) : 'not known'), make('td', {}, work ? work.bound_by : 'not known'),
      number(work ? bytes(work.bytes_read) : ''), number(work ? bytes(work.bytes_written) : ''), number(work ? operations(work.flops) : '')));
  }
}

function fact(name, value) {
  at('facts').append(make('dt', {}, name), make('dd', {}, value));
}
function measured(time) {
  if (time.us === null) return 'not: ' + time.why_not;
  const parts = time.parts_us;
  return microseconds(time.us) + ' a launch, the floor is ' + width(time.floor_share) + ' of it; above the floor: launch ' + microseconds(parts.launch) +
    ', predicted of the strategy ' + microseconds(parts.strategy) + ', not explained ' + microseconds(parts.rest);
}
function showDetail(kernel) {
  if (opened) buttons.get(opened).setAttribute('aria-expanded', 'false');
  opened = kernel;
  buttons.get(kernel).setAttribute('aria-expanded', 'true');
  history.replaceState(null, '', '#kernel=' + kernel.name);
  at('detail').hidden = false;
  at('detail-heading').textContent = 'Kernel ' + kernel.name;
  at('facts').replaceChildren();
  fact('Schedule', schedule(kernel.schedule));
  if (kernel.default_schedule) fact('By default', schedule(kernel.default_schedule));
  if (kernel.planned_in) fact('Set in', kernel.planned_in);
  if (kernel.default_schedule) fact('Bits', kernel.other_bits ? 'may differ from the default\'s: ' + kernel.other_bits : 'those of the default');
  fact('Computes', kernel.places.length ? kernel.places.join(', ') : 'no known place of the source');
  if (kernel.work) {
    fact('Floor of one launch', microseconds(kernel.work.floor_us) + ' of ' + kernel.work.bound_by);
    if (kernel.measured) fact('Measured', measured(kernel.measured));
    fact('Memory', bytes(kernel.work.bytes_read) + ' read, ' + bytes(kernel.work.bytes_written) + ' written');
    fact('Arithmetic', operations(kernel.work.flops) + ' operations' +
      (kernel.work.needed_flops < kernel.work.flops ? ', of which a mask leaves ' + operations(kernel.work.needed_flops) : ''));
  }
  if (kernel.occupancy) {
    const found = kernel.occupancy;
    fact('A multiprocessor at once', found.blocks + (found.blocks === 1 ? ' block' : ' blocks') + ' of ' + found.threads + ' threads, ' + found.warps + ' of ' + found.most_warps +
      ' warps, limited by ' + found.limited_by + ': ' + found.registers + ' registers a thread, ' + bytes(found.shared_bytes) + ' of shared memory a block' +
      (found.spill_bytes ? ', ' + bytes(found.spill_bytes) + ' spilled' : ''));
  }
  fact('Hash', kernel.hash);
  const ways = at('ways').tBodies[0];
  ways.replaceChildren();
  const time = (us) => make('td', { class: 'number' }, us === undefined ? '' : microseconds(us));
  at('ways-measured').hidden = !kernel.measured;
  for (const way of kernel.ways)
    ways.append(make('tr', way.chosen ? { class: 'chosen' } : {}, make('th', { scope: 'row' }, way.strategy + (way.chosen ? ' (chosen)' : '')),
      time(way.predicted_us), ...(kernel.measured ? [time(way.measured_us)] : []), make('td', {}, way.why_not || schedule(way.schedule))));
  showChoice(kernel.choice);
  showCode(kernel);
  at('detail-heading').focus();
}

// The schedule in force first, then those a step from it.
function showChoice(choice) {
  at('choice-rule').textContent = choice.rule ? 'Chosen by: ' + choice.rule + '.' : 'There is nothing to choose.';
  const body = at('choice').tBodies[0];
  const row = (heading, verdict, fit, attributes) => body.append(make('tr', attributes, make('th', { scope: 'row' }, heading),
    make('td', { class: 'number' }, fit && fit.estimated_us !== undefined ? microseconds(fit.estimated_us) : ''), make('td', {}, verdict), make('td', {}, fit ? fit.text : '')));
  body.replaceChildren();
  row('as it is (in force)', '', choice.fit, { class: 'chosen' });
  for (const step of choice.steps) row(step.change, step.verdict, step.fit, step.legal ? {} : { class: 'illegal' });
}

// To where it was opened from.
function goBack() {
  if (opened) buttons.get(opened).focus();
}

// The numbers of the lines of each side that are in the longest sequence of lines that both have in this order.
function inBoth(left, right) {
  const row = right.length + 1, longest = new Uint16Array((left.length + 1) * row);
  for (let i = left.length - 1; i >= 0; --i)
    for (let j = right.length - 1; j >= 0; --j)
      longest[i * row + j] = left[i] === right[j] ? longest[(i + 1) * row + j + 1] + 1 : Math.max(longest[(i + 1) * row + j], longest[i * row + j + 1]);
  const kept = [new Set(), new Set()];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) { kept[0].add(i++); kept[1].add(j++); }
    else if (longest[(i + 1) * row + j] >= longest[i * row + j + 1]) ++i;
    else ++j;
  }
  return kept;
}

function showCode(kernel) {
  const names = Object.keys(kernel.code);
  const selects = [at('left-phase'), at('right-phase')], sides = [at('left'), at('right')];
  selects.forEach((select, side) => {
    select.replaceChildren(...names.map((name) => make('option', { value: name }, name)));
    select.value = names[side === 0 ? 0 : Math.min(1, names.length - 1)] || '';
    select.onchange = compare;
  });
  const linesOf = (side) => (kernel.code[selects[side].value] || '').split('\n');
  // Numbers of values do not make a line another one.
  const plain = (line) => line.trim().replace(/%[\w$.-]+/g, '%');
  function compare() {
    const lines = [linesOf(0), linesOf(1)], kept = inBoth(lines[0].map(plain), lines[1].map(plain));
    for (const side of [0, 1])
      sides[side].replaceChildren(...lines[side].map((line, number) => make('span', kept[side].has(number) ? {} : { class: 'changed' }, line)));
  }
  compare();
}

// What is drawn is as wide as the window allows, so that its text stays as large as it is.
const widthOf = (id) => Math.max(320, Math.min(1100, at(id).clientWidth));

function showRoofline() {
  const points = kernels.filter((kernel) => kernel.work && kernel.work.flops > 0 && kernel.time > 0).map((kernel) => ({
    kernel, x: kernel.work.needed_flops / Math.max(kernel.work.bytes_read + kernel.work.bytes_written, 1),
    y: kernel.work.needed_flops * kernel.launches / (kernel.time * 1e-6) }));
  const { copy_bandwidth: bandwidth, matrix_flops: matrix, vector_flops: vector } = data.ceilings;
  at('roofline-text').textContent = 'Operations a second against operations a byte, both logarithmic. Memory: ' + bytes(bandwidth) +
    ' a second; matrix units: ' + operations(matrix) + ', lanes: ' + operations(vector) + ' operations a second. The table above has the numbers' +
    (points.some((point) => point.kernel.work.needed_flops < point.kernel.work.flops) ? '; here operations that a mask leaves out do not count.' : '.');
  const [w, h, left, bottom] = [widthOf('roofline'), 340, 60, 40];
  const xs = points.map((point) => point.x).concat([0.1, 1000]), ys = points.map((point) => point.y).concat([matrix * 1.5, bandwidth * 0.05]);
  const range = (values) => [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const [x0, x1] = range(xs), [y0, y1] = range(ys);
  const px = (x) => left + (Math.log10(x) - x0) / (x1 - x0) * (w - left - 20);
  const py = (y) => h - bottom - (Math.log10(y) - y0) / (y1 - y0) * (h - bottom - 20);
  const svg = draw('svg', { viewBox: '0 0 ' + w + ' ' + h, width: w, height: h, 'aria-hidden': 'true' });
  for (let e = x0; e <= x1; ++e) {
    svg.append(draw('line', { class: 'axis', x1: px(10 ** e), x2: px(10 ** e), y1: 20, y2: h - bottom }));
    svg.append(draw('text', { class: 'soft', x: px(10 ** e), y: h - bottom + 16, 'text-anchor': 'middle' }, String(10 ** e)));
  }
  for (let e = y0; e <= y1; ++e) {
    svg.append(draw('line', { class: 'axis', x1: left, x2: w - 20, y1: py(10 ** e), y2: py(10 ** e) }));
    svg.append(draw('text', { class: 'soft', x: left - 6, y: py(10 ** e) + 4, 'text-anchor': 'end' }, operations(10 ** e)));
  }
  svg.append(draw('text', { class: 'soft', x: (left + w) / 2, y: h - 6, 'text-anchor': 'middle' }, 'operations a byte'));
  for (const peak of [matrix, vector])
    svg.append(draw('path', { class: 'roof', d: 'M' + px(10 ** x0) + ' ' + py(Math.min(peak, bandwidth * 10 ** x0)) + ' L' +
      px(Math.min(Math.max(peak / bandwidth, 10 ** x0), 10 ** x1)) + ' ' + py(Math.min(peak, bandwidth * 10 ** x1)) + ' L' + px(10 ** x1) + ' ' +
      py(Math.min(peak, bandwidth * 10 ** x1)) }));
  for (const point of points) {
    const dot = draw('circle', { class: point.kernel.kind, cx: px(point.x), cy: py(point.y), r: 3 + 12 * Math.sqrt(shareOf(point.kernel)), opacity: 0.75 });
    dot.append(draw('title', {}, point.kernel.name + ': ' + operations(point.y) + ' operations a second'));
    svg.append(dot);
  }
  const largest = [...points].sort((a, b) => shareOf(b.kernel) - shareOf(a.kernel)).slice(0, 5);
  // A name each, one below the other where they would meet, with a line to the kernel's place.
  const labels = [];
  for (const point of largest) {
    const length = 7.5 * point.kernel.name.length;
    const label = { x: Math.max(left, Math.min(px(point.x) - length - 24, w - 20 - length)), y: py(point.y) + 24 };
    const step = label.y > h - bottom - 60 ? -15 : 15; // away from the axis
    if (step < 0) label.y = Math.min(label.y, h - bottom - 6) - 30;
    while (labels.some((other) => label.x < other.end && other.x < label.x + length && Math.abs(other.y - label.y) < 15)) label.y += step;
    labels.push({ ...label, end: label.x + length });
    svg.append(draw('line', { class: 'leader', x1: px(point.x), y1: py(point.y), x2: label.x + length, y2: label.y - 4 }), draw('text', label, point.kernel.name));
  }
  at('roofline').setAttribute('aria-label', 'Roofline with ' + points.length + ' kernels; ' +
    largest.map((point) => point.kernel.name + ' at ' + operations(point.y) + ' operations a second').join(', '));
  at('roofline').replaceChildren(svg);
}

function showGraph() {
  const launches = data.launches, row = 20, w = widthOf('graph'), x = Math.min(190, w / 4), longest = (w - x) / 3;
  const most = Math.max(1e-9, ...launches.map((launch) => (kernels[launch.kernel].time || 0) / kernels[launch.kernel].launches));
  const svg = draw('svg', { viewBox: '0 0 ' + w + ' ' + (launches.length * row + 10), width: w, height: launches.length * row + 10, role: 'list',
    'aria-label': launches.length + ' launches' });
  const y = (number) => number * row + row / 2 + 4;
  launches.forEach((launch, number) => {
    for (const from of launch.after) {
      const bend = Math.min(x - 10, 12 + 6 * (number - from));
      svg.append(draw('path', { class: 'arc', d: 'M' + x + ' ' + y(from) + ' C' + (x - bend) + ' ' + y(from) + ' ' + (x - bend) + ' ' + y(number) + ' ' + x + ' ' + y(number) }));
    }
    const kernel = kernels[launch.kernel], time = (kernel.time || 0) / kernel.launches;
    const item = draw('g', { role: 'listitem', 'aria-label': number + 1 + ', ' + kernel.name + ', ' + microseconds(time) +
      (launch.depth ? ' in a loop' : '') + (launch.after.length ? ', after ' + launch.after.map((from) => from + 1).join(' and ') : '') });
    item.append(draw('circle', { class: kernel.kind, cx: x, cy: y(number), r: 4 }));
    item.append(draw('rect', { class: kernel.kind, x: x + 12, y: y(number) - 6, width: Math.max(1, longest * time / most), height: 12 }));
    item.append(draw('text', { x: x + 18 + Math.max(1, longest * time / most), y: y(number) + 4 }, kernel.name + '  ' + microseconds(time) +
      (launch.depth ? '  (in a loop)' : '')));
    svg.append(item);
  });
  at('graph').replaceChildren(svg);
}

function showPhases() {
  const whole = data.phases.reduce((sum, phase) => sum + phase.ms, 0), most = Math.max(1e-9, ...data.phases.map((phase) => phase.ms));
  for (const phase of data.phases) {
    const bar = make('i', { class: 'unknown' });
    bar.style.width = 'calc(var(--bar) * ' + (phase.ms / most).toFixed(4) + ')';
    at('phases').tBodies[0].append(make('tr', {}, make('th', { scope: 'row' }, phase.name), make('td', { class: 'number' }, microseconds(phase.ms * 1000)),
      make('td', {}, make('div', { class: 'bar' }, bar, whole > 0 ? width(phase.ms / whole) : ''))));
  }
}

showSummary();
showPhases();
showTime();
showTable();
showRoofline();
showGraph();
let drawnAt = window.innerWidth;
window.addEventListener('resize', () => {
  if (window.innerWidth === drawnAt) return;
  drawnAt = window.innerWidth;
  showRoofline();
  showGraph();
});
// page.html#kernel=NAME opens a kernel.
function openNamed() {
  const kernel = kernels.find((candidate) => location.hash === '#kernel=' + candidate.name);
  if (kernel) showDetail(kernel);
}
at('back').addEventListener('click', goBack);
at('detail').addEventListener('keydown', (event) => {
  if (event.key === 'Escape') goBack();
});
window.addEventListener('hashchange', openNamed);
openNamed();
document.documentElement.setAttribute('data-ready', 'true');
