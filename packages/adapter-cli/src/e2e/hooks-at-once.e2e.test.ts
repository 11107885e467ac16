/** Fifty hooks at once over a store in every state: each ends with 0 and prints a whole answer or nothing. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook } from '../testing/run-hook.ts'
import { claudeSession } from '../testing/transcripts.ts'

const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const HOOKS = 50
const CALLS = [
  'session-start',
  'user-prompt-submit',
  'pre-compact',
  'post-compact',
  'stop',
  'session-end',
  'statusline',
] as const
const NONSENSE = ['', 'hello', '{"session_id":"a', '[1,2,3]', '\u0000\u0001\ufffd']

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.folder, '.git'))
  sandbox.file('transcripts/x.jsonl', claudeSession('x'))
})
afterEach(async () => {
  await importsDone(sandbox)
  sandbox.remove()
})

const data = (): string => join(sandbox.folder, 'data')
const store = (): string => join(data(), 'cairn.db')

const fillStore = async (): Promise<void> => {
  await sandbox.cairn('import', '--from', join(sandbox.folder, 'transcripts'), '--agent', 'claude-code')
  await sandbox.cairn('memory', 'add', 'pattern', 'Write plainly', '--workspace', sandbox.folder)
}

/** Changes the store by a statement, as another program. */
const change = (statement: string): DatabaseSync => {
  const database = new DatabaseSync(store())
  database.exec(statement)
  return database
}

/** Every other hook is given nonsense. */
const runAll = (through: readonly string[] = []) =>
  Promise.all(
    Array.from({ length: HOOKS }, async (_, index) => {
      const call = CALLS[index % CALLS.length] ?? 'stop'
      const isNonsense = index % 2 === 1
      const input = isNonsense
        ? NONSENSE[index % NONSENSE.length]
        : {
            session_id: SESSION,
            cwd: sandbox.folder,
            source: 'startup',
            prompt: 'why does it fail?',
            model: 'm',
            transcript_path: join(sandbox.folder, 'transcripts', 'x.jsonl'),
          }
      const result = await runHook(sandbox, [call], {
        through,
        variables: { NO_COLOR: '1' },
        ...(input === undefined ? {} : { input }),
      })
      return { call, isNonsense, ...result }
    }),
  )

type Result = Awaited<ReturnType<typeof runAll>>[number]

/** The context in an answer; a status line as it is. Fails for half an answer. */
const answerOf = ({ call, stdout }: Result): string => {
  if (stdout === '' || call === 'statusline') return stdout
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }
  return hookSpecificOutput.additionalContext
}

const expectHarmless = (results: readonly Result[]): void => {
  for (const { call, code, stderr, isNonsense, stdout } of results) {
    expect({ call, code, stderr }).toEqual({ call, code: 0, stderr: '' })
    // Of a status line there is what the store knows.
    if (isNonsense && call !== 'statusline') expect(stdout).toBe('')
  }
}

const answersOf = (results: readonly Result[], call: Result['call']): readonly string[] =>
  results.filter((result) => result.call === call && !result.isNonsense).map(answerOf)

const log = (): string => {
  const path = join(data(), 'hooks.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const expectNoAnswer = (results: readonly Result[]): void => {
  expectHarmless(results)
  for (const call of ['session-start', 'user-prompt-submit', 'stop'] as const)
    expect(answersOf(results, call).join('')).toBe('')
  // The line is made of what the agent tells. On a busy machine some are not done in time.
  for (const line of answersOf(results, 'statusline')) expect(line).toMatch(/^(?:m(?: · .*)?\n)?$/)
}

/** A file system of one's own, which only root can make; false where there is none. */
const mounted = (options: string, folder: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('fifty hooks at once', () => {
  it('answer from a sound store', async () => {
    await fillStore()
    const results = await runAll()
    expectHarmless(results)
    // On a busy machine some are not done in time, and say so.
    const given = answersOf(results, 'session-start').filter((text) => text !== '')
    for (const text of given) expect(text).toContain('Write plainly')
    expect(given.length > 0 || log().includes('not done after')).toBe(true)
  })

  it('say nothing where the store is missing', async () => {
    expectNoAnswer(await runAll())
  })

  it('say nothing where the store is locked, and log it', async () => {
    await fillStore()
    const other = change('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    try {
      expectNoAnswer(await runAll())
      expect(log()).toMatch(/locked|busy|in use|not done after/)
    } finally {
      other.close()
    }
  })

  it('say nothing where the store is of a newer version, leave it as it is, and log it', async () => {
    await fillStore()
    change(
      "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ('z', 'z', 1, '29991231000000_later', 1, 1); PRAGMA journal_mode = DELETE",
    ).close()
    const before = readFileSync(store())
    expectNoAnswer(await runAll())
    await importsDone(sandbox)
    expect(readFileSync(store()).equals(before)).toBe(true)
    expect(log()).toContain('newer version')
  })

  it('say nothing where the store is damaged, leave it as it is, and log it', async () => {
    await fillStore()
    const damaged = Buffer.alloc(64_000, 'not a database ')
    writeFileSync(store(), damaged)
    expectNoAnswer(await runAll())
    await importsDone(sandbox)
    expect(readFileSync(store()).equals(damaged)).toBe(true)
    expect(log()).not.toBe('')
  })

  it('answer or say nothing where nothing more can be written, as on a full disk', async () => {
    await fillStore()
    const before = change('PRAGMA journal_mode = DELETE')
    before.close()
    // No file may grow: the system refuses each write, whoever asks.
    const results = await runAll(['bash', '-c', 'ulimit -f 0; exec "$@"', 'hook'])
    expectHarmless(results)
    for (const text of answersOf(results, 'session-start'))
      expect(text === '' || text.includes('Write plainly')).toBe(true)
  })

  it('answer or say nothing where the data folder can only be read', async () => {
    mkdirSync(data())
    const isMounted = mounted('size=64m', data())
    try {
      await fillStore()
      if (isMounted) execFileSync('mount', ['-o', 'remount,ro', data()])
      else {
        chmodSync(store(), 0o400)
        chmodSync(data(), 0o500)
      }
      const results = await runAll()
      expectHarmless(results)
      for (const text of answersOf(results, 'session-start'))
        expect(text === '' || text.includes('Write plainly')).toBe(true)
    } finally {
      if (isMounted) execFileSync('umount', ['-l', data()])
      else chmodSync(data(), 0o700)
    }
  })
})
