// npm start: builds what is needed, imports the sessions of this machine (else the bundled samples), shows what they
// cost, and serves the dashboard. `npm start -- --once` ends after the table.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cairn = join(root, 'packages', 'adapter-cli', 'bin', 'cairn.js')
const samples = ['claude-code', 'pi'].map((agent) => join(root, 'samples', agent))
/** More days than this are easier to read as months. */
const DAYS_SHOWN = 21
/** A faster build prints nothing. */
const SAY_AFTER_MS = 1000
const TOP = 5

const options = new Set(process.argv.slice(2))
const unknown = [...options].find((option) => !['--once', '--no-open', '--sample'].includes(option))
if (unknown !== undefined) {
  console.error(
    `npm start does not know '${unknown}'; it takes --once (end after the table), --sample (show the bundled sessions), --no-open.`,
  )
  process.exit(2)
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = error.exitCode ?? 1
}

/** Builds and imports, shows what was spent, and opens the dashboard, which keeps running; not with `--once`. */
async function main() {
  await build('@cairn/cli', 'the command')
  const store = await chooseStore()
  const from = store.isSample ? ['--from', ...samples] : []
  await run([cairn, 'import', ...from, ...store.args])
  console.log()
  const byDay = await ask('usage', '--by', 'day', ...store.args)
  await run([cairn, 'usage', '--by', byDay.rows.length > DAYS_SHOWN ? 'month' : 'day', ...store.args])
  await showWhereTheMoneyWent(byDay.total, store.args)
  if (options.has('--once')) return
  await build('@cairn/dashboard', 'the dashboard')
  console.log()
  await run([cairn, 'dashboard', ...(options.has('--no-open') ? ['--no-open'] : []), ...store.args])
}

/**
 * Builds a project through Nx, which knows what is built already; says so after `SAY_AFTER_MS`. Throws with the output
 * if it fails.
 */
async function build(project, name) {
  const nx = join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js')
  if (!existsSync(nx)) throw new Error('The dependencies are missing: run npm ci first.')
  const timer = setTimeout(() => console.error(`Building ${name} …`), SAY_AFTER_MS)
  try {
    await capture([nx, 'run', `${project}:build`], {
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      NEXT_TELEMETRY_DISABLED: '1',
    })
  } catch (error) {
    throw new Error(`${error.output ?? ''}\nBuilding ${name} failed; the reason is above.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** The user's own store when an agent has left something on this machine, else one for the samples. */
async function chooseStore() {
  const found = options.has('--sample') ? { agents: [] } : await ask('import', '--dry-run')
  const agents = found.agents.map(({ agent, files }) => `${agent} (${files} ${files === 1 ? 'file' : 'files'})`)
  if (agents.length > 0) {
    console.log(`Found on this machine: ${agents.join(', ')}.`)
    return { isSample: false, args: [] }
  }
  const folder = join(root, '.cairn')
  mkdirSync(folder, { recursive: true })
  if (!options.has('--sample')) console.log('No agent has left transcripts on this machine.')
  console.log('These are the bundled sample sessions (samples/README.md), in a store of their own.')
  return { isSample: true, args: ['--store', `file:${join(folder, 'sample.db')}`] }
}

/** Prints what cost most: projects, models and sessions; nothing without requests. */
async function showWhereTheMoneyWent(total, store) {
  if (total.requests === 0) return
  const [projects, models, { sessions }] = await Promise.all([
    ask('usage', '--by', 'workspace', ...store),
    ask('usage', '--by', 'model', ...store),
    ask('session', 'list', '--sort', 'cost', '--limit', String(TOP), ...store),
  ])
  console.log('\nWhere the money went')
  printTop(
    'projects',
    projects.rows.map(({ key, costUsd }) => ({ name: key.split(/[/\\]/).slice(-2).join('/'), costUsd })),
    total,
  )
  printTop(
    'models',
    models.rows.map(({ key, costUsd }) => ({ name: key, costUsd })),
    total,
  )
  printTop(
    'sessions',
    sessions.map(({ externalId, title, costUsd }) => ({ name: `${externalId.slice(0, 8)}  ${title ?? ''}`, costUsd })),
    total,
  )
}

/** Prints the first rows with their cost and share. */
function printTop(title, rows, total) {
  console.log(`  ${title}`)
  for (const { name, costUsd } of rows.slice(0, TOP)) {
    const share = total.costUsd > 0 ? `${Math.round((costUsd / total.costUsd) * 100)} %` : ''
    console.log(`    ${usd(costUsd).padStart(10)}  ${share.padStart(5)}  ${oneLine(name)}`)
  }
}

function usd(amount) {
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}

/** Titles come from transcripts: no control characters, no second line. */
function oneLine(text) {
  // eslint-disable-next-line no-control-regex -- they are what is taken out
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return line.length > 54 ? `${line.slice(0, 53)}…` : line
}

/** A command's JSON output. */
async function ask(...args) {
  return JSON.parse(await capture([cairn, ...args, '--json']))
}

/** Runs a script with this terminal; rejects when it fails. */
function run(args) {
  return new Promise((resolve, reject) => {
    // Commands are named the way they can be called from a checkout, also when npm did not start this script.
    const env = { ...process.env, npm_lifecycle_event: process.env.npm_lifecycle_event ?? 'start' }
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env })
    // Ctrl-C reaches the child as well, which prints the message.
    const wait = () => undefined
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.on(signal, signal === 'SIGTERM' ? () => child.kill(signal) : wait)
    child.on('error', reject)
    child.on('exit', (code) => {
      process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
      if (code === 0) resolve()
      else reject(Object.assign(new Error(''), { exitCode: code ?? 1 }))
    })
  })
}

/** Runs a script and resolves with its output; what it writes to the error stream is shown when it fails. */
function capture(args, variables = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...variables },
    })
    const output = []
    const errors = []
    child.stdout.on('data', (data) => output.push(data))
    child.stderr.on('data', (data) => errors.push(data))
    child.on('error', reject)
    child.on('close', (code) => {
      const text = Buffer.concat(output).toString()
      const errorText = Buffer.concat(errors).toString().trim()
      if (code === 0) resolve(text)
      else reject(Object.assign(new Error(errorText || text), { exitCode: code ?? 1, output: `${text}\n${errorText}` }))
    })
  })
}
