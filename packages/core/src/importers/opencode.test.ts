import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createFileSystem } from '../node/file-system.ts'
import { createHasher } from '../node/hasher.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { parseAll, parserOf, requestsOf, writesOf } from '../testing/parse-lines.ts'
import { openCodeImporter } from './opencode.ts'
import { readTranscript } from './read-transcript.ts'
import {
  AT,
  answered,
  asked,
  exported,
  openDatabase,
  ran,
  textPart,
  session,
  writeStorage,
} from './opencode.fixture.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const TODOS = [
  { content: 'measure the beam', status: 'completed', priority: 'high', id: '1' },
  { content: 'paint it', status: 'in_progress', priority: 'low', id: '2' },
]
const MAIN = session('main', [
  asked('a1', 0, 'Paint the crane', [
    { type: 'file', mime: 'text/plain', filename: 'crane.txt', url: 'file:///code/shop/crane.txt' },
    { type: 'text', text: 'Called the Read tool', synthetic: true },
  ]),
  answered('a2', 1, [
    { type: 'step-start', snapshot: 'x' },
    { type: 'reasoning', text: 'Which colour?', metadata: { anthropic: { signature: 'seal' } } },
    textPart('I look.'),
    ran('call_1', 'read', { filePath: '/code/shop/crane.txt' }, 'yellow'),
    ran('call_2', 'todowrite', { todos: TODOS }, 'ok'),
    { type: 'step-finish', tokens: {} },
  ]),
  answered('a3', 2, [textPart('It is yellow.')], { cost: 0.003 }),
])
const CHILD = session(
  'child',
  [asked('c1', 3, 'Review it'), answered('c2', 4, [textPart('Fine.')], { agent: 'review', mode: 'review' })],
  {
    parentID: 'ses_main',
  },
)
const SESSIONS = [MAIN, CHILD]

/** Puts the same sessions into one of OpenCode's forms. */
const FORMS: readonly (readonly [string, () => void])[] = [
  [
    'a database',
    () => {
      const { put, close } = openDatabase(join(bench.folder, 'share/opencode/opencode.db'))
      for (const each of SESSIONS) put(each)
      close()
    },
  ],
  ['files', () => SESSIONS.forEach((each) => writeStorage(join(bench.folder, 'share/opencode/storage'), each))],
  ['exports', () => SESSIONS.forEach((each) => bench.write(`${each.id}.json`, exported(each)))],
]

const kindsOf = async (id: string) =>
  (await bench.store.sessions.read(id)).map((entry) =>
    entry.kind === 'message'
      ? [entry.id, entry.role, entry.origin ?? '', entry.content.map(({ type }) => type).join()]
      : [entry.kind],
  )

