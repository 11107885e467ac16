import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { EngineEvent, FileSystem } from '@cairn/core'
import type { ImportReport } from '@cairn/core/importers'
import { createFileSystem } from '@cairn/core/node'
import { openStore } from '../open-store.ts'
import { contentOf, writeTranscripts } from '../testing/import-together.ts'
import { openEngine } from '../testing/process-engine.ts'
import { readingThreads } from '../testing/reading-threads.ts'
import { importThreads } from './import-threads.ts'
import type { ImportThreads } from './import-threads.ts'

const samples = fileURLToPath(new URL('../../../../samples', import.meta.url))
/** Where the transcripts of more agents lie that are too large for the repository. */
const data = join(process.env.CAIRN_TEST_DATA ?? '', 'transcripts')
const folder = mkdtempSync(join(tmpdir(), 'cairn-ahead-'))
const home = join(folder, 'home')
const transcripts = join(home, '.claude')
const address = (name: string): string => `file:${join(folder, `${name}.db`)}`
const QUERIES = ['words everywhere', 'reply', 'theme colors', 'session export', 'words and words']

const write = (name: string, content: string | Uint8Array): void => {
  const path = join(transcripts, 'projects', '-work-project-9', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const line = (session: string, id: string, more: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({
    uuid: id,
    sessionId: session,
    timestamp: '2026-02-03T09:00:00.000Z',
    type: 'user',
    ...more,
  })}\n`
const message = (text: string) => ({ message: { role: 'user', content: text } })
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
const LONG = 'a long text that two files of one session repeat '.repeat(30)

interface Imported {
  readonly report: Omit<ImportReport, 'ms'>
  readonly events: readonly EngineEvent[]
  /** Transcripts that this thread has opened. */
  readonly opened: number
}

/** Imports all into a store, on this thread or with others that read ahead. */
const importInto = async (name: string, threads?: ImportThreads, from?: readonly string[]): Promise<Imported> => {
  const files = createFileSystem()
  let opened = 0
  const read: FileSystem['read'] = (path, ...rest) => {
    opened += path.endsWith('.jsonl') ? 1 : 0
    return files.read(path, ...rest)
  }
  const options = threads === undefined ? {} : { importThreads: threads }
  const engine = await openEngine(address(name), options, { ...files, read })
  const events: EngineEvent[] = []
  try {
    const environment = { home, platform: 'linux', variables: {} } as const
    const { ms: _ms, ...report } = await engine.imports.run(
      from === undefined ? { environment } : { environment, from },
      (event) => events.push(event),
    )
    return { report, events: events.filter(({ type }) => type !== 'import-progress'), opened }
  } finally {
    await engine.close()
    rmSync(join(home, '.local'), { recursive: true, force: true })
  }
}

/** What a store answers to some questions. */
const foundIn = async (name: string): Promise<unknown> => {
  const store = await openStore(address(name))
  try {
    return await Promise.all(QUERIES.map((text) => store.search.search({ text, limit: 30 })))
  } finally {
    await store.close()
  }
}

/** Of those that may be kept. */
const SESSIONS = 17

let alone: Imported

beforeAll(async () => {
  writeTranscripts(transcripts, 8, 60)
  const cwd = '/work/project-9'
  // Files of one session; the second repeats a text of the first.
  write('s1.jsonl', line('s1', 'u1', { cwd, ...message(LONG) }))
  write('s1/subagents/agent-1.jsonl', line('s1', 'u2', { cwd, isSidechain: true, ...message(LONG) }))
  write('damaged.jsonl', `${line('s2', 'u1', { cwd, ...message('sound') })}{"broken\n// a comment\n`)
  write('open.jsonl', `${line('s3', 'u1', { cwd, ...message('sound') })}{"type":"us`)
  write(
    'bytes.jsonl',
    Buffer.from([...Buffer.from(line('s4', 'u1', { cwd, ...message('sound') })), 0x22, 0xff, 0x22, 0x0a]),
  )
  write('binary.jsonl', new Uint8Array(5000).fill(3).fill(0, 100, 200))
  write('secret.jsonl', line('s5', 'u1', { cwd, ...message(`the token is ${SECRET}, keep it`) }))
  write(
    'folders-late.jsonl',
    line('s6', 'u1', message('no folder yet')) + line('s6', 'u2', { cwd, ...message('here') }),
  )
  write('folders-never.jsonl', line('s7', 'u1', message('nowhere')))
  write(
    'large-line.jsonl',
    line('s8', 'u1', { cwd, ...message('x'.repeat(3 << 20)) }) + line('s8', 'u2', { cwd, ...message('y') }),
  )
  write('reused.jsonl', line('s9', 'u1', { cwd, ...message('once') }) + line('s9', 'u1', { cwd, ...message('twice') }))
  const hidden = join(home, 'hidden')
  mkdirSync(join(hidden, '.cairn'), { recursive: true })
  writeFileSync(join(hidden, '.cairn', 'config.json'), '{"hooks":{"incognito":true}}')
  write('hidden.jsonl', line('s10', 'u1', { cwd: hidden, ...message('nobody may keep this') }))
  write(
    'hidden-late.jsonl',
    line('s11', 'u1', { cwd, ...message('kept?') }) + line('s11', 'u2', { cwd: hidden, ...message('no') }),
  )
  alone = await importInto('alone')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const expectSame = async (name: string, imported: Imported): Promise<void> => {
  expect(imported.report).toEqual(alone.report)
  expect(imported.events).toEqual(alone.events)
  expect(await contentOf(address(name))).toEqual(await contentOf(address('alone')))
  expect(await foundIn(name)).toEqual(await foundIn('alone'))
}

describe('threads that read ahead', () => {
  it.each([1, 3])('%i of them make the store that a single thread makes', async (count) => {
    const imported = await importInto(`threads-${count}`, readingThreads(count))
    await expectSame(`threads-${count}`, imported)
    expect(imported.report.sessions).toBe(SESSIONS)
    expect(alone.opened).toBeGreaterThan(20)
    // Those that can't be read ahead to their end.
    expect(imported.opened).toBeLessThan(10)
    const { texts } = await contentOf(address(`threads-${count}`))
    expect(JSON.stringify(texts)).not.toMatch(new RegExp(`${SECRET}|nobody may`))
  })

  it('leave the import to the thread that writes when they can not be started', async () => {
    const program = new URL('no-such-program.ts', import.meta.url)
    await expectSame('not-started', await importInto('not-started', { ...readingThreads(2), program }))
  })

  it('leave what is left of the import when they die', async () => {
    const program = new URL('../testing/dying-thread.ts', import.meta.url)
    await expectSame('dying', await importInto('dying', { ...readingThreads(2), program }))
  })

  it.each([1, 4])(
    'end by themselves with an import that is stopped after %i files, which goes on from there',
    async (stopAt) => {
      const terminate = jest.spyOn(Worker.prototype, 'terminate')
      const stop = new AbortController()
      const engine = await openEngine(address(`stopped-${stopAt}`), { importThreads: readingThreads(2) })
      const environment = { home, platform: 'linux', variables: {} } as const
      const running = engine.imports.run(
        { environment },
        (event) => {
          if (event.type === 'import-progress' && event.filesDone === stopAt) stop.abort(new Error('enough'))
        },
        stop.signal,
      )
      await expect(running).rejects.toThrow('enough')
      // From outside they could be stopped in the middle of native code.
      expect(terminate).not.toHaveBeenCalled()
      terminate.mockRestore()
      await engine.close()
      rmSync(join(home, '.local'), { recursive: true, force: true })
      await importInto(`stopped-${stopAt}`, readingThreads(2))
      expect(await contentOf(address(`stopped-${stopAt}`))).toEqual(await contentOf(address('alone')))
    },
  )

  const own = existsSync(data) ? it : it.skip
  own('give the same for real transcripts of all agents (CAIRN_TEST_DATA)', async () => {
    await importInto('real-alone', undefined, [data, samples])
    await importInto('real-threads', readingThreads(2), [data, samples])
    expect(await contentOf(address('real-threads'))).toEqual(await contentOf(address('real-alone')))
    expect(await foundIn('real-threads')).toEqual(await foundIn('real-alone'))
  })

  it('give the same for the sample sessions', async () => {
    const reports = [
      await importInto('sample-alone', undefined, [samples]),
      await importInto('sample-threads', readingThreads(2), [samples]),
    ]
    expect(reports[1]?.report).toEqual(reports[0]?.report)
    expect(await contentOf(address('sample-threads'))).toEqual(await contentOf(address('sample-alone')))
    expect(await foundIn('sample-threads')).toEqual(await foundIn('sample-alone'))
  })

  it('are one less than the processors, and none where there is one', () => {
    const program = new URL('file:///reading-thread.js')
    expect([1, 2, 4, 64].map((processors) => importThreads(program, processors)?.count)).toEqual([undefined, 1, 3, 4])
    expect(importThreads(undefined, 8)).toBeUndefined()
  })
})
