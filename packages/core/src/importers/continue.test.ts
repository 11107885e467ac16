import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { incognitoLine } from '../incognito/incognito-record.ts'
import { modelHistory } from '../session/model-history.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { parseAll, parserOf, requestsOf, writesOf } from '../testing/parse-lines.ts'
import { continueImporter } from './continue.ts'

const ID = '85fd5479-c9c3-4a7e-9924-c7979f0105ae'
const SESSION = `continue:${ID}`
const PATH = `.continue/sessions/${ID}.json`
const CREATED = 1_767_340_800_000

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const user = (content: unknown, more: object = {}): object => ({
  message: { role: 'user', content },
  contextItems: [],
  ...more,
})
const USAGE = {
  prompt_tokens: 6_011,
  completion_tokens: 61,
  total_tokens: 6_072,
  prompt_tokens_details: { cached_tokens: 5_011 },
  completion_tokens_details: { reasoning_tokens: 10 },
  model: 'gpt-5',
  cost_cents: 1,
}
const reply = (content: string, usage: object = USAGE, more: object = {}): object => ({
  message: { role: 'assistant', content, usage },
  contextItems: [],
  ...more,
})
const call = (id: string, name: string, args: object): object => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})
const calling = (id: string, name: string, args: object, state: object = {}): object => ({
  message: {
    role: 'assistant',
    content: '',
    toolCalls: [call(id, name, args)],
    usage: { ...USAGE, completion_tokens: 30 },
  },
  contextItems: [],
  toolCallStates: [{ toolCallId: id, toolCall: call(id, name, args), status: 'generated', parsedArgs: args, ...state }],
})
const done = (text: string): object => ({
  status: 'done',
  output: [{ content: text, name: 'Tool Result: Read', description: 'Tool execution result' }],
})

const document = (history: readonly object[], more: object = {}): string =>
  JSON.stringify(
    {
      sessionId: ID,
      title: 'Untitled Session',
      workspaceDirectory: '/home/me/harbour',
      history,
      usage: { totalCost: 0.006, promptTokens: 6_011, completionTokens: 61, promptTokensDetails: { cachedTokens: 0 } },
      ...more,
    },
    null,
    2,
  )
const HISTORY = [
  user('What does a.txt say?'),
  calling('call_1', 'Read', { filepath: 'a.txt' }, done('alpha')),
  reply('It says alpha.'),
]

const texts = async (): Promise<readonly string[]> =>
  (await bench.store.sessions.read(SESSION)).flatMap((entry) =>
    entry.kind === 'message'
      ? [`${entry.role}: ${entry.content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' ')}`]
      : [],
  )