describe("OpenCode's three forms", () => {
  it.each(FORMS)('give the same sessions: %s', async (_form, make) => {
    make()
    expect(await bench.import()).toMatchObject({ sessions: 2, messages: 7, requests: 3, skipped: [] })
    expect(await kindsOf('opencode:ses_main')).toEqual([
      ['msg_a1', 'user', '', 'text,file'],
      ['msg_a1.added', 'user', 'meta', 'text'],
      ['msg_a2', 'assistant', '', 'thinking,text,tool_call,tool_call'],
      ['todo'],
      ['msg_a2.results', 'tool', '', 'tool_result,tool_result'],
      ['msg_a3', 'assistant', '', 'text'],
    ])
    const { sessions } = await bench.store.sessions.list({ sort: 'started', order: 'ascending' })
    expect(sessions).toMatchObject([
      { id: 'opencode:ses_main', title: 'Title of main', workspace: '/code/shop', requests: 2 },
      { id: 'opencode:ses_child', title: 'Title of child', forkedFrom: 'opencode:ses_main', requests: 1 },
    ])
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({
      requests: 3,
      inputTokens: 300,
      cacheReadTokens: 2610,
      outputTokens: 97,
      costNano: 7_000_000n,
      recordedCostNano: 7_000_000n,
    })
    const { rows } = await bench.store.usage.report({ by: 'mode' })
    expect(rows.map(({ key, requests }) => [key, requests])).toEqual([
      ['build', 2],
      ['review', 1],
    ])
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0, requests: 0, skipped: [] })
  })

  it('count once together', async () => {
    for (const [, make] of FORMS) make()
    expect(await bench.import()).toMatchObject({ sessions: 2, messages: 7, requests: 3 })
    expect((await bench.store.usage.report({ by: 'agent' })).total).toMatchObject({ requests: 3, costNano: 7_000_000n })
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0, requests: 0 })
  })

  it.each(FORMS.slice(0, 2))('tell what stays beside a summary: %s', async (form) => {
    const compacted = session('long', [
      ...MAIN.messages,
      { ...asked('a4', 3, ''), parts: [{ type: 'compaction', auto: true, tail_start_id: 'msg_a3' }] },
      answered('a5', 4, [textPart('What was done')], { summary: true, parentID: 'msg_a4' }),
      answered('a6', 5, [textPart('I go on.')], { parentID: 'msg_a4' }),
    ])
    if (form === 'files') writeStorage(join(bench.folder, 'storage'), compacted)
    else {
      const { put, close } = openDatabase(join(bench.folder, 'opencode.db'))
      put(compacted)
      close()
    }
    await bench.import()
    const entries = await bench.store.sessions.read('opencode:ses_long')
    expect(entries.filter(({ kind }) => kind === 'compaction')).toMatchObject([{ trigger: 'auto', keptFrom: 'msg_a3' }])
  })

  it('are read without a store', async () => {
    for (const [, make] of FORMS) make()
    const deps = { fileSystem: createFileSystem(), hasher: createHasher() }
    const [project] = readdirSync(join(bench.folder, 'share/opencode/storage/session'))
    for (const path of [
      'share/opencode/opencode.db',
      `share/opencode/storage/session/${project ?? ''}/ses_main.json`,
      'ses_main.json',
    ]) {
      const { agent, sessions } = await readTranscript(join(bench.folder, path), deps)
      expect(agent).toBe('opencode')
      expect(sessions.find(({ facts }) => facts.externalId === 'ses_main')?.entries).toHaveLength(6)
    }
  })

  it('are found in the usual folder, and where XDG_DATA_HOME leads', async () => {
    const folders = (variables: Readonly<Record<string, string>>) =>
      openCodeImporter.transcriptFolders({ home: '/home/me', platform: 'linux', variables })
    expect(folders({})).toEqual([
      '/home/me/.local/share/opencode/opencode.db',
      '/home/me/.local/share/opencode/opencode.db-wal',
      '/home/me/.local/share/opencode/storage/session',
    ])
    expect(folders({ XDG_DATA_HOME: '/data', OPENCODE_DB: 'other.db' })[0]).toBe('/data/opencode/other.db')
    const home = join(bench.folder, 'me')
    const { put, close } = openDatabase(join(home, '.local/share/opencode/opencode.db'))
    put(MAIN)
    close()
    writeStorage(join(home, '.local/share/opencode/storage'), CHILD)
    expect(await bench.import({ home, agent: 'opencode' })).toMatchObject({ sessions: 2, skipped: [] })
    expect(await bench.import({ home })).toMatchObject({ files: 0, messages: 0 })
  })

  it('are told by their content where their names say nothing', async () => {
    bench.write('one-line.json', JSON.stringify(JSON.parse(exported(MAIN))))
    bench.write('pretty.json', exported(CHILD))
    expect(await bench.import()).toMatchObject({ sessions: 2, messages: 7, skipped: [] })
  })
})

