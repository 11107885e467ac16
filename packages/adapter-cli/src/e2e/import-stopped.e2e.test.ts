/** `cairn import` that is stopped while it runs: what it says, what it keeps, and how the next one goes on. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { CliResult, Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

let box: Sandbox

beforeEach(() => {
  box = createSandbox()
})

afterEach(() => box.remove())

const FILES = 40
const LINES = 120
const WORDS = ['the test', 'waits for', 'a clock', 'parseHeader()', 'src/app/login.ts', 'and fails', 'again']

/** Transcripts of different sizes that take any machine a while. */
const writeTranscripts = (): void => {
  for (let file = 0; file < FILES; file++) {
    const lines = Array.from({ length: LINES - file }, (_, line) => {
      const words = Array.from(
        { length: 40 + ((file * 7 + line * 13) % 500) },
        (_each, word) => `${WORDS[(word * (line + 3) + file) % WORDS.length]} ${(word * line) % 97}`,
      )
      return claudeLine({
        session: `s${file}`,
        id: `${file}-${line}`,
        at: new Date(Date.UTC(2026, 0, 1 + file, 8, line)).toISOString(),
        role: line % 2 === 0 ? 'user' : 'assistant',
        text: words.join(' '),
        tokens: [10 + line, 100 * file, 20, 50 + line],
      })
    })
    box.file(`logs/${String(file).padStart(2, '0')}.jsonl`, `${lines.join('\n')}\n`)
  }
}

/** Files that the store has something of, as another process sees it; 0 as long as there is no store. */
const filesStored = (path: string): number => {
  if (!existsSync(path)) return 0
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const row = database.prepare('SELECT count(*) AS files FROM imported_file').get()
    return Number(row?.['files'] ?? 0)
  } catch {
    // Not made yet, or written to at this moment.
    return 0
  } finally {
    database.close()
  }
}

interface Stopped extends CliResult {
  readonly endedBy: NodeJS.Signals | null
}

/** Imports until the store holds something of so many files, then sends the signal. */
const importUntil = (files: number, signal: NodeJS.Signals, store: string): Promise<Stopped> =>
  new Promise((resolve, reject) => {
    const bin = new URL('../../bin/cairn.js', import.meta.url).pathname
    const child = spawn(process.execPath, [bin, 'import', '--from', 'logs', '--store', `file:${store}`], {
      cwd: box.folder,
      env: { PATH: process.env['PATH'], HOME: join(box.folder, 'home'), CAIRN_HOME: join(box.folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    let isOver = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.on('error', reject)
    child.on('close', (code, endedBy) => {
      isOver = true
      resolve({ code, endedBy, ...output })
    })
    const look = (): void => {
      if (isOver) return
      if (filesStored(join(box.folder, store)) >= files) child.kill(signal)
      else setImmediate(look)
    }
    look()
  })

const factsOf = async (store: string): Promise<unknown> => [
  await box.json('usage', '--by', 'session', '--store', `file:${store}`),
  await box.json('session', 'list', '--limit', '100', '--store', `file:${store}`),
]

describe('an import that is stopped', () => {
  it.each([
    ['SIGINT', 1],
    ['SIGTERM', 9],
  ] as const)('by %s says so in a sentence, and the next one completes it', async (signal, files) => {
    writeTranscripts()
    const { code, endedBy, stdout, stderr } = await importUntil(files, signal, 'stopped.db')
    expect({ code, endedBy, stdout }).toEqual({ code: 130, endedBy: null, stdout: '' })
    expect(stderr).toMatch(
      /^Stopping after this batch …\nStopped\. What was imported is kept[^.\n]*; the same command goes on from here\.\n$/,
    )
    const before = filesStored(join(box.folder, 'stopped.db'))
    expect(before).toBeGreaterThanOrEqual(files)
    expect(before).toBeLessThan(FILES)
    expect((await box.cairn('doctor', '--store', 'file:stopped.db')).code).toBe(0)

    const rest = await box.json('import', '--from', 'logs', '--store', 'file:stopped.db')
    expect(rest).toMatchObject({ skipped: [] })
    await box.cairn('import', '--from', 'logs', '--store', 'file:whole.db')
    expect(await factsOf('stopped.db')).toEqual(await factsOf('whole.db'))
    expect(await box.json('import', '--from', 'logs', '--store', 'file:stopped.db')).toMatchObject({ files: 0 })
  })
})
