// The action's script: imports what the job's agent left, writes what it cost as Markdown, and ends with 3 above the budget.
// Everything comes from the environment (INPUT_… and the runner's GITHUB_…). INPUT_COMMAND is the path of bin/cairn.js; without it
// `cairn` of PATH is run.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const input = (name) => (process.env[`INPUT_${name}`] ?? '').trim()

try {
  process.exitCode = report()
} catch (error) {
  announce('error', error.message)
  process.exitCode = 1
}

/** Does all of it; the exit code. */
function report() {
  const budget = budgetOf(input('MAX_COST'))
  const store = resolve(input('STORE') || '.cairn-ci/cairn.db')
  const table = resolve(input('COMMENT_FILE') || 'cairn-cost.md')
  for (const file of [store, table]) mkdirSync(dirname(file), { recursive: true })
  const common = ['--json', '--store', `file:${store}`]
  const from = input('FROM')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const agent = input('AGENT') === '' ? [] : ['--agent', input('AGENT')]
  const imported = ask(['import', ...from.flatMap((path) => ['--from', path]), ...agent, ...common])
  for (const { file, reason } of imported.skipped ?? []) announce('warning', `Not imported: ${file}: ${reason}`)

  const since = input('SINCE') === '' ? [] : ['--since', input('SINCE')]
  const usage = ask(['usage', '--by', 'model', ...since, ...agent, ...common])
  const over = budget !== undefined && usage.total.costUsd > budget
  const sentence = over ? overBudget(usage.total.costUsd, budget) : undefined
  const text = markdown(usage, { sentence, budget })
  writeFileSync(table, text)
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${text}\n`)
  output('cost', String(usage.total.costUsd))
  output('table', table)
  output('over-budget', String(over))
  if (usage.total.requests === 0) announce('notice', 'Cairn found no request of an agent to count.')
  if (sentence !== undefined) announce('error', sentence)
  return over ? 3 : 0
}

function budgetOf(text) {
  if (text === '') return undefined
  const budget = Number(text)
  if (!Number.isFinite(budget) || budget < 0)
    throw new Error(`max-cost is no amount of USD: "${text}"; write it as 5 or 0.50.`)
  return budget
}

/** The answer of a command of Cairn. Throws with its own sentence when it fails. */
function ask(args) {
  const script = input('COMMAND')
  const [program, words] = script === '' ? ['cairn', args] : [process.execPath, [script, ...args]]
  const { stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 256e6,
  })
  if (error) throw new Error(`cairn could not be started: ${error.message}`)
  let answer
  try {
    answer = JSON.parse(stdout)
  } catch {
    throw new Error(`cairn ${args[0]} failed: ${stderr.trim().split('\n').at(-1) || 'it printed no answer'}`)
  }
  if (answer.error) throw new Error(answer.error.message)
  return answer
}

function overBudget(cost, budget) {
  return `Over budget: ${usd(cost)} of ${usd(budget)}, ${usd(cost - budget)} too much.`
}

/** The table, and under it what the figures leave out. */
function markdown({ rows, total }, { sentence, budget }) {
  const branch = process.env.GITHUB_HEAD_REF || process.env.GITHUB_REF_NAME || ''
  const title = `### What the agent cost${branch === '' ? '' : `: ${code(branch)}`}`
  if (total.requests === 0) return `${title}\n\nNo request of an agent was found.\n`
  const line = (name, row) =>
    `| ${name} | ${row.requests} | ${count(inputOf(row))} | ${count(row.cacheReadTokens)} | ${count(row.outputTokens)} | ${usd(row.costUsd)} |`
  const table = [
    '| model | requests | input tokens | of these cached | output tokens | cost |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => line(code(row.key), row)),
    line('**Total**', total),
  ]
  const notes = []
  if (sentence !== undefined) notes.push(`**${sentence}**`)
  else if (budget !== undefined) notes.push(`Within budget: ${usd(total.costUsd)} of ${usd(budget)}.`)
  if (total.unpricedRequests > 0)
    notes.push(`Requests without a known price, which are not in the cost: ${total.unpricedRequests}.`)
  return [title, table.join('\n'), ...notes].join('\n\n') + '\n'
}

function inputOf(row) {
  const parts = [
    'inputTokens',
    'cacheReadTokens',
    ...Object.keys(row).filter((key) => /^cacheWrite\w+Tokens$/.test(key)),
  ]
  return parts.reduce((sum, key) => sum + row[key], 0)
}

function count(tokens) {
  return tokens.toLocaleString('en-US')
}

function usd(amount) {
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: amount < 1 ? 4 : 2,
  })
}

/** Names are others' text: within code GitHub reads no mention, link or table in them, and no character ends it. */
function code(text) {
  // eslint-disable-next-line no-control-regex -- they are what is taken out
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, ' ').slice(0, 200)
  return `<code>${plain.replace(/[^\p{L}\p{N} ./-]/gu, (character) => `&#${character.codePointAt(0)};`)}</code>`
}

function output(name, value) {
  const file = process.env.GITHUB_OUTPUT
  // The delimiter can't be guessed, so that no value ends early.
  const end = `end-${randomUUID()}`
  if (file) appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`)
}

/** A line that the runner shows with the job. Its own escapes keep a text from becoming another command. */
function announce(level, text) {
  console.log(`::${level}::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`)
}