describe('a session without a title of its own', () => {
  const untitled = 'New session - 2026-11-22T06:53:40.389Z'

  it('has that of its first request until it gets one, in a database', async () => {
    const { put, close } = openDatabase(join(bench.folder, 'opencode.db'))
    put({ ...MAIN, title: untitled })
    await bench.import()
    const title = async () => (await bench.store.sessions.get('opencode:ses_main'))?.title
    expect(await title()).toBe('Paint the crane')
    put({ ...MAIN, messages: [], title: 'A yellow crane' })
    expect(await bench.import()).toMatchObject({ messages: 0, skipped: [] })
    expect(await title()).toBe('A yellow crane')
    expect(await bench.import()).toMatchObject({ files: 0 })
    close()
  })

  it('has that of its first request until it gets one, in files', async () => {
    const storage = join(bench.folder, 'storage')
    writeStorage(storage, { ...MAIN, title: untitled })
    await bench.import()
    writeStorage(storage, { ...MAIN, messages: [], title: 'A yellow crane, and more' })
    await bench.import()
    expect((await bench.store.sessions.get('opencode:ses_main'))?.title).toBe('A yellow crane, and more')
  })
})

describe('tokens and costs', () => {
  const reply = (tokens: object, more: object = {}) =>
    requestsOf(
      parseAll(parserOf(openCodeImporter, '/x/export.json', { context: { id: 'ses_1' } }), [
        answered('r', 1, [textPart('x')], { tokens, cost: 0.5, ...more }),
      ]),
    )
  const cache = { read: 5000, write: 7 }

  it('take reasoning as a part of the output where the total says so; the cost that charges it twice does not count', () => {
    const [request] = reply({ total: 6069, input: 1000, output: 62, reasoning: 10, cache })
    expect(request).toMatchObject({
      inputTokens: 1000,
      cacheReadTokens: 5000,
      cacheWrite5mTokens: 7,
      outputTokens: 62,
      reasoningTokens: 10,
      costNano: null,
      costState: 'unpriced',
    })
  })

  it('add reasoning to the output where the total says so', () => {
    expect(reply({ total: 6079, input: 1000, output: 62, reasoning: 10, cache })).toMatchObject([
      { outputTokens: 72, reasoningTokens: 10, costNano: 500_000_000n, costState: 'recorded' },
    ])
  })

  it('believe the cost where there is no total, or no reasoning', () => {
    expect(reply({ input: 1, output: 62, reasoning: 10, cache })).toMatchObject([
      { outputTokens: 62, costState: 'recorded' },
    ])
    expect(reply({ total: 63, input: 1, output: 62, reasoning: 0 })).toMatchObject([{ costState: 'recorded' }])
  })

  it('are none of a reply that was aborted', () => {
    expect(reply({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } })).toEqual([])
  })

  it('name a wrong recorded cost, and compute it', async () => {
    const tokens = { total: 1100, input: 1000, output: 100, reasoning: 40, cache: { read: 0, write: 0 } }
    const file = bench.write(
      'a.json',
      exported(
        session('s', [
          answered('r', 1, [textPart('x')], { tokens }),
          answered('s', 2, [textPart('y')], { tokens, cost: 0.0205 }),
        ]),
      ),
    )
    const reason = 'recorded costs ($0.0225 in all) that charge reasoning twice; the tokens count by their prices'
    expect((await bench.import()).skipped).toEqual([{ file, reason, count: 2 }])
    expect(await bench.store.imports.skips()).toEqual([{ file, reason, count: 2 }])
    const { total } = await bench.store.usage.report({ by: 'agent' })
    expect(total).toMatchObject({ costNano: 200n, recordedCostNano: 0n, reasoningTokens: 80 })
  })

  it('are those of each request where one message holds several', () => {
    const finish = (output: number) => ({
      type: 'step-finish',
      cost: 0.001,
      tokens: { input: 10, output, reasoning: 0, cache: { read: 0, write: 0 } },
    })
    const lines = parseAll(parserOf(openCodeImporter, '/x/export.json', { context: { id: 'ses_1' } }), [
      answered('r', 1, [textPart('one'), ran('c', 'read', {}, 'x'), finish(3), textPart('two'), finish(4)], {
        tokens: { input: 10, output: 4 },
        cost: 0.002,
      }),
    ])
    expect(requestsOf(lines).map(({ outputTokens, costNano }) => [outputTokens, costNano])).toEqual([
      [3, 1_000_000n],
      [4, 1_000_000n],
    ])
    expect(new Set(requestsOf(lines).map(({ callId }) => callId)).size).toBe(2)
    expect(writesOf(lines).map(({ externalId }) => externalId)).toEqual(['msg_r', 'msg_r.results', 'msg_r.1'])
  })

  it('count once where a fork repeats them', async () => {
    bench.write('a.json', exported(MAIN))
    const copies = MAIN.messages.map((message) => ({ ...message, id: `${message.id}copy` }))
    bench.write('b.json', exported(session('fork', copies, { title: 'Title of main (fork #1)' })))
    expect(await bench.import()).toMatchObject({ sessions: 2, messages: 10, requests: 2 })
  })
})

