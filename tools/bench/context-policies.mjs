// The tables of docs/context-policies.md: what each policy costs and loses on the recorded sessions, as Markdown.
//   npx node tools/bench/context-policies.mjs
//   --sessions <most>   fewer sessions: a preview, not the tables
//   --json <file>       the figures as data
//   --halves            instead of the tables: the presets, cline and clio on each half of the sessions (see halvesOf)
//   --write             puts the tables into docs/context-policies.md; the text around them is written by hand
// No times are measured: the same sources and sessions give the same tables.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replayAll } from './context-replays.mjs'
import { NO_SESSIONS, halvesOf, sessionFiles } from './context-sessions.mjs'
import { LIFETIME, MAIN_WINDOW, PREFIX, PRICES, STANDARD, WINDOWS, dearerThan } from './context-settings.mjs'
import { repository } from './paths.mjs'

const { values } = parseArgs({
  options: {
    sessions: { type: 'string' },
    json: { type: 'string' },
    halves: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const files = sessionFiles().slice(0, values.sessions === undefined ? undefined : Number(values.sessions))
if (files.length === 0) {
  console.log(`Context policies: ${NO_SESSIONS}.`)
  process.exit(0)
}

const range = (from, to, step) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => Number((from + index * step).toFixed(4)))
/**
 * Settings to compare. Cline's and CLIO's: when they act and how far they go, as shares of the window; cache-aware: the
 * cost of missing a block that is needed.
 */
const tuned = [
  ...range(0.2, 0.95, 0.05).map((allowedShare) => ({
    label: `cline from ${allowedShare}`,
    policy: 'cline',
    options: { allowedShare },
  })),
  ...range(0.25, 0.95, 0.1).flatMap((start) =>
    [0.3, 0.5, 0.67, 0.85].map((share) => {
      const target = Number((start * share).toFixed(3))
      return { label: `clio from ${start} to ${target}`, policy: 'clio', options: { start, target } }
    }),
  ),
  ...[0.6, 0.7, 0.85, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 24, 40, 64].map((missUsd) => ({
    label: `cache-aware at ${missUsd} USD a miss`,
    policy: 'cache-aware',
    options: { preset: 'safe', missUsd },
  })),
]

const SECTIONS = [
  ...WINDOWS.map((window) => ({
    name: `${window / 1000}k`,
    title: `Window of ${window / 1000}k tokens, Anthropic's prices`,
    window,
    prices: PRICES.Anthropic,
    cacheLifetime: LIFETIME,
  })),
  ...['OpenAI-like', 'DeepSeek-like', 'no cache'].map((name) => ({
    name,
    title: `${name}: ${priceText(PRICES[name])}; window of ${MAIN_WINDOW / 1000}k tokens`,
    window: MAIN_WINDOW,
    prices: PRICES[name],
    cacheLifetime: name === 'no cache' ? 0 : LIFETIME,
  })),
]

const runsOf = ({ name, window, prices, cacheLifetime }) =>
  [...STANDARD, ...tuned].map((run) => ({
    ...run,
    label: `${name}|${run.label}`,
    window,
    prices,
    cacheLifetime,
    prefix: PREFIX,
  }))

if (values.halves) {
  for (const [index, half] of halvesOf(files).entries()) await showHalf(index === 0 ? 'first' : 'second', half)
  process.exit(0)
}

const figures = await replayAll(files, SECTIONS.flatMap(runsOf), (done) =>
  process.stderr.write(`\r${done} of ${files.length} sessions`),
)
process.stderr.write('\n')
const tables = SECTIONS.map(sectionText).join('\n')
console.log(`${files.length} recorded sessions\n${tables}`)
if (values.write && values.sessions === undefined) writeTables()
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(asData([...figures.values()]), null, 1)}\n`)

/** Prints what the presets, cline and clio cost and miss on a half of the sessions, a line each. */
async function showHalf(name, half) {
  const sections = SECTIONS.filter(({ prices }) => prices === PRICES.Anthropic)
  const runs = sections.flatMap((section) => runsOf(section).slice(0, STANDARD.length))
  const found = await replayAll(half, runs)
  for (const section of sections) {
    console.log(`\n${section.name}, the ${name} half: ${half.length} sessions`)
    const at = (label) => found.get(`${section.name}|${label}`)
    for (const { label } of STANDARD) {
      const { cost, misses, content } = at(label)
      const dearer = dearerThan(half, at(label), [at('cline'), at('clio')])
      console.log(
        `${label.padEnd(20)} ${(cost / at('none').cost).toFixed(3)} @${misses.toFixed(2)}/${content.toFixed(2)}, ` +
          `dearer than the cheaper of cline and clio by over 2 %: ${dearer.length}`,
      )
    }
  }
}

/** Writes the tables into their page; throws where the page does not say where. */
function writeTables() {
  const page = join(repository, 'docs', 'context-policies.md')
  const parts = /^([^]*<!-- tables -->\n)[^]*(\n<!-- end of tables -->[^]*)$/.exec(readFileSync(page, 'utf8'))
  if (parts === null) throw new Error(`${page} does not say where the tables belong.`)
  writeFileSync(page, `${parts[1]}${tables}\n${parts[2]}`)
}

/** The figures without those by session. */
function asData(all) {
  return all.map((found) => Object.fromEntries(Object.entries(found).filter(([name]) => name !== 'costs')))
}

function figuresAt({ name }, label) {
  return figures.get(`${name}|${label}`)
}

/** The text of a section: its rows, and what they show. */
function sectionText(section) {
  const base = figuresAt(section, 'none')
  const safe = figuresAt(section, 'cache-aware safe')
  const rows = STANDARD.map(({ label }) => row(label, figuresAt(section, label), base))
  for (const other of ['cline', 'clio']) {
    const { misses, content } = figuresAt(section, other)
    const found = cheapest(section, 'cache-aware', { misses, content })
    if (found !== undefined)
      rows.push(row(`cache-aware, losing no more than ${other} (${settingOf(found)})`, found, base))
  }
  for (const policy of ['cline', 'clio']) {
    for (const [measure, words] of [
      ['misses', 'equal misses'],
      ['content', 'equal content misses'],
    ]) {
      const best = cheapest(section, policy, { [measure]: safe[measure] })
      const shown = best ?? fewest(section, policy, measure)
      rows.push(
        row(`${policy}, ${words}${best === undefined ? ' out of reach' : ''} (${settingOf(shown)})`, shown, base),
      )
    }
  }
  return [
    '',
    `### ${section.title}`,
    '',
    '| policy | cost | mean | misses | content misses | cache hits | rewrites | overflows |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function settingOf({ label, policy }) {
  return label.split('|')[1].replace(`${policy} `, '')
}

