/** Several processes add entries to one workspace's memory, some may be killed; then what was acknowledged is looked for. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../open-store.ts'
import { SHARED_WORKSPACE, rememberedText } from './remembered.ts'
import type { Remembered } from './remembered.ts'

export interface RememberOptions {
  readonly address: string
  /** For the writers' notes; a new one for each call. */
  readonly folder: string
  readonly writers: number
  /** Entries that each writer adds. */
  readonly entries: number
  /** Entries that a writer has in flight at once. */
  readonly lanes: number
  /** When a writer is killed with SIGKILL, ms after its first entry was acknowledged; undefined: it is not. */
  readonly killAfterMs?: (writer: number) => number | undefined
  /** Tells this call's entries from those of others. */
  readonly name?: string
}

export interface RememberedTogether {
  readonly noted: readonly Remembered[]
  /** From the first entry's beginning to the last writer's end. */
  readonly ms: number
  readonly medianWaitMs: number
  readonly worstWaitMs: number
  readonly killed: number
}

interface Writer {
  readonly child: ChildProcess
  readonly file: string
  readonly ready: Promise<void>
  /** Whether it was killed; rejects when it failed otherwise. */
  readonly end: Promise<boolean>
}

/**
 * Runs the writers, all from the same moment on; `killAfterMs` says which are killed, and when. Resolves with what they
 * were told was kept, and how long they waited (ms; 0 where none wrote). Rejects if one that was not killed fails.
 */
export const rememberTogether = async ({
  address,
  folder,
  writers,
  entries,
  lanes,
  killAfterMs,
  name = 'w',
}: RememberOptions): Promise<RememberedTogether> => {
  await (await openStore(address)).close()
  const running = Array.from({ length: writers }, (_, index) =>
    startWriter([address, `${name}${index}`, String(entries), String(lanes), join(folder, `${name}-${index}.jsonl`)]),
  )
  await Promise.all(running.map(({ ready }) => ready))
  const startedAt = performance.now()
  for (const [index, { child }] of running.entries()) {
    child.stdin?.write('go\n')
    const after = killAfterMs?.(index)
    if (after !== undefined) child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), after))
  }
  const killed = (await Promise.all(running.map(({ end }) => end))).filter(Boolean).length
  const ms = performance.now() - startedAt
  const noted = running.flatMap(({ file }) => (existsSync(file) ? notesOf(readFileSync(file, 'utf8')) : []))
  const waits = noted.map(([, , , wait]) => wait).sort((left, right) => left - right)
  return { noted, ms, medianWaitMs: waits[waits.length >> 1] ?? 0, worstWaitMs: waits.at(-1) ?? 0, killed }
}

/** A note that a kill truncated was not complete: its entry counts as not acknowledged. */
const notesOf = (text: string): Remembered[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Remembered)

/**
 * Starts a process that remembers; its end says whether it was killed. The path of its file is the fifth parameter.
 * `end` rejects if it failed.
 */
const startWriter = (parameters: readonly string[]): Writer => {
  const script = fileURLToPath(new URL('memory-writer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@cairn/source', script, ...parameters], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // Killed before it had read its input: not an error.
  child.stdin.on('error', () => undefined)
  const end = new Promise<boolean>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(signal === 'SIGKILL')
      else reject(new Error(`writer ${parameters[1]} ended with ${code ?? signal}: ${stderr.slice(-2_000)}`))
    })
  })
  end.catch(() => undefined)
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    end.then(() => reject(new Error('a writer ended before it began')), reject)
  })
  return { child, file: parameters[4] ?? '', ready, end }
}

/**
 * Fails unless every acknowledged entry is there, whole, and nothing else is except for what killed writers had in
 * flight. Resolves with the number of entries.
 */
export const allRemembered = async (
  address: string,
  noted: readonly Remembered[],
  underWay: number,
): Promise<number> => {
  const store = await openStore(address)
  try {
    const entries = await store.memory.list(SHARED_WORKSPACE)
    const known = new Map(entries.map((entry) => [entry.id, entry]))
    const lost = noted.filter(([id, writer, number]) => known.get(id)?.text !== rememberedText(writer, number))
    assert.deepEqual(lost, [], 'acknowledged but not remembered')
    const unacknowledged = entries.length - noted.length
    assert.ok(unacknowledged >= 0 && unacknowledged <= underWay, `${unacknowledged} entries that nobody was told of`)
    for (const { text, examples, source } of entries) {
      const [, writer = '', number = ''] = /^Writer (\S+) learnt fact number (\d+):/.exec(text) ?? []
      assert.deepEqual(
        [text, examples, source],
        [rememberedText(writer, Number(number)), [`src/${writer}.ts:${number}`], `writer-${writer}`],
        'half an entry',
      )
    }
    assert.equal(new Set(entries.map(({ text }) => text)).size, entries.length, 'entries that say the same')
    assert.equal(
      (await store.memory.workspaces()).find(({ workspace }) => workspace === SHARED_WORKSPACE)?.entries,
      entries.length,
    )
    // Not deepEqual with []: a list from another realm of the test runner is another kind of list.
    assert.equal((await store.verify()).map(({ check, detail }) => `${check}: ${detail}`).join('\n'), '')
    return entries.length
  } finally {
    await store.close()
  }
}