describe('a session', () => {
  it('gives messages, calls with results, requests by class, title and folder', async () => {
    bench.write(PATH, document(HISTORY))
    bench.write(
      '.continue/sessions/sessions.json',
      JSON.stringify([
        { sessionId: ID, title: 'x', dateCreated: String(CREATED), workspaceDirectory: '/home/me/harbour' },
      ]),
    )
    expect(await bench.import()).toMatchObject({ files: 1, sessions: 1, messages: 4, requests: 2, skipped: [] })
    expect(await texts()).toEqual([
      'user: What does a.txt say?',
      'assistant: tool_call',
      'tool: tool_result',
      'assistant: It says alpha.',
    ])
    const log = await bench.store.sessions.read(SESSION)
    expect(log[1]).toMatchObject({
      at: null,
      model: 'gpt-5',
      content: [{ type: 'tool_call', id: 'call_1', name: 'Read', input: '{"filepath":"a.txt"}' }],
    })
    expect(log[2]).toMatchObject({ content: [{ callId: 'call_1', content: [{ type: 'text', text: 'alpha' }] }] })
    expect(await bench.store.sessions.get(SESSION)).toMatchObject({
      agent: 'continue',
      workspace: '/home/me/harbour',
      title: 'What does a.txt say?',
      startedAt: CREATED,
    })
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total).toMatchObject({
      requests: 2,
      inputTokens: 2_000,
      cacheReadTokens: 10_022,
      outputTokens: 91,
      reasoningTokens: 20,
      recordedCostNano: 0n,
    })
  })

  it('is taken in as it grows, and nothing twice', async () => {
    const stages = [
      HISTORY.slice(0, 1),
      [...HISTORY.slice(0, 1), calling('call_1', 'Read', { filepath: 'a.txt' })],
      HISTORY.slice(0, 2),
      HISTORY,
      // Twice the same words, and the same answer.
      [...HISTORY, user('go on'), reply('Done.'), user('go on'), reply('Done.')],
    ]
    const counts: number[] = []
    for (const stage of stages) {
      bench.write(PATH, document(stage))
      counts.push((await bench.import()).messages)
    }
    expect(counts).toEqual([1, 1, 1, 1, 4])
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0, requests: 0 })
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total.requests).toBe(4)
  })

  it('that was summarised goes on after its summary', async () => {
    bench.write(PATH, document([...HISTORY, user('go on'), reply('Done.')]))
    await bench.import()
    const summary = reply(
      'They read a.txt.',
      { ...USAGE, completion_tokens: 7 },
      { conversationSummary: 'They read a.txt.' },
    )
    bench.write(PATH, document([summary, user('go on'), reply('Done.')]))
    expect(await bench.import()).toMatchObject({ messages: 3, requests: 2 })
    const log = await bench.store.sessions.read(SESSION)
    expect(log.filter(({ kind }) => kind === 'compaction')).toHaveLength(1)
    expect(modelHistory(log).map(({ content }) => content)).toMatchObject([
      [{ text: 'They read a.txt.' }],
      [{ text: 'go on' }],
      [{ text: 'Done.' }],
    ])
    expect(log).toContainEqual(expect.objectContaining({ origin: 'summary', role: 'assistant' }))
  })

  it('of an editor has what was attached, reasoning, and the summary beside a message', () => {
    const context = { session: ID, workspaceDirectory: 'file:///c%3A/my%20work', mode: 'agent', title: 'Reading files' }
    const lines = parseAll(parserOf(continueImporter, `/home/me/${PATH}`, { context }), [
      user(
        [
          { type: 'text', text: 'Look' },
          { type: 'imageUrl', imageUrl: { url: 'data:image/png;base64,iVBOR' } },
        ],
        {
          contextItems: [{ name: 'a.ts', content: 'let a', uri: { type: 'file', value: 'file:///w/a.ts' } }],
        },
      ),
      reply(
        'Seen.',
        { promptTokens: 10, completionTokens: 3 },
        { reasoning: { active: false, text: 'An image' }, conversationSummary: 'They looked.' },
      ),
      { message: { role: 'thinking', content: 'Hm' } },
      { message: { role: 'tool', content: 'beta', toolCallId: 'c' } },
    ])
    expect(lines[0]?.session).toMatchObject({ workspace: 'c:/my work', title: 'Reading files' })
    const entries = writesOf(lines).map(({ entry }) => entry)
    expect(entries).toMatchObject([
      {
        mode: 'agent',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', mediaType: 'image/png', data: 'iVBOR' },
          { type: 'file', path: '/w/a.ts', text: 'let a' },
        ],
      },
      {
        content: [
          { type: 'thinking', text: 'An image' },
          { type: 'text', text: 'Seen.' },
        ],
      },
      { kind: 'compaction' },
      { origin: 'summary', content: [{ text: 'They looked.' }] },
      { role: 'assistant', content: [{ type: 'thinking', text: 'Hm' }] },
      { role: 'tool', content: [{ callId: 'c', content: [{ text: 'beta' }] }] },
    ])
    expect(requestsOf(lines)).toMatchObject([{ inputTokens: 10, outputTokens: 3, mode: 'agent', model: 'unknown' }])
  })

  it.each([
    ['errored', { status: 'errored', output: [{ content: 'no such file' }] }, [{ type: 'text', text: 'no such file' }]],
    ['canceled', { status: 'canceled' }, []],
  ])('tells that a call was %s', (_status, state, content) => {
    const [, , result] = writesOf(
      parseAll(parserOf(continueImporter, `/x/${PATH}`), [user('Go'), calling('c', 'Read', {}, state)]),
    )
    expect(result?.entry).toMatchObject({ content: [{ type: 'tool_result', callId: 'c', content, isError: true }] })
  })
})

