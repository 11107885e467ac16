/** What happens to folders, files and the store while `cairn watch` runs: it says so in one sentence, and goes on. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { appendClaude, claudePath } from '../testing/grown-transcripts.ts'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { createWatches, hasTold, messagesOf } from '../testing/run-watch.ts'
import type { RunningWatch } from '../testing/run-watch.ts'
import { claudeSession } from '../testing/transcripts.ts'

const MOST_MS = 180_000

let box: Sandbox
const watches = createWatches(() => box)
beforeEach(() => {
  box = createSandbox()
})
afterEach(async () => {
  await watches.end()
  box.remove()
})

const home = (): string => join(box.folder, 'home')
const projects = (): string => join(home(), '.claude', 'projects')
const storePath = (suffix = ''): string => join(box.folder, 'data', `cairn.db${suffix}`)
const append = (session: string, number: number): string => appendClaude(home(), session, number)

const started = async (): Promise<RunningWatch> => {
  const one = watches.start()
  await watches.until('it follows', () => hasTold(one, 'following'))
  return one
}

const linesOf = ({ lines }: RunningWatch, event: string) => lines.filter((line) => line['event'] === event)

/** By session, how many messages it has in the store. */
const counts = async (...args: readonly string[]): Promise<Readonly<Record<string, number>>> => {
  const { sessions } = (await box.json('session', 'list', '--limit', '10000', ...args)) as {
    readonly sessions: readonly { readonly id: string; readonly messages: number }[]
  }
  return Object.fromEntries(sessions.map(({ id, messages }) => [id.replace('claude-code:', ''), messages]))
}

/** Ends it as Ctrl-C does; what is in the store is what one import of the files that are there makes of them. */
const endWell = async ({ child, ended, errors }: RunningWatch): Promise<void> => {
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(errors()).toBe('')
  expect(await box.json('import')).toMatchObject({ messages: 0, requests: 0 })
}

describe('cairn watch, while something happens to the transcripts,', () => {
  it(
    'says which of the folders that were named are not there yet, and follows them once they are',
    async () => {
      append('a', 1)
      const later = join(box.folder, 'later')
      const one = watches.start('--from', projects(), later)
      await watches.until('it follows', () => hasTold(one, 'following'))
      expect(one.errors()).toBe(`There is no file or folder ${later} yet; it is followed once it is there.\n`)
      mkdirSync(later)
      cpSync(appendClaude(join(box.folder, 'other'), 'b', 1), join(later, 'b.jsonl'))
      await watches.until('what came later is there', async () => (await counts())['b'] === 1)
    },
    MOST_MS,
  )

  it(
    'goes on with folders that were deleted and made again',
    async () => {
      append('a', 1)
      const one = await started()
      for (const [round, gone] of [dirname(claudePath(home(), 'a')), projects(), join(home(), '.claude')].entries()) {
        rmSync(gone, { recursive: true })
        append('a', 2 + round)
        await watches.until(`what came after ${gone} went`, () => messagesOf(one) === 1 + round)
      }
      append('b', 1)
      await watches.until('a new session', () => messagesOf(one) === 4)
      expect(await counts()).toMatchObject({ b: 1 })
      await endWell(one)
    },
    MOST_MS,
  )

  it(
    'takes each message once of a file that is rewritten, renamed, or replaced as a whole',
    async () => {
      for (const number of [1, 2, 3]) append('rewritten', number)
      const one = await started()
      writeFileSync(claudePath(home(), 'rewritten'), '')
      append('rewritten', 1)
      append('rewritten', 7)
      const renamed = append('renamed', 1)
      await watches.until('the first of the renamed', () => messagesOf(one) >= 2)
      renameSync(dirname(renamed), `${dirname(renamed)}-later`)
      mkdirSync(dirname(renamed))
      const replaced = append('replaced', 1)
      append('replaced', 2)
      await watches.until('those of the replaced', async () => (await counts())['replaced'] === 2)
      cpSync(replaced, `${replaced}.tmp`)
      renameSync(`${replaced}.tmp`, replaced)
      append('replaced', 3)
      await watches.until('what came after it was replaced', async () => (await counts())['replaced'] === 3)
      const seen = await counts()
      expect(seen).toMatchObject({ renamed: 1, replaced: 3 })
      expect(seen['rewritten']).toBeGreaterThanOrEqual(2)
      await endWell(one)
    },
    MOST_MS,
  )

  it(
    'does not follow a link that stands where a transcript stood, out of the folder',
    async () => {
      const linked = append('linked', 1)
      const outside = box.file('elsewhere/other.jsonl', claudeSession('outside'))
      const one = await started()
      rmSync(linked)
      symlinkSync(outside, linked)
      symlinkSync(dirname(outside), join(projects(), 'a-link'))
      append('after', 1)
      await watches.until('what came after', () => messagesOf(one) === 1)
      append('after', 2)
      await watches.until('what came later', () => messagesOf(one) === 2)
      expect(await counts()).toEqual({ linked: 1, after: 2 })
      await endWell(one)
    },
    MOST_MS,
  )

  it(
    'is not held up by a file of a gigabyte without content, and names it once',
    async () => {
      const one = await started()
      const sparse = claudePath(home(), 'sparse')
      mkdirSync(dirname(sparse), { recursive: true })
      const file = openSync(sparse, 'w')
      ftruncateSync(file, 1 << 30)
      closeSync(file)
      append('beside', 1)
      await watches.until('what came with it', () => messagesOf(one) === 1)
      await watches.until('it is named', () => hasTold(one, 'skip'))
      append('beside', 2)
      await watches.until('what came after', () => messagesOf(one) === 2)
      expect(linesOf(one, 'skip')).toEqual([expect.objectContaining({ file: sparse })])
      await endWell(one)
    },
    MOST_MS,
  )

  it(
    'takes in thousands that come at once, and first of all what grows meanwhile',
    async () => {
      append('live', 1)
      const one = await started()
      const made = join(box.folder, 'made')
      for (let index = 0; index < 1_500; index += 1)
        box.file(`made/p${index % 30}/s${index}.jsonl`, claudeSession(`s${index}`))
      renameSync(made, join(projects(), 'restored'))
      await watches.until('the first of them', () => messagesOf(one) > 0)
      append('live', 2)
      const isLive = (line: Readonly<Record<string, unknown>>): boolean =>
        (line['sessions'] as readonly string[]).includes('claude-code:live')
      await watches.until('the one that grows', () => linesOf(one, 'import').some(isLive))
      await watches.until('all', () => linesOf(one, 'import').length === 1_501)
      expect(linesOf(one, 'import').findIndex(isLive)).toBeLessThan(1_500)
      expect(Object.keys(await counts())).toHaveLength(1_501)
      await endWell(one)
    },
    MOST_MS,
  )
})

