// Corrupted stores: every command prints one sentence within ten seconds, or the same as for the intact
// store. Damage is of every kind that disks and copies make: flipped bytes, garbled and zeroed pages, cut files, and
// journals (WAL) that are cut or garbled.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { cairnCommand, cairnEnvironment, cairnJson, cairn } from '../bench/cairn.mjs'
import { randomNumbers } from '../bench/numbers.mjs'
import { samplesFolder, scratchFolder } from '../bench/paths.mjs'
import { filesBelow, transcripts } from '../bench/transcripts.mjs'

const STORES = 300
const STORES_QUICK = 24
/** CPU time where the system reports it, so that a busy machine does not fail the check; and wall time. */
const LIMIT_S = 10
const LONGEST_WAIT_S = 120
const POLL_MS = 200
const TICKS_PER_SECOND = 100
const AT_ONCE = 2
/** Bytes of a WAL before its first frame, and of a frame before its page. */
const WAL_HEADER = 32
const FRAME_HEADER = 24
/** The smallest transcripts: in a small store the damage hits something that is read. */
const FILES = 6

/** What a command must not print for a damaged store. */
const UNEXPECTED = /That was not expected|\n\s+at .+:\d+:\d+|Error: /
const DESTRUCTIVE = /\b(purge|rm -|delete the|remove the|overwrite|session delete)\b/i
/** Progress, not a result: a damaged search index is rebuilt, and another fault may be found then. */
const UNDER_WAY = /^Building the search index of [\d,]+ (entry|entries); this is done once\.\n/m
/** What the user can do. */
const ADVICE = /--store|restore|cairn doctor|export|Try again|Free|Report|Update Cairn/i

/**
 * @typedef {{ name: string, path: string, wal: Buffer | undefined, main: Buffer }} Intact
 * @typedef {{ name: string, args: (store: string) => string[] }} Command
 * @typedef {{ exitCode: number | null, signal: string | null, isLate: boolean, stdout: string, stderr: string }} Ending
 */

/**
 * Proves that a damaged store gives a sentence within ten seconds, or what the intact one gives.
 * @type {import('./index.mjs').Check}
 */
