import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { incognitoLine } from '../incognito/incognito-record.ts'
import type { JsonValue } from '../json.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { parseAll, parserOf, requestsOf, writesOf } from '../testing/parse-lines.ts'
import {
  CALLED,
  CHAT,
  FOLDER,
  PATH,
  SUBAGENT,
  TOKENS,
  at,
  documentMessages,
  documentOf,
  functionResponse,
  handedOver,
  header,
  linesOf,
  listOf,
  reply,
  resumed,
  rows,
  surroundings,
  toolCall,
  user,
} from './gemini.fixture.ts'
import { geminiImporter } from './gemini.ts'

const SESSION = `gemini:${CHAT}`
const parse = (values: readonly unknown[], context?: JsonValue) =>
  parseAll(parserOf(geminiImporter, `/home/me/${PATH}`, context === undefined ? {} : { context }), values)

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

/** Ids and roles of a session's messages, in order. */
const messages = async (session = SESSION): Promise<readonly string[]> =>
  (await bench.store.sessions.read(session)).flatMap((entry) =>
    entry.kind === 'message' ? [`${entry.role} ${entry.id}`] : [],
  )
describe('a chat', () => {
  it('gives messages, calls with their results, requests by class, title and folder', async () => {
    bench.write(PATH, linesOf(rows))
    bench.write(
      '.gemini/projects.json',
      JSON.stringify({ projects: { '/home/me/other': 'other', [FOLDER]: 'harbour' } }),
    )
    expect(await bench.import()).toMatchObject({ files: 1, sessions: 1, messages: 5, requests: 2, skipped: [] })
    expect(await messages()).toEqual([
      'user d04923d38bb0f6017037e74183378ef4',
      'user u1',
      `assistant r1.${CALLED}`,
      `tool r1.${CALLED}.result`,
      'assistant r2',
    ])
    const log = await bench.store.sessions.read(SESSION)
    expect(log).toContainEqual(
      expect.objectContaining({
        id: 'r2',
        at: Date.parse(at(6)),
        model: 'gemini-2.5-pro',
        responseId: 'r2',
        content: [
          { type: 'thinking', text: '**Reading**\nThe file is short.' },
          { type: 'text', text: 'It says alpha.' },
        ],
      }),
    )
    expect(log).toContainEqual(
      expect.objectContaining({
        role: 'tool',
        at: Date.parse(at(4)),
        content: [{ type: 'tool_result', callId: CALLED, content: [{ type: 'text', text: 'alpha\n' }] }],
      }),
    )
    expect(log[0]).toMatchObject({ origin: 'meta' })
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({
      agent: 'gemini',
      workspace: FOLDER,
      title: 'What does a.txt say?',
    })
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({
      requests: 2,
      inputTokens: 1_020,
      cacheReadTokens: 11_001,
      outputTokens: 60,
      reasoningTokens: 10,
      partialRequests: 0,
    })
  })

  it('as a document gives the same messages and requests, and both together are counted once', async () => {
    const path = PATH.replace('.jsonl', '.json')
    bench.write(path, documentOf(documentMessages))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 4, requests: 2, skipped: [] })
    const asDocument = await messages()
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({ title: 'What does a.txt say?' })
    // The agent rewrites it in rows when it goes on with it.
    bench.write(PATH, linesOf([header(), ...documentMessages]))
    expect(await bench.import()).toMatchObject({ messages: 0, requests: 0, skipped: [] })
    expect(await messages()).toEqual(asDocument)
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({ requests: 2, inputTokens: 1_020, outputTokens: 60 })
  })

  it.each([
    ['in rows', (count: number) => linesOf(rows.slice(0, count)), PATH],
    [
      'as a document',
      (count: number) => documentOf(documentMessages.slice(0, Math.max(0, count - 6))),
      PATH.replace('.jsonl', '.json'),
    ],
  ])('%s is taken in as it grows, and nothing twice', async (_form, content, path) => {
    for (let count = 1; count <= rows.length; count++) {
      bench.write(path, content(count))
      await bench.import()
    }
    const grown = await bench.store.sessions.read(SESSION)
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0, requests: 0 })
    const whole = createWorkbench()
    whole.write(path, content(rows.length))
    await whole.import()
    expect(grown).toEqual(await whole.store.sessions.read(SESSION))
    whole.end()
  })

  it('has its reply counted when the agent ends before the call does', async () => {
    bench.write(PATH, linesOf(rows.slice(0, 5)))
    expect(await bench.import()).toMatchObject({ messages: 2, requests: 1 })
    bench.write(PATH, linesOf(rows.slice(0, 7)))
    expect(await bench.import()).toMatchObject({ messages: 2, requests: 0 })
  })

  it('that is gone on with repeats nothing, whatever the agent writes again', async () => {
    bench.write(PATH, linesOf([...rows, ...resumed(20), user('u3', 21, 'And b.txt?'), reply('r3', 22, 'Nothing.')]))
    expect(await bench.import()).toMatchObject({ messages: 7, requests: 3 })
    expect((await messages()).slice(5)).toEqual(['user u3', 'assistant r3'])
    const log = await bench.store.sessions.read(SESSION)
    expect(log.filter(({ kind }) => kind === 'compaction')).toEqual([])
    // The file that the agent leaves beside it.
    bench.write(PATH.replace('T08-00', 'T09-30'), linesOf(resumed(20).slice(0, 2)))
    expect(await bench.import()).toMatchObject({ files: 1, sessions: 0, messages: 0 })
  })

  it('takes the tokens of a reply from a later row', async () => {
    bench.write(PATH, linesOf([header(), reply('r1', 2, 'Hello', { tokens: null }), reply('r1', 2, 'Hello')]))
    expect(await bench.import()).toMatchObject({ messages: 1, requests: 1 })
  })

  it('keeps the calls of two replies apart that have the same id', async () => {
    const call = (second: number, output: string) =>
      toolCall('call_1', second, 'read_file', { file_path: 'a.txt' }, output)
    bench.write(
      PATH,
      linesOf([
        header(),
        reply('r1', 2, '', { toolCalls: [call(2, 'old')] }),
        handedOver('u2', 3, functionResponse('call_1', 'read_file', 'old')),
        reply('r2', 4, '', { toolCalls: [call(4, 'new')] }),
        handedOver('u3', 5, functionResponse('call_1', 'read_file', 'new')),
      ]),
    )
    expect(await bench.import()).toMatchObject({ messages: 4, requests: 2 })
    const texts = JSON.stringify(await bench.store.sessions.read(SESSION))
    expect([texts.includes('"old"'), texts.includes('"new"')]).toEqual([true, true])
  })

  it('has its todo lists', () => {
    const todos = [
      { description: 'Lift the crate', status: 'completed' },
      { description: 'Lower it', status: 'in_progress' },
    ]
    const writes = writesOf(
      parse([header(), reply('r1', 2, '', { toolCalls: [toolCall('c', 3, 'write_todos', { todos }, 'ok')] })]),
    )
    expect(writes.map(({ entry }) => entry)).toContainEqual(
      expect.objectContaining({
        kind: 'todo',
        items: [
          { text: 'Lift the crate', status: 'completed' },
          { text: 'Lower it', status: 'in_progress' },
        ],
      }),
    )
  })

  it('tells what failed, and shows notices of the program', () => {
    const failed = toolCall('c', 3, 'replace', { file_path: 'a.txt' }, '', {
      status: 'error',
      result: [{ functionResponse: { id: 'c', name: 'replace', response: { error: 'not found' } } }],
    })
    const writes = writesOf(
      parse([
        header(),
        reply('r1', 2, '', { toolCalls: [failed, { id: 'd', name: 'glob', args: {}, status: 'executing' }] }),
        { id: 'e', timestamp: at(4), type: 'error', content: 'The quota is used up.' },
        { id: 'i', timestamp: at(5), type: 'info', content: '' },
      ]),
    )
    expect(writes.map(({ externalId }) => externalId)).toEqual(['r1.c', 'r1.d', 'r1.c.result', 'e'])
    expect(writes[2]?.entry).toMatchObject({
      content: [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'not found' }], isError: true }],
    })
    expect(writes[3]?.entry).toEqual({
      kind: 'notice',
      at: Date.parse(at(4)),
      level: 'error',
      text: 'The quota is used up.',
    })
  })

  it("keeps what hooks handed over apart from the user's words", () => {
    const memory = '<hook_context>&lt;long_term_memory&gt;nine tonnes&lt;/long_term_memory&gt;</hook_context>'
    const writes = writesOf(parse([header(), user('u1', 1, `${memory}\n\nMend it`), user('u2', 2, memory)]))
    expect(writes.map(({ entry }) => entry)).toMatchObject([
      { content: [{ text: `${memory}\n\n` }, { text: 'Mend it' }] },
      { content: [{ text: memory }], origin: 'meta' },
    ])
  })

  it('keeps images, those of a result with it', () => {
    const inlineData = { mimeType: 'image/png', data: 'iVBOR' }
    const writes = writesOf(
      parse([
        header(),
        { id: 'u1', timestamp: at(1), type: 'user', content: [{ text: 'Look' }, { inlineData }] },
        handedOver('u2', 2, functionResponse('c', 'read_file', 'Binary content'), { inlineData }, { text: 'Go on' }),
      ]),
    )
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBOR' }
    expect(writes.map(({ entry }) => ('content' in entry ? entry.content : []))).toEqual([
      [{ type: 'text', text: 'Look' }, image],
      [{ type: 'text', text: 'Go on' }],
      [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'Binary content' }, image] }],
    ])
  })
})

