/** Several processes append to one store, some may be killed; then what was acknowledged is looked for in it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../open-store.ts'
import { SHARED_SESSION } from './acknowledgement.ts'
import type { Acknowledgement } from './acknowledgement.ts'

export interface AppendOptions {
  readonly address: string
  /** For the writers' notes. */
  readonly folder: string
  readonly writers: number
  readonly seconds: number
  /** How many of the writers are killed with SIGKILL, one after the other, before the time is up. */
  readonly kill: number
}

export interface Acknowledged {
  readonly noted: readonly Acknowledgement[]
  readonly killed: number
  readonly appends: number
  readonly perSecond: number
  readonly medianWaitMs: number
  readonly worstWaitMs: number
  /** Of the session that all writers share; tries that met a conflict are part of the wait. */
  readonly worstSharedWaitMs: number
  readonly conflicts: number
}

/** A writer has at most this many appends in flight. */
const LANES = 3
const READ_PAGE = 2_000

interface Writer {
  readonly child: ChildProcess
  readonly file: string
  /** What it printed; rejects when it failed other than by being killed. */
  readonly end: Promise<string>
}

/**
 * Runs the writers, of which the first `kill` are killed. Resolves with what they were told was kept, and how long they
 * waited (ms; 0 where none appended). Rejects if one that was not killed fails.
 */
export const appendTogether = async ({
  address,
  folder,
  writers,
  seconds,
  kill,
}: AppendOptions): Promise<Acknowledged> => {
  // Made before, so that the writers' time is for writing.
  await (await openStore(address)).close()
  const running = Array.from({ length: writers }, (_, index) =>
    startWriter(address, String(index), seconds, join(folder, `writer-${index}.jsonl`)),
  )
  const killing = running.slice(0, kill).map(async ({ child }, index) => {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000 * (0.4 + (0.5 * index) / Math.max(1, kill))))
    child.kill('SIGKILL')
  })
  const ends = await Promise.all(running.map((writer) => writer.end))
  await Promise.all(killing)
  const noted = running.flatMap(({ file }) => (existsSync(file) ? acknowledgementsOf(readFileSync(file, 'utf8')) : []))
  const waitsOf = (shared: boolean): readonly number[] =>
    noted
      .filter(([sessionId]) => sessionId.endsWith(`:${SHARED_SESSION}`) === shared)
      .map(([, , , , , wait]) => wait)
      .sort((left, right) => left - right)
  const waits = waitsOf(false)
  return {
    noted,
    killed: kill,
    appends: noted.length,
    perSecond: noted.length / seconds,
    medianWaitMs: waits[waits.length >> 1] ?? 0,
    worstWaitMs: waits.at(-1) ?? 0,
    worstSharedWaitMs: waitsOf(true).at(-1) ?? 0,
    conflicts: ends.reduce((sum, text) => sum + Number(text), 0),
  }
}

/** A note that a kill truncated was not complete: its append counts as not acknowledged. */
const acknowledgementsOf = (text: string): Acknowledgement[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Acknowledgement)

/**
 * Starts a process that appends for so many seconds, and notes what was acknowledged. The file gets a line of JSON for
 * each. `end` rejects if it fails, and resolves with its output, also when it was killed.
 */
const startWriter = (address: string, name: string, seconds: number, file: string): Writer => {
  const script = fileURLToPath(new URL('append-writer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@cairn/source', script, address, name, String(seconds), file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const end = new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(stdout)
      else reject(new Error(`writer ${name} ended with ${code ?? signal}: ${stderr.slice(-2_000)}`))
    })
  })
  // Its error is reported when it is awaited.
  end.catch(() => undefined)
  return { child, file, end }
}

/**
 * Fails unless every acknowledged append is at its position, nothing else is there (except for what a killed writer had
 * in flight), the totals are the sums of what is stored, and the store finds no fault in itself. Resolves with the
 * number of entries.
 */
export const storedMatches = async (
  address: string,
  { noted, killed }: Pick<Acknowledged, 'noted' | 'killed'>,
): Promise<number> => {
  const store = await openStore(address)
  try {
    const bySession = new Map<string, Acknowledgement[]>()
    for (const note of noted) bySession.set(note[0], [...(bySession.get(note[0]) ?? []), note])
    let entries = 0
    for (const [sessionId, notes] of bySession) {
      const stored = await messageIds(store.sessions, sessionId)
      entries += stored.length
      const lost = notes.filter(([, seq, messageId]) => stored[seq] !== messageId)
      assert.deepEqual(lost, [], `${sessionId}: acknowledged but not stored`)
    }
    const unacknowledged = entries - noted.length
    assert.ok(
      unacknowledged >= 0 && unacknowledged <= killed * LANES,
      `${unacknowledged} entries were stored that nobody was told of`,
    )

    const { total, rows } = await store.usage.report({ by: 'session' })
    assert.equal(total.requests, entries, 'a request for each entry')
    if (killed === 0) {
      assert.equal(
        total.outputTokens,
        noted.reduce((sum, note) => sum + note[3], 0),
        'output tokens',
      )
      assert.equal(
        total.costNano,
        noted.reduce((sum, note) => sum + BigInt(note[4]), 0n),
        'cost',
      )
      for (const row of rows) assert.equal(row.requests, bySession.get(row.key)?.length, `requests of ${row.key}`)
    }
    for (const by of ['day', 'model', 'workspace'] as const)
      assert.deepEqual((await store.usage.report({ by })).total, total, `the total by ${by}`)
    const faults = await store.verify()
    assert.equal(faults.length, 0, `faults: ${JSON.stringify(faults)}`)
    return entries
  } finally {
    await store.close()
  }
}

/** The ids of a session's entries, in order; '' for what is no message. Reads the whole log. */
const messageIds = async (
  sessions: Awaited<ReturnType<typeof openStore>>['sessions'],
  sessionId: string,
): Promise<readonly string[]> => {
  const ids: string[] = []
  for (;;) {
    const page = await sessions.read(sessionId, { fromSeq: ids.length, limit: READ_PAGE })
    if (page.length === 0) return ids
    for (const entry of page) ids.push(entry.kind === 'message' ? entry.id : '')
  }
}