describe('tokens', () => {
  const details = (read: number, written: number): object => ({
    cache_read_tokens: read,
    cached_tokens: read,
    cache_write_tokens: written,
  })

  it.each([
    ["in OpenAI's form: the cache is part of the prompt", USAGE, [1_000, 5_011, 0, 61]],
    [
      "in Anthropic's: it is not",
      { prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: details(300, 20), model: 'claude-sonnet-4-5' },
      [900, 300, 20, 5],
    ],
    [
      'whoever the model is of, where the cache is more than the prompt',
      { prompt_tokens: 12, completion_tokens: 5, prompt_tokens_details: details(300, 20), model: 'my-model' },
      [12, 300, 20, 5],
    ],
    [
      'of another model with all counts',
      { prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: details(300, 20), model: 'gpt-5' },
      [580, 300, 20, 5],
    ],
  ])('%s', (_what, usage, expected) => {
    const [request] = requestsOf(parseAll(parserOf(continueImporter, `/x/${PATH}`), [user('Go'), reply('Gone', usage)]))
    expect([
      request?.inputTokens,
      request?.cacheReadTokens,
      request?.cacheWrite5mTokens,
      request?.outputTokens,
    ]).toEqual(expected)
  })

  it('of equal sessions are counted for each', async () => {
    bench.write(PATH, document(HISTORY))
    const other = ID.replace('8', '9')
    bench.write(PATH.replace(ID, other), document(HISTORY).replace(ID, other))
    expect(await bench.import()).toMatchObject({ sessions: 2, requests: 4 })
  })
})

describe('a damaged session', () => {
  it('that ends early gives what is whole, then the rest', async () => {
    const text = document(HISTORY)
    bench.write(PATH, text.slice(0, text.indexOf('It says')))
    expect(await bench.import()).toMatchObject({
      messages: 3,
      skipped: [{ reason: expect.stringContaining('incomplete') }],
    })
    bench.write(PATH, text)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
  })

  it('loses only what is no message, and names odd counts', async () => {
    const history = [
      { message: null },
      user('Go'),
      5 as unknown as object,
      reply('Gone', { prompt_tokens: -4, completion_tokens: 3 }),
    ]
    const file = bench.write(PATH, document(history))
    expect(await bench.import()).toMatchObject({
      messages: 2,
      requests: 1,
      skipped: [
        { file, line: 1, reason: 'not a message of a history' },
        { file, line: 3, reason: 'not a message of a history' },
        { file, line: 4, reason: expect.stringContaining('no whole number') },
      ],
    })
  })
})

describe('where it is found', () => {
  it("in the agent's folder, whose other files are passed over", async () => {
    bench.write(PATH, document(HISTORY))
    bench.write('.continue/sessions/sessions.json', '[]')
    bench.write('.continue/config.json', '{"models":[]}')
    expect(await bench.import({ home: bench.folder, from: [] })).toMatchObject({ files: 1, messages: 4, skipped: [] })
    expect(await bench.import({ from: [`${bench.folder}/.continue`] })).toMatchObject({ files: 0, skipped: [] })
  })

  it.each([
    ['with line ends', 'copy.json', document(HISTORY)],
    ['in one line', 'one.json', JSON.stringify(JSON.parse(document(HISTORY)))],
  ])('in a copy under another name: %s', async (_form, name, content) => {
    expect(await bench.import({ from: [bench.write(name, content)] })).toMatchObject({
      files: 1,
      messages: 4,
      skipped: [],
    })
  })

  it('not where it is incognito', async () => {
    bench.write('home/.local/share/cairn/incognito.jsonl', incognitoLine({ agent: 'continue', session: ID }, 1))
    bench.write(`in/${PATH}`, document(HISTORY))
    bench.write('in/copy.json', document(HISTORY))
    const { skipped, sessions } = await bench.import({ from: [`${bench.folder}/in`] })
    expect([sessions, skipped.map(({ reason }) => reason)]).toEqual([0, ['incognito', 'incognito']])
  })
})
