// What agents wait for: the hooks and the status line over a store of 70,000 messages, through the command that their
// settings name. CPU time, beside that of a Node that does nothing, in turns: machines are shared, and their clocks differ.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cairnCommand, cairnEnvironment } from './cairn.mjs'
import { removeStore } from './import-speed.mjs'
import { mcpStore, randomRank, wordOf, workspaceOf } from './mcp-store.mjs'
import { median, randomNumbers } from './numbers.mjs'
import { cacheFolder, repository, scratchFolder, schemaHash } from './paths.mjs'
import { run, runWell } from './processes.mjs'
import { transcripts } from './transcripts.mjs'

/** Increase it when the store's content changes. */
const GENERATOR = 1
const ENTRIES = 120
const KINDS = ['discovery', 'solution', 'pattern', 'workflow', 'failure', 'context_rule']
const WORKSPACE = workspaceOf(1)
const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const MOST_LIGHT = 1.75
const MOST_START = 3.2

const hookScript = join(repository, 'packages', 'adapter-cli', 'dist', 'hook.js')

/**
 * Measures the hooks and the status line over a copy of a store that is made once and kept. Resolves with the results.
 * @param {{ messages: number, runs: number, log: (text: string) => void }} options
 */
export async function hooks({ messages, runs, log }) {
  const store = await hookStore({ messages, log })
  const folder = scratchFolder('hooks')
  try {
    const env = { ...cairnEnvironment, CAIRN_HOME: folder, COLUMNS: '160' }
    copyFileSync(store, join(folder, 'cairn.db'))
    log(`hooks: ${runs} turns over ${messages} messages…`)
    const times = await inTurns(commands(), runs, { env, input: JSON.stringify(event(folder)) })
    return results(times)
  } finally {
    await importsDone(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

const hook = (...args) => [process.execPath, hookScript, ...args]

/** The program and arguments of a hook. */
const commands = () => ({
  'node -e 0': [process.execPath, '-e', '0'],
  'status line': hook('statusline'),
  stop: hook('stop'),
  'session-start': hook('session-start'),
  'user-prompt-submit': hook('user-prompt-submit'),
})

/** What Claude Code sends, with what all of these events read. */
const event = (folder) => ({
  session_id: SESSION,
  // Is not there, so that the import that a stop starts has nothing to do beside what is measured.
  transcript_path: join(folder, `${SESSION}.jsonl`),
  cwd: WORKSPACE,
  source: 'startup',
  prompt: words(randomNumbers(5), 40),
  model: { id: 'claude-opus-4-5', display_name: 'Opus 4.5' },
  workspace: { current_dir: WORKSPACE, project_dir: WORKSPACE },
  cost: { total_cost_usd: 4.21, total_duration_ms: 4_500_000 },
  context_window: { context_window_size: 200_000, used_percentage: 38 },
  prompt_cache: { warm: true, ttl: 300, expires_at: Math.floor(Date.now() / 1000) + 200, misses: 2 },
})

const words = (random, count) => Array.from({ length: count }, () => wordOf(randomRank(random))).join(' ')

/** CPU times by name, ms. The first two turns fill caches, and are not counted. Throws if an answer is empty. */
async function inTurns(all, runs, options) {
  const times = new Map(Object.keys(all).map((name) => [name, []]))
  for (let turn = -2; turn < runs; turn += 1)
    for (const [name, command] of Object.entries(all)) {
      const { cpuMs, stdout } = await runWell(command, options)
      if (name === 'session-start' && !stdout.includes('long_term_memory'))
        throw new Error('session-start gave no memory')
      if (name === 'status line' && !stdout.includes('Opus')) throw new Error('the status line is empty')
      if (turn >= 0) times.get(name).push(cpuMs)
    }
  return times
}

/** The results of all hooks, as multiples of a Node that does nothing where there is a target. */
function results(times) {
  const alone = median(times.get('node -e 0'))
  const targets = { 'status line': MOST_LIGHT, stop: MOST_LIGHT, 'session-start': MOST_START }
  return [...times].flatMap(([name, ms]) => [
    { name: `hooks: ${name}, CPU`, value: median(ms), unit: 'ms' },
    ...(name === 'node -e 0'
      ? []
      : [
          {
            name: `hooks: ${name} / node -e 0`,
            value: median(ms) / alone,
            unit: 'ratio',
            ...(targets[name] === undefined ? {} : { target: { most: targets[name] } }),
          },
        ]),
  ])
}

/** Messages of made-up words, requests of replicas of real sessions, and a memory; made once. */
async function hookStore({ messages, log }) {
  const file = join(cacheFolder('stores'), `hooks-${messages}-${GENERATOR}-${schemaHash()}.db`)
  if (existsSync(file)) return file
  const base = await mcpStore({ messages, log })
  const fresh = `${file}.tmp`
  removeStore(fresh)
  copyFileSync(base, fresh)
  const store = ['--store', `file:${fresh}`]
  const input = transcripts(3, { log })
  if (input !== undefined)
    await runWell(cairnCommand(['import', '--agent', 'claude-code', '--from', input.folder, ...store]), {
      env: cairnEnvironment,
    })
  const random = randomNumbers(3)
  const folder = scratchFolder('hooks-memory')
  mkdirSync(folder, { recursive: true })
  const memory = join(folder, 'memory.md')
  writeFileSync(
    memory,
    Array.from(
      { length: ENTRIES },
      (_, index) => `- ${KINDS[index % KINDS.length]}: ${words(random, 12 + (index % 20))}\n`,
    ).join(''),
  )
  await runWell(cairnCommand(['memory', 'import', memory, '--workspace', WORKSPACE, ...store]), {
    env: cairnEnvironment,
  })
  await runWell(cairnCommand(['usage', '--json', ...store]), { env: cairnEnvironment })
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, file)
  return file
}

/** The import that stops have started ends before its folder goes. */
async function importsDone(folder) {
  const lock = join(folder, 'import-queue', 'import.lock')
  for (let looks = 0; existsSync(lock) && looks < 300; looks += 1) await run(['sleep', '0.1'])
}