describe('the title', () => {
  it.each([
    [
      'the first request, not a greeting',
      [user('u1', 1, 'hi'), user('u2', 2, 'Mend the crane'), user('u3', 3, 'Now')],
      'Mend the crane',
    ],
    ['a greeting where there is nothing else', [user('u1', 1, 'hi')], 'hi'],
    [
      'what was typed, not what was put into it',
      [user('u1', 1, 'Read @a.txt\n--- a.txt ---\nalpha', { displayContent: [{ text: 'Read @a.txt' }] })],
      'Read @a.txt',
    ],
    [
      "the agent's summary",
      [user('u1', 1, 'Mend it'), { $set: { summary: 'Mending the crane' } }],
      'Mending the crane',
    ],
    [
      'what is not handed over by hooks',
      [user('u1', 1, '', { content: [{ text: '<hook_context>know this</hook_context>' }, { text: 'Mend it' }] })],
      'Mend it',
    ],
  ])('is %s', async (_what, given, title) => {
    bench.write(PATH, linesOf([header(), listOf(0, surroundings(0)), ...given]))
    await bench.import()
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({ title })
  })

  it('of a document is its summary', async () => {
    bench.write(PATH.replace('.jsonl', '.json'), documentOf(documentMessages, { summary: 'Reading a file' }))
    await bench.import()
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({ title: 'Reading a file' })
  })
})

