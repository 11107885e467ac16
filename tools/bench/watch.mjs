// cairn watch: how long after a write a message is in the store, while many transcripts grow at once; and what it costs
// when nothing happens.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { cairnCommand, cairnEnvironment } from './cairn.mjs'
import { percentile } from './numbers.mjs'
import { scratchFolder } from './paths.mjs'

const ROUND_MS = 500
const LOOK_MS = 5
const PATIENCE_MS = 30_000
/** Clock ticks a second in /proc. */
const TICKS = 100
const OTHER_FOLDERS = 500

/**
 * Measures how soon the watch has a message in the store, and what it costs when nothing happens.
 * @param {{ files: number, rounds: number, idleSeconds: number, log: (text: string) => void }} options
 */
export async function watch({ files, rounds, idleSeconds, log }) {
  const folder = scratchFolder('watch')
  const logs = join(folder, 'projects')
  for (let index = 0; index < OTHER_FOLDERS; index += 1) oldTranscript(join(logs, `p${index % 50}`, `s${index}`), index)
  const store = join(folder, 'watch.db')
  const [program, ...args] = cairnCommand(['watch', '--json', '--from', logs, '--store', `file:${store}`])
  const child = spawn(program, args, {
    env: { ...process.env, ...cairnEnvironment, CAIRN_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    await firstLine(child)
    log(`watch: ${files} transcripts grow ${rounds} times…`)
    const latencies = await grow(logs, store, files, rounds)
    await wait(2_000)
    const idle = await cpuShare(child.pid, idleSeconds)
    return [
      { name: 'watch: write to store, p50', value: percentile(latencies, 0.5), unit: 'ms' },
      { name: 'watch: write to store, p95', value: percentile(latencies, 0.95), unit: 'ms', target: { most: 1000 } },
      ...(idle === undefined
        ? []
        : [{ name: 'watch: CPU at rest, of one core', value: idle, unit: 'ratio', target: { most: 0.01 } }]),
    ]
  } finally {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resolves with the first output; rejects if the process ends without any. */
const firstLine = (child) =>
  new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('close', (code) => reject(new Error(`cairn watch ended with ${code}`)))
  })

const line = (session, number) =>
  `${JSON.stringify({
    type: 'assistant',
    uuid: `${session}-${number}`,
    sessionId: session,
    timestamp: new Date(Date.UTC(2026, 0, 1, 8, 0, number)).toISOString(),
    cwd: '/code/app',
    requestId: `r-${session}-${number}`,
    message: {
      id: `m-${session}-${number}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [
        { type: 'text', text: `answer ${number} of ${session}: ${'words of an answer '.repeat(5 + (number % 90))}` },
      ],
      usage: { input_tokens: 10, cache_read_input_tokens: 900, cache_creation_input_tokens: 5, output_tokens: 50 },
    },
  })}\n`

function oldTranscript(folder, index) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `old${index}.jsonl`), line(`old${index}`, 1))
}

/**
 * Appends messages for `rounds`, and returns the latencies of all, ms: from before the write until another process sees
 * it. Throws if some do not arrive.
 */
async function grow(logs, store, files, rounds) {
  const database = new DatabaseSync(store, { readOnly: true })
  const counts = database.prepare(
    "SELECT external_id AS session, message_count AS messages FROM session WHERE external_id LIKE 'live%'",
  )
  /** By session: when each of its messages was written, and how many of them have been seen. */
  const live = new Map(Array.from({ length: files }, (_, file) => [`live${file}`, { writtenAt: [], seen: 0 }]))
  const latencies = []
  const look = () => {
    const rows = counts.all()
    const now = performance.now()
    for (const { session, messages } of rows) {
      const one = live.get(session)
      for (; one.seen < Number(messages); one.seen += 1) latencies.push(now - one.writtenAt[one.seen])
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    const next = performance.now() + ROUND_MS
    for (let file = 0; file < files; file += 1) {
      live.get(`live${file}`).writtenAt.push(performance.now())
      appendFileSync(join(logs, `p${file}`, `live${file}.jsonl`), line(`live${file}`, round))
    }
    while (performance.now() < next) {
      look()
      await wait(LOOK_MS)
    }
  }
  for (const until = performance.now() + PATIENCE_MS; latencies.length < files * rounds; await wait(LOOK_MS)) {
    if (performance.now() > until) throw new Error(`${files * rounds - latencies.length} messages did not arrive`)
    look()
  }
  database.close()
  return latencies
}

/** CPU time by time of a process; undefined where there is no /proc. */
async function cpuShare(pid, seconds) {
  const from = cpuSeconds(pid)
  if (from === undefined) return undefined
  await wait(seconds * 1000)
  return (cpuSeconds(pid) - from) / seconds
}

/** CPU seconds of a process and those that it started; undefined where it is gone. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((text) => text !== '')
    const own = (Number(fields[11]) + Number(fields[12])) / TICKS
    return children.reduce((sum, child) => sum + (cpuSeconds(child) ?? 0), own)
  } catch {
    return undefined
  }
}