function ofPolicy(section, policy) {
  return tuned.filter((run) => run.policy === policy).map(({ label }) => figuresAt(section, label))
}

/** The cheapest setting of a policy that loses no more, by each measure given; undefined when every one does. */
function cheapest(section, policy, limits) {
  const good = ofPolicy(section, policy).filter((found) =>
    Object.entries(limits).every(([measure, most]) => found[measure] <= most),
  )
  return good.toSorted((left, right) => left.cost - right.cost)[0]
}

/** The setting of a policy with the least of a measure, the cheapest of equal ones. */
function fewest(section, policy, measure) {
  return ofPolicy(section, policy).toSorted(
    (left, right) => left[measure] - right[measure] || left.cost - right.cost,
  )[0]
}

/** A row of the table, with costs relative to those of `base`. */
function row(label, found, base) {
  const ratios = [...found.costs].flatMap(([file, cost]) =>
    base.costs.get(file) > 0 ? [cost / base.costs.get(file)] : [],
  )
  const mean = ratios.reduce((total, ratio) => total + ratio, 0) / ratios.length
  const cells = [
    label,
    (found.cost / base.cost).toFixed(3),
    mean.toFixed(3),
    found.misses.toFixed(2),
    found.content.toFixed(2),
    `${(found.hit * 100).toFixed(1)} %`,
    found.rewrites.toFixed(1),
    String(found.overflows),
  ]
  return `| ${cells.join(' | ')} |`
}

function priceText({ input, output, write, read }) {
  return `in ${input}, out ${output}, write ${write}, read ${read}`
}