describe('the folder', () => {
  const hash = createHash('sha256').update(FOLDER).digest('hex')
  const projects = JSON.stringify({ projects: { '/home/me/else': 'else', [FOLDER]: 'harbour' } })

  it.each([
    ['the one that projects.json has by name', { '.gemini/projects.json': projects }, header(), FOLDER],
    ['the one that .project_root names', { '.gemini/tmp/harbour/.project_root': `${FOLDER}\n` }, header(), FOLDER],
    [
      'the one with the hash',
      { '.gemini/projects.json': JSON.stringify({ projects: { [FOLDER]: 'renamed' } }) },
      header({ projectHash: hash }),
      FOLDER,
    ],
    ['unknown where nothing names it', { '.gemini/projects.json': 'damaged {' }, header(), null],
  ])('is %s', async (_what, files, first, workspace) => {
    for (const [name, content] of Object.entries(files)) bench.write(name, content)
    bench.write(PATH, linesOf([first, user('u1', 1, 'Mend it')]))
    await bench.import()
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({ workspace })
  })

  it('is told by the chat itself where no file does', async () => {
    bench.write(PATH, linesOf(rows))
    await bench.import()
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({ workspace: FOLDER })
  })
})

describe('tokens', () => {
  it.each([
    ['of cached input are not counted as uncached', { ...TOKENS }, [1_000, 5_001, 51]],
    [
      'of tools are input of their own where the total has them',
      { ...TOKENS, tool: 7, total: 6_059 },
      [1_007, 5_001, 51],
    ],
    ['of tools are in the input where the total has not', { ...TOKENS, tool: 7 }, [1_000, 5_001, 51]],
    ['that are cached are at most the input', { input: 10, output: 3, cached: 20 }, [0, 10, 3]],
    ['without reasoning are the output', { input: 10, output: 3, total: 13 }, [10, 0, 3]],
  ])('%s', (_what, tokens, expected) => {
    const [request] = requestsOf(parse([header(), reply('r1', 1, 'Yes', { tokens })]))
    expect([request?.inputTokens, request?.cacheReadTokens, request?.outputTokens]).toEqual(expected)
    expect(request).toMatchObject({ callId: 'r1', provider: 'google', model: 'gemini-2.5-pro', costState: 'unpriced' })
  })

  it('that are all 0 are of no request', () => {
    expect(
      requestsOf(parse([header(), reply('r1', 1, 'Yes', { tokens: { input: 0, output: 0, cached: 0, total: 0 } })])),
    ).toEqual([])
  })

  it('that are no whole numbers are named, and the reply is kept', async () => {
    bench.write(
      PATH,
      linesOf([
        header(),
        reply('r1', 1, 'Yes', { tokens: { input: -4, output: '9', cached: 1.5 } }),
        reply('r2', 2, 'No'),
      ]),
    )
    const { skipped, messages: count } = await bench.import()
    expect(count).toBe(2)
    expect(skipped).toMatchObject([{ line: 2, reason: expect.stringContaining('no whole number') }])
  })
})

