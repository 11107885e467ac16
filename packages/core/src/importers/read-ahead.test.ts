import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { incognitoLine } from '../incognito/incognito-record.ts'
import { createFileSystem } from '../node/file-system.ts'
import { createHasher } from '../node/hasher.ts'
import type { ImportStorage } from '../ports/import-storage.ts'
import type { FileReadAhead, FileToRead, ReadBatch } from '../ports/read-ahead.ts'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'
import { claudeUser } from './incognito-transcripts.fixture.ts'
import { readAhead } from './read-ahead.ts'
import { createWorkspaceResolver } from './workspace.ts'

let plain: Workbench
let ahead: Workbench
beforeEach(() => {
  plain = createWorkbench()
  ahead = createWorkbench()
})
afterEach(() => {
  plain.end()
  ahead.end()
})

const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d1'
const claude = (session: number, text: string, more: object = {}): object =>
  claudeUser(`u-${session}-${text}`, text, { sessionId: `${SESSION}${session}`, cwd: `/work/${session}`, ...more })
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Writes a file of Claude Code's into both. */
const write = (name: string, text: string): void => {
  for (const bench of [plain, ahead]) bench.write(`in/.claude/projects/-a/${name}.jsonl`, text)
}

const importPlain = () => plain.import({ from: [`${plain.folder}/in`] })
const importAhead = (storage: ImportStorage) => ahead.import({ from: [`${ahead.folder}/in`], storage })

/** What a storage's threads were asked for. */
interface Asked {
  readonly given: string[]
  readonly taken: string[]
  isClosed: boolean
}

const nothingAsked = (): Asked => ({ given: [], taken: [], isClosed: false })
const nameOf = (path: string): string | undefined => path.split('/').at(-1)

/** The storage with threads: they do their work in this one. `endsAt`: of every file only so many batches come. */
const withThreads = (asked: Asked, endsAt = Number.POSITIVE_INFINITY): ImportStorage => {
  const { imports } = ahead.store
  return {
    files: () => imports.files(),
    file: (path) => imports.file(path),
    prepare: (batch) => imports.prepare(batch),
    messagesWith: (session, ids) => imports.messagesWith(session, ids),
    skips: () => imports.skips(),
    readAhead: (files) => {
      asked.given.push(...files.map(({ facts }) => nameOf(facts.path) ?? ''))
      return {
        take: (path) => {
          const file = files.find(({ facts }) => facts.path === path)
          if (file === undefined) return undefined
          asked.taken.push(nameOf(path) ?? '')
          return readingOf(file, endsAt)
        },
        close: async () => {
          asked.isClosed = true
        },
      }
    },
  }
}

const readingOf = (file: FileToRead, endsAt: number): FileReadAhead => {
  let isLost = false
  async function* batches(): AsyncGenerator<ReadBatch> {
    const fileSystem = createFileSystem()
    let given = 0
    for await (const read of readAhead(file, {
      fileSystem,
      hasher: createHasher(),
      clock: { now: () => 1_000 },
      redact: (text) => ({ text, count: 0 }),
      workspaceOf: createWorkspaceResolver(fileSystem),
    })) {
      isLost = given === endsAt
      if (isLost) throw new Error('lost')
      yield read
      given += 1
    }
  }
  return { batches, failure: () => (isLost ? { notice: 'its thread ended' } : undefined), drop: () => undefined }
}

const contentOf = async (bench: Workbench) => {
  const { sessions } = await bench.store.sessions.list({})
  return Promise.all(
    sessions.map(async (session) => ({
      session,
      entries: await bench.store.sessions.read(session.id),
      source: await bench.source(session.id),
    })),
  )
}

describe('an import of what was read ahead', () => {
  it('gives the sessions and the report of one that reads by itself', async () => {
    write('a', `${lines(claude(1, 'one'), claude(1, 'two'))}BROKEN\n`)
    write('b', lines(claude(2, 'three'), claude(2, 'four')).slice(0, -9))
    write('c', lines(claude(3, 'five')))
    const asked = nothingAsked()
    const [own, other] = [await importPlain(), await importAhead(withThreads(asked))]
    const skips = ({ skipped }: typeof own) => skipped.map((skip) => ({ ...skip, file: nameOf(skip.file) }))
    expect(skips(other)).toEqual(skips(own))
    expect(skips(other)).toHaveLength(2)
    expect(other).toMatchObject({ files: 3, sessions: 3, messages: 4 })
    expect(await contentOf(ahead)).toEqual(await contentOf(plain))
    expect(asked).toEqual({ given: ['a.jsonl', 'b.jsonl', 'c.jsonl'], taken: asked.given, isClosed: true })
  })

  it('leaves to the import what is known, or depends on the store', async () => {
    write('a', lines(claude(1, 'one')))
    await importAhead(withThreads(nothingAsked()))
    write('a', lines(claude(1, 'one'), claude(1, 'two')))
    write('b', lines(claude(2, 'three')))
    ahead.write('in/chat.jsonl', `${generic('walrus')}\n`)
    const asked = nothingAsked()
    expect(await importAhead(withThreads(asked))).toMatchObject({ messages: 3 })
    expect(asked.given).toEqual(['b.jsonl'])
  })

  it('goes on by itself where the thread ends, and says so', async () => {
    write('a', lines(claude(1, 'one'), claude(1, 'two')))
    await importPlain()
    const report = await importAhead(withThreads(nothingAsked(), 0))
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['its thread ended'])
    expect(await contentOf(ahead)).toEqual(await contentOf(plain))
  })

  it('keeps nothing of sessions that are marked as incognito', async () => {
    write('a', lines(claude(1, 'one')))
    write('b', lines(claude(2, 'two'), claude(3, 'three')))
    const mark = incognitoLine({ agent: 'claude-code', session: `${SESSION}2` }, 1)
    ahead.write('home/.local/share/cairn/incognito.jsonl', mark)
    const report = await importAhead(withThreads(nothingAsked()))
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['incognito'])
    expect(await ahead.store.sessions.get(`claude-code:${SESSION}2`)).toBeUndefined()
    expect(await ahead.texts(`claude-code:${SESSION}1`)).toEqual(['one'])
  })

  it('ends its threads when it is stopped', async () => {
    write('a', lines(claude(1, 'one')))
    const asked = nothingAsked()
    const storage = withThreads(asked)
    const stop = new AbortController()
    const stopped: ImportStorage = {
      ...storage,
      prepare: (batch) => {
        stop.abort(new Error('enough'))
        return storage.prepare(batch)
      },
    }
    await expect(ahead.import({ from: [`${ahead.folder}/in`], storage: stopped, signal: stop.signal })).rejects.toThrow(
      'enough',
    )
    expect(asked.isClosed).toBe(true)
  })
})