describe('cairn watch, while something happens to the store,', () => {
  it(
    'says once that it is locked, and goes on when it is not any more',
    async () => {
      append('a', 1)
      const one = await started()
      const other = new DatabaseSync(storePath())
      other.exec('BEGIN IMMEDIATE')
      append('a', 2)
      await watches.until('it says so', () => hasTold(one, 'trouble'))
      append('a', 3)
      other.exec('ROLLBACK')
      other.close()
      await watches.until('it works again', () => hasTold(one, 'recovered'))
      await watches.until('all is in', () => messagesOf(one) === 2)
      expect(linesOf(one, 'trouble')).toHaveLength(1)
      await endWell(one)
    },
    MOST_MS,
  )

  it(
    'waits for one that was moved away, and makes no new one in its place',
    async () => {
      append('a', 1)
      const one = await started()
      const move = (from: string, to: string): void => {
        for (const suffix of ['', '-wal', '-shm'])
          try {
            renameSync(join(box.folder, 'data', from + suffix), join(box.folder, 'data', to + suffix))
          } catch {
            // SQLite may have removed them.
          }
      }
      move('cairn.db', 'away.db')
      append('a', 2)
      await watches.until('it says so', () =>
        linesOf(one, 'trouble').some((line) => /is gone/.test(String(line['message']))),
      )
      expect(readdirSync(join(box.folder, 'data'))).not.toContain('cairn.db')
      append('b', 1)
      move('away.db', 'cairn.db')
      await watches.until('it works again', () => hasTold(one, 'recovered'))
      expect(await counts()).toEqual({ a: 2, b: 1 })
      append('b', 2)
      await watches.until('it follows', () => messagesOf(one) >= 1)
      await endWell(one)
    },
    MOST_MS,
  )

  it(
    'fills another one that takes its place with all that there is, also where nothing grows',
    async () => {
      append('a', 1)
      append('b', 1)
      const one = await started()
      await box.cairn('import', '--agent', 'codex', '--store', 'file:empty.db')
      for (const suffix of ['-wal', '-shm']) rmSync(storePath(suffix), { force: true })
      renameSync(join(box.folder, 'empty.db'), storePath())
      await watches.until('both are in the other', async () => Object.keys(await counts()).length === 2)
      append('a', 2)
      await watches.until('what grows is in the other', async () => (await counts())['a'] === 2)
      await endWell(one)
    },
    MOST_MS,
  )
})