describe("a subagent's chat", () => {
  it('belongs to its session, which keeps its own title', async () => {
    bench.write(PATH, linesOf(rows))
    bench.write(
      `.gemini/tmp/harbour/chats/${CHAT}/${SUBAGENT}.jsonl`,
      linesOf([
        header({ sessionId: SUBAGENT, kind: 'subagent', directories: [FOLDER] }),
        user('s1', 3, 'Look for the file'),
        reply('s2', 4, 'Found.'),
      ]),
    )
    expect(await bench.import()).toMatchObject({ files: 2, sessions: 1, messages: 7, requests: 3 })
    const log = await bench.store.sessions.read(SESSION)
    expect(log.filter((entry) => entry.kind === 'message' && entry.subagent === SUBAGENT)).toHaveLength(2)
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({ title: 'What does a.txt say?', requests: 3 })
  })
})

describe('a damaged chat', () => {
  it('loses only the damaged rows, and tells of a last row that is cut', async () => {
    const text = linesOf([...rows.slice(0, 3), ...rows.slice(6)])
    const cut = text.slice(0, -30)
    const path = bench.write(PATH, cut.replace('{"id":"u1"', 'NOT JSON {"id":"u1"'))
    const first = await bench.import()
    expect(first.skipped).toEqual([
      { file: path, line: 3, reason: 'not valid JSON', count: 1 },
      { file: path, line: 6, reason: 'the last line is incomplete; it is tried again at the next import', count: 1 },
    ])
    expect(await messages()).toHaveLength(3)
    bench.write(PATH, text.replace('{"id":"u1"', 'NOT JSON {"id":"u1"'))
    expect(await bench.import()).toMatchObject({ messages: 1, requests: 1, skipped: [] })
  })

  it('without its header is named by its file', async () => {
    bench.write(PATH, linesOf(rows.slice(2)))
    expect(await bench.import()).toMatchObject({ messages: 4, requests: 2 })
    expect(await messages(`gemini:session-2026-01-02T08-00-${CHAT.slice(0, 8)}`)).toHaveLength(4)
  })

  it('takes a call from the list where its row is lost', async () => {
    bench.write(PATH, linesOf([...rows.filter((_, index) => index !== 6 && index !== 7), ...resumed(20)]))
    await bench.import()
    expect(await messages()).toEqual(
      expect.arrayContaining([`assistant r1.${CALLED}`, `tool r1.${CALLED}.result`, 'assistant r2']),
    )
    expect(await messages()).toHaveLength(5)
  })

  it('as a document that ends early gives what is whole, then the rest', async () => {
    const path = PATH.replace('.jsonl', '.json')
    const text = documentOf(documentMessages)
    bench.write(path, text.slice(0, text.indexOf('It says alpha')))
    expect(await bench.import()).toMatchObject({
      messages: 3,
      skipped: [{ reason: expect.stringContaining('incomplete') }],
    })
    bench.write(path, text)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
  })

  it('may hold any JSON', () => {
    const odd = [
      'x',
      4,
      null,
      [],
      {},
      { id: 7 },
      { $set: null },
      { $set: { messages: [null, 3, {}] } },
      { $rewindTo: 4 },
    ]
    const lines = parse([
      ...odd,
      { id: 'r', type: 'gemini', content: [[], 5, { functionCall: 4 }], toolCalls: [1, {}] },
    ])
    expect(lines.slice(0, 3).map(({ skip }) => skip)).toEqual(Array(3).fill('not a JSON object'))
    expect(lines).toHaveLength(odd.length + 1)
  })
})

