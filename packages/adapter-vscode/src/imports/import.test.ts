import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore } from '@cairn/core/testing'
import { isImportJob } from './import-job.ts'
import type { ImportJob, ImportMessage } from './import-job.ts'
import { importSummary, progressText, skipText } from './import-text.ts'
import { performImport } from './perform-import.ts'

const NOTHING = { files: 0, sessions: 0, messages: 0, requests: 0, skipped: [], ms: 5 }

describe('the texts of an import', () => {
  it('sums up what is new and what was left out', () => {
    expect(importSummary(NOTHING)).toBe('Nothing new: everything that your agents recorded is in the store.')
    const skipped = [{ file: '/a', reason: 'no JSON', count: 3 }]
    expect(importSummary({ ...NOTHING, skipped })).toBe('Nothing new. 3 places were left out.')
    expect(importSummary({ ...NOTHING, files: 2, sessions: 1, messages: 1_234, skipped })).toBe(
      'Read 2 files: 1 new session, 1,234 new messages, 0 new requests. 3 places were left out.',
    )
  })

  it('name file and line on one line', () => {
    expect(skipText({ file: '/a\nb', line: 7, reason: 'no \u001b JSON', count: 2 })).toBe('/a b:7: no ␛ JSON (2 times)')
    expect(progressText({ file: '/a', filesDone: 3, files: 10, share: 0.429 })).toBe('3 of 10 files (42%)')
  })
})

describe('an import', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-import-'))
    const line = (id: number): string =>
      JSON.stringify({ session: 's1', at: '2026-03-05T10:00:00Z', role: 'user', id: `m${id}`, text: 'hello' })
    writeFileSync(join(folder, 'chat.jsonl'), `${line(1)}\n${line(2)}\nno JSON\n`)
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const job = (): ImportJob => ({
    kind: 'cairn-import',
    address: 'file:/none',
    prices: {},
    environment: { home: folder, platform: 'linux', variables: {} },
    from: [join(folder, 'chat.jsonl')],
  })

  it('reports what it read and what it left out, and closes its store', async () => {
    const store = createInMemoryStore()
    let isClosed = false
    const messages: ImportMessage[] = []
    const open = async () => ({
      ...store,
      close: async () => {
        isClosed = true
      },
    })
    await performImport(job(), open, (message) => messages.push(message), new AbortController().signal)
    expect(messages.filter(({ kind }) => kind === 'skipped')).toHaveLength(1)
    const last = messages.at(-1)
    expect(last?.kind === 'done' && last.report).toMatchObject({ files: 1, sessions: 1, messages: 2 })
    expect([isClosed, isImportJob(job()), isImportJob({ kind: 'other' }), isImportJob(undefined)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('leaves out the sessions of a project whose settings make them incognito, and marks them', async () => {
    const project = join(folder, 'app')
    mkdirSync(join(project, '.cairn'), { recursive: true })
    writeFileSync(join(project, '.cairn', 'config.json'), '{"hooks":{"incognito":true}}')
    const line = { session: 's2', at: null, role: 'user', text: 'hidden', workspace: project }
    appendFileSync(join(folder, 'chat.jsonl'), `${JSON.stringify(line)}\n`)
    const store = createInMemoryStore()
    const messages: ImportMessage[] = []
    const tell = (message: ImportMessage): number => messages.push(message)
    await performImport(
      job(),
      async () => ({ ...store, close: async () => undefined }),
      tell,
      new AbortController().signal,
    )
    expect(messages.flatMap((each) => (each.kind === 'skipped' ? [each.skip.reason] : []))).toContain('incognito')
    expect((await store.sessions.list({})).sessions.map(({ id }) => id)).toEqual(['generic:s1'])
    expect(readFileSync(join(folder, '.local/share/cairn/incognito.jsonl'), 'utf8')).toContain('"session":"s2"')
  })

  it('says that it was stopped, and why it failed', async () => {
    const messages: ImportMessage[] = []
    await performImport(
      job(),
      async () => createInMemoryStore(),
      (message) => messages.push(message),
      AbortSignal.abort(),
    )
    await performImport(
      job(),
      () => Promise.reject(new Error('The store is from a newer version.')),
      (message) => messages.push(message),
      new AbortController().signal,
    )
    expect(messages).toEqual([{ kind: 'stopped' }, { kind: 'failed', sentence: 'The store is from a newer version.' }])
  })
})
