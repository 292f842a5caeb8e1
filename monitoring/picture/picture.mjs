// Draws the panels of the Grafana dashboard as one picture: the same queries, asked of a real Prometheus, in the
// dashboard's grid and units. For the documentation, where no Grafana is at hand.
//
//   npm ci && npm run picture -- http://localhost:9090 15 ../../docs/images/dashboard.png
//
// Arguments: address of Prometheus, how many minutes back from now, file to write. Chromium is found on the PATH, or
// named by CHROMIUM.

import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const [prometheus, minutes, file] = process.argv.slice(2);
if (!prometheus || !(Number(minutes) > 0) || !file) {
  console.error('Usage: npm run picture -- <address of Prometheus> <minutes> <file.png>');
  process.exit(1);
}

const here = import.meta.dirname;
const dashboard = JSON.parse(readFileSync(join(here, '../grafana/dashboards/leaf.json'), 'utf8'));
const until = Math.floor(Date.now() / 1000);
const since = until - Number(minutes) * 60;
const scrapeSeconds = 5;

// What Grafana puts in the place of its variables, with everything selected.
const expression = (text) => text.replaceAll('$__rate_interval', '1m').replaceAll(/\$(instance|key)/g, '.*');

const name = (format, labels) => format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => labels[label] ?? '');

async function series(target) {
  const query = new URLSearchParams({query: expression(target.expr), start: since, end: until, step: scrapeSeconds});
  const response = await fetch(`${prometheus}/api/v1/query_range?${query}`);
  const answer = await response.json();
  if (answer.status !== 'success') {
    throw new Error(`${target.expr}: ${answer.error}`);
  }
  return answer.data.result.map(({metric, values}) => ({label: name(target.legendFormat, metric), values}));
}

async function panel({type, title, gridPos, fieldConfig, targets = []}) {
  const lines = (await Promise.all(targets.map(series))).flat();
  return {type, title, gridPos, unit: fieldConfig?.defaults?.unit, lines};
}

const panels = await Promise.all(dashboard.panels.map(panel));
const uplot = (path) => readFileSync(join(here, 'node_modules/uplot/dist', path), 'utf8');
const embedded = (json) => JSON.stringify(json).replaceAll('<', '\\u003c');
const page = readFileSync(join(here, 'picture.html'), 'utf8')
  .replace('/*uplot.css*/', () => uplot('uPlot.min.css'))
  .replace('/*uplot.js*/', () => uplot('uPlot.iife.min.js'))
  .replace('/*data*/', () => `const data = ${embedded({since, until, scrapeSeconds, panels})};`);

const folder = mkdtempSync(join(tmpdir(), 'leaf-picture-'));
try {
  writeFileSync(join(folder, 'index.html'), page);
  const rows = Math.max(...panels.map(({gridPos}) => gridPos.y + gridPos.h));
  execFileSync(process.env.CHROMIUM ?? 'chromium', ['--headless', '--no-sandbox', '--disable-gpu',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--hide-scrollbars',
    `--user-data-dir=${join(folder, 'profile')}`, `--window-size=1400,${rows * 30 + 30}`,
    `--screenshot=${resolve(file)}`, `file://${join(folder, 'index.html')}`], {stdio: ['ignore', 'ignore', 'ignore']});
} finally {
  rmSync(folder, {recursive: true, force: true});
}
console.log(`${file}: ${panels.length} panels, ${panels.flatMap(({lines}) => lines).length} time series`);