describe('where it is found', () => {
  it("in the agent's folder, whose other files are passed over", async () => {
    const home = bench.folder
    bench.write(PATH, linesOf(rows))
    bench.write('.gemini/tmp/harbour/logs.json', '[{"sessionId":"x","message":"hi"}]')
    bench.write('.gemini/tmp/harbour/.project_root', FOLDER)
    bench.write('.gemini/settings.json', '{}')
    expect(await bench.import({ home, from: [] })).toMatchObject({ files: 1, messages: 5, skipped: [] })
    expect(await bench.import({ from: [`${home}/.gemini`] })).toMatchObject({ files: 0, skipped: [] })
  })

  it.each([
    ['rows', 'copy.jsonl', linesOf(rows), 5],
    ['a document', 'copy.json', documentOf(documentMessages), 4],
    ['a document in one line', 'one.json', JSON.stringify(JSON.parse(documentOf(documentMessages))), 4],
  ])('in a copy under another name: %s', async (_form, name, content, count) => {
    const from = [bench.write(name, content)]
    expect(await bench.import({ from })).toMatchObject({ files: 1, messages: count, skipped: [] })
    expect(await bench.import({ from, agent: 'gemini' })).toMatchObject({ files: 0, skipped: [] })
  })
})

describe('an incognito chat', () => {
  const mark = (): void => {
    bench.write('home/.local/share/cairn/incognito.jsonl', incognitoLine({ agent: 'gemini', session: CHAT }, 1))
  }

  it.each([
    ['in rows', 'in/', linesOf(rows), PATH],
    ['in rows whose header is lost', 'in/', linesOf(rows.slice(2)), PATH],
    ['as a document', 'in/', documentOf(documentMessages), PATH.replace('.jsonl', '.json')],
    ['under another name', 'in/', linesOf(rows), 'copy.jsonl'],
    [
      'of a subagent',
      'in/',
      linesOf([header({ sessionId: SUBAGENT, kind: 'subagent' }), user('s', 1, 'Look')]),
      `.gemini/tmp/w/chats/${CHAT}/${SUBAGENT}.jsonl`,
    ],
  ])('leaves nothing: %s', async (_form, folder, content, name) => {
    mark()
    bench.write(`${folder}${name}`, content)
    const report = await bench.import({ from: [`${bench.folder}/in`] })
    expect(report).toMatchObject({ sessions: 0, messages: 0, requests: 0 })
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['incognito'])
    expect((await bench.store.sessions.list({})).total).toBe(0)
  })
})