describe('what a message means', () => {
  const parse = (...messages: readonly object[]) =>
    parseAll(parserOf(openCodeImporter, '/x/export.json', { context: { id: 'ses_1', directory: '/w' } }), messages)

  it('a compaction puts its summary in place of what was before', () => {
    const lines = parse(
      { ...asked('u', 1, 'x'), parts: [{ type: 'compaction', auto: false, tail_start_id: 'msg_a' }] },
      answered('s', 2, [textPart('What was done')], { summary: true }),
    )
    expect(writesOf(lines).map(({ entry }) => (entry.kind === 'message' ? entry.origin : entry.kind))).toEqual([
      'meta',
      'compaction',
      'summary',
    ])
    expect(writesOf(lines)[1]?.entry).toMatchObject({ trigger: 'manual', keptFrom: 'msg_a' })
  })

  it('a summary that failed replaces nothing', () => {
    const lines = parse(answered('s', 2, [textPart('What')], { summary: true, error: { name: 'MessageAbortedError' } }))
    expect(writesOf(lines).map(({ entry }) => entry.kind)).toEqual(['message', 'notice'])
  })

  it('a command that ended with another status than 0 has failed', () => {
    const ended = (exit: unknown) => ({
      type: 'tool',
      callID: 'c',
      tool: 'bash',
      state: { status: 'completed', input: {}, output: 'said', metadata: { exit } },
    })
    const parts = [ended(1), ended(0), ended(null), ended(127)]
    const [, results] = writesOf(parse(answered('r', 1, parts))).map(({ entry }) => entry)
    expect(results?.kind === 'message' ? results.content.map((block) => 'isError' in block) : []).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it('an error is a notice, a failed tool a result', () => {
    const failed = {
      type: 'tool',
      callID: 'c',
      tool: 'bash',
      state: { status: 'error', input: {}, error: 'no such file' },
    }
    const error = { name: 'APIError', data: { message: 'overloaded' } }
    const [, results, notice] = writesOf(parse(answered('r', 1, [failed], { error }))).map(({ entry }) => entry)
    expect(results).toMatchObject({
      role: 'tool',
      content: [{ type: 'tool_result', callId: 'c', isError: true, content: [{ text: 'no such file' }] }],
    })
    expect(notice).toMatchObject({ kind: 'notice', level: 'error', text: 'APIError: overloaded' })
  })

  it('images and files are blocks; what is not known is kept whole', () => {
    const image = { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AAAA' }
    const pdf = { type: 'file', mime: 'application/pdf', filename: 'a.pdf', url: 'data:application/pdf;base64,BBBB' }
    const [write] = writesOf(parse(asked('u', 1, 'look', [image, pdf, { type: 'agent', name: 'review' }])))
    expect(write?.entry).toMatchObject({
      at: AT + 1000,
      content: [
        { type: 'text' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
        { type: 'file', path: 'a.pdf', mediaType: 'application/pdf', data: 'BBBB' },
        { type: 'other', value: { type: 'agent', name: 'review' } },
      ],
    })
  })

  it('a message of an unknown role, or of no session, is named', () => {
    expect(parse({ info: { id: 'm', role: 'robot' }, parts: [] })).toMatchObject([
      { skip: 'a message whose role is not known' },
    ])
    expect(parseAll(parserOf(openCodeImporter, '/x/a.json'), [{ info: { role: 'user' } }])).toMatchObject([
      { skip: 'names no session' },
    ])
  })
})