export async function damagedStores({ quick, log }) {
  const folder = scratchFolder('damaged-stores')
  const seed = Number(process.env['CAIRN_CHECK_SEED'] ?? Date.now() % 1_000_000)
  log(`damaged-stores: seed ${seed}`)
  const random = randomNumbers(seed)
  const store = await makeStore(folder, log)
  const commands = await commandsFor(store)
  const expected = await expectedOutputs(store, commands, folder)
  const count = quick ? STORES_QUICK : STORES
  const cases = Array.from({ length: count }, (_, index) => ({ index, ...damage(store, random, index) }))
  const faults = []
  const endings = new Map()
  const work = cases[Symbol.iterator]()
  const worker = async () => {
    for (const one of work) {
      for (const fault of await tryAll(one, commands, expected, folder, endings)) {
        faults.push(fault)
        log(fault)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  assert.deepEqual(faults, [], `seed ${seed}: ${faults.length} of ${count * commands.length} commands`)
  rmSync(folder, { recursive: true, force: true })
  return `${count} stores × ${commands.length} commands, seed ${seed}: ${[...endings].map(([what, times]) => `${times} ${what}`).join(', ')}`
}

/**
 * A small store as it is on disk while a program has it open: most of it in the file, the last writes in the WAL.
 * @returns {Promise<{ main: Buffer, wal: Buffer, from: string, pageSize: number }>}
 */
async function makeStore(folder, log) {
  const from = join(folder, 'transcripts')
  mkdirSync(join(from, 'projects', '-work-damaged'), { recursive: true })
  const input = transcripts(3, { log })
  const files = filesBelow(input?.folder ?? samplesFolder).filter((file) => file.endsWith('.jsonl'))
  const bySize = files
    .map((file) => ({ file, size: statSync(file).size }))
    .sort((left, right) => left.size - right.size)
  const [last, ...first] = bySize.slice(0, FILES).map(({ file }) => file)
  const copy = (file) => copyFileSync(file, join(from, 'projects', '-work-damaged', file.split('/').at(-1)))
  for (const file of first) copy(file)
  const path = join(folder, 'intact.db')
  const at = ['--store', `file:${path}`]
  await cairnJson(['import', '--agent', 'claude-code', '--from', from, ...at])
  for (const text of ['The tests need Redis', 'Prices are in nano-dollars', 'Run the linter before a commit'])
    await cairnJson(['memory', 'add', 'discovery', text, '--workspace', from, ...at])
  // An open connection keeps the WAL.
  const holder = new Sqlite(path)
  holder.prepare('SELECT count(*) FROM session').get()
  copy(last)
  await cairnJson(['import', '--agent', 'claude-code', '--from', from, ...at])
  await cairnJson(['memory', 'add', 'discovery', 'The last word', '--workspace', from, ...at])
  const main = readFileSync(path)
  const wal = readFileSync(`${path}-wal`)
  const pageSize = holder.pragma('page_size', { simple: true })
  holder.close()
  // Closed, everything is in the file.
  const whole = readFileSync(path)
  return { main, wal, whole, from, pageSize }
}

/** The commands to try, with ids of the store as it was. */
async function commandsFor({ from, whole }) {
  const folder = scratchFolder('damaged-stores-ids')
  writeFileSync(join(folder, 'whole.db'), whole)
  const store = `file:${join(folder, 'whole.db')}`
  const { sessions } = (await cairnJson(['session', 'list', '--store', store])).json
  const { id } = sessions.reduce((most, one) => (one.messages > most.messages ? one : most))
  rmSync(folder, { recursive: true, force: true })
  const importAgain = ['import', '--agent', 'claude-code', '--from', from, '--json']
  return [
    { name: 'usage', args: ['usage', '--by', 'model', '--timezone', 'UTC', '--json'] },
    { name: 'usage by day', args: ['usage', '--by', 'day', '--timezone', 'UTC', '--json'] },
    { name: 'session list', args: ['session', 'list', '--json'] },
    { name: 'session show', args: ['session', 'show', id, '--json'] },
    { name: 'recall', args: ['recall', 'test error file', '--json'] },
    { name: 'memory list', args: ['memory', 'list', '--workspace', from, '--json'] },
    { name: 'doctor', args: ['doctor'] },
    { name: 'import', args: importAgain },
    { name: 'usage after import', args: ['usage', '--by', 'model', '--timezone', 'UTC', '--json'] },
  ].map(({ name, args }) => ({ name, args: (path) => [...args, '--store', `file:${path}`] }))
}

/** The output for the intact store: as a whole, and after each of the commits in its WAL. */
async function expectedOutputs({ main, wal, whole, pageSize }, commands, folder) {
  const expected = new Map(commands.map(({ name }) => [name, new Set()]))
  const path = join(folder, 'store.db')
  const ends = commitEnds(wal, pageSize)
  const states = [[whole, undefined], ...[0, ...ends].map((end) => [main, wal.subarray(0, end)])]
  for (const [file, journal] of states) {
    write(path, file, journal)
    for (const { name, args } of commands) {
      const { exitCode, stdout, stderr } = await cairn(args(path))
      assert.equal(exitCode, 0, `${name} of the intact store: ${stderr}`)
      expected.get(name).add(figures(name, stdout))
    }
    remove(path)
  }
  return expected
}

/** Where the WAL's transactions end, in bytes. */
function commitEnds(wal, pageSize) {
  const ends = []
  for (let at = WAL_HEADER; at + FRAME_HEADER + pageSize <= wal.length; at += FRAME_HEADER + pageSize)
    if (wal.readUInt32BE(at + 4) > 0) ends.push(at + FRAME_HEADER + pageSize)
  return ends
}

const KINDS = [
  'bytes',
  'bytes',
  'bytes',
  'page',
  'zeros',
  'swap',
  'header',
  'cells',
  'cut',
  'wal-cut',
  'wal-bytes',
  'main-under-wal',
]

/** A damaged copy of the store. */
function damage({ main, wal, whole, pageSize }, random, index) {
  const kind = KINDS[index % KINDS.length]
  const upTo = (limit) => Math.floor(random() * limit)
  const journal = kind.includes('wal') ? Buffer.from(wal) : undefined
  const file = Buffer.from(journal === undefined ? whole : main)
  const pages = Math.floor(file.length / pageSize)
  const flip = (bytes, from, to, times) => {
    for (let time = 0; time < times; time += 1) bytes[from + upTo(to - from)] ^= 1 + upTo(255)
  }
  const garble = (page) => {
    for (let at = 0; at < pageSize; at += 1) file[page * pageSize + at] = upTo(256)
  }
  switch (kind) {
    case 'bytes':
      flip(file, 0, file.length, 1 + upTo(40))
      break
    case 'page':
      for (let times = upTo(3); times >= 0; times -= 1) garble(upTo(pages))
      break
    case 'zeros':
      for (let times = upTo(3); times >= 0; times -= 1) {
        const page = upTo(pages)
        file.fill(0, page * pageSize, (page + 1) * pageSize)
      }
      break
    case 'swap': {
      const [one, other] = [1 + upTo(pages - 1), 1 + upTo(pages - 1)]
      const kept = Buffer.from(file.subarray(one * pageSize, (one + 1) * pageSize))
      file.copyWithin(one * pageSize, other * pageSize, (other + 1) * pageSize)
      kept.copy(file, other * pageSize)
      break
    }
    case 'header':
      flip(file, 0, 100, 1 + upTo(3))
      break
    case 'cells':
      // Headers of pages and the places of their cells: interior pages, too.
      for (let times = upTo(8); times >= 0; times -= 1) {
        const page = upTo(pages)
        flip(file, page * pageSize + (page === 0 ? 100 : 0), page * pageSize + 140, 2)
      }
      break
    case 'cut':
      return { kind, file: file.subarray(0, 1 + upTo(file.length - 1)), journal }
    case 'wal-cut':
      return { kind, file, journal: journal.subarray(0, upTo(journal.length)) }
    case 'wal-bytes':
      flip(journal, 0, journal.length, 1 + upTo(20))
      break
    default:
      flip(file, 0, file.length, 1 + upTo(20))
  }
  return { kind, file, journal }
}

function write(path, file, journal) {
  remove(path)
  writeFileSync(path, file)
  if (journal !== undefined) writeFileSync(`${path}-wal`, journal)
}

const remove = (path) => {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
}

/** Tries all commands on a damaged store; the faults that it finds, a sentence each. */
async function tryAll({ index, kind, file, journal }, commands, expected, folder, endings) {
  const path = join(folder, `damaged-${index}`, 'store.db')
  mkdirSync(join(folder, `damaged-${index}`))
  write(path, file, journal)
  const faults = []
  let isDone = true
  for (const { name, args } of commands) {
    // What a failed import leaves is not compared.
    if (name === 'usage after import' && !isDone) continue
    const ending = await end(args(path))
    if (name === 'import') isDone = ending.exitCode === 0
    const what = judge(name, ending, expected.get(name))
    if (what.fault !== undefined) faults.push(`store ${index} (${kind}), ${name}: ${what.fault}`)
    endings.set(what.ending, (endings.get(what.ending) ?? 0) + 1)
  }
  if (faults.length === 0) rmSync(join(folder, `damaged-${index}`), { recursive: true, force: true })
  return faults
}

/** Figures of a store that depend on the store's content alone. */
function figures(name, stdout) {
  if (name === 'doctor')
    return stdout
      .split('\n')
      .filter((line) => /\d sessions?,|^Sound|^[a-z]+: /.test(line))
      .join('\n')
  if (name !== 'import') return stdout
  const { sessions, messages, requests } = JSON.parse(stdout)
  return JSON.stringify({ sessions, messages, requests })
}

/**
 * Judges how a command ended on a damaged store: as on the intact one, with a sentence and advice, or with a fault.
 * @param {string} name
 * @param {Ending} ending
 * @param {Set<string>} expected figures that are right
 */
function judge(name, { exitCode, signal, isLate, stdout, stderr }, expected) {
  const fault = (text) => ({ fault: text, ending: 'faults' })
  if (isLate) return fault(`not done after ${LIMIT_S} s`)
  if (signal !== null) return fault(`ended by ${signal}`)
  const output = `${stdout}\n${stderr}`
  if (UNEXPECTED.test(stderr)) return fault(`unexpected: ${stderr.trim().slice(0, 400)}`)
  if (exitCode === 0)
    return expected.has(figures(name, stdout))
      ? { ending: 'as intact' }
      : fault(`other figures: ${difference([...expected][0], figures(name, stdout))}`)
  if (exitCode !== 1) return fault(`exit code ${exitCode}: ${output.slice(0, 300)}`)
  if (name !== 'doctor' && stderr.replace(UNDER_WAY, '').trim().split('\n').length !== 1)
    return fault(`no sentence: ${output.slice(0, 300)}`)
  if (DESTRUCTIVE.test(stderr)) return fault(`destructive advice: ${stderr.trim()}`)
  return ADVICE.test(output) ? { ending: 'told' } : fault(`no advice: ${output.trim().slice(0, 400)}`)
}

/** Where two texts begin to differ, with what is around. */
function difference(expected, actual) {
  let at = 0
  while (at < expected.length && expected[at] === actual[at]) at += 1
  return `"${actual.slice(Math.max(0, at - 60), at + 60)}" instead of "${expected.slice(Math.max(0, at - 60), at + 60)}"`.replaceAll(
    /\s+/g,
    ' ',
  )
}

/** CPU time of a process and those it started; undefined where the system does not report it. */
function processorSeconds(pid) {
  try {
    return [pid, ...childrenOf(pid)].reduce((sum, one) => {
      // Behind the name, which may hold anything: user time is the 12th field, system time the 13th.
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ').at(-1).split(' ')
      return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    }, 0)
  } catch {
    return undefined
  }
}

/** The processes that a process has started; none where that is not told. */
function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Kills a process, if it is there. */
function killQuietly(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

/**
 * Runs a command to its end; one that takes more than `LIMIT_S` of CPU time is killed.
 * @returns {Promise<Ending>}
 */
function end(args) {
  const [program, ...rest] = cairnCommand(args)
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...cairnEnvironment },
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text))
  let isLate = false
  const startedAt = performance.now()
  const timer = setInterval(() => {
    const waited = (performance.now() - startedAt) / 1_000
    const worked = processorSeconds(child.pid)
    if ((worked ?? waited) < LIMIT_S && waited < LONGEST_WAIT_S) return
    isLate = true
    // The command may run in another Node that it started.
    for (const pid of [child.pid, ...childrenOf(child.pid)]) killQuietly(pid)
  }, POLL_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) => {
      clearInterval(timer)
      resolve({ exitCode, signal, isLate, ...texts })
    })
  })
}
