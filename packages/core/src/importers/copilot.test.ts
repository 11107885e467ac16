import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { parseAll, parserOf, writesOf } from '../testing/parse-lines.ts'
import { event, ID, reply, start, user } from './copilot.fixture.ts'
import { copilotImporter } from './copilot.ts'

const PATH = `/home/me/.copilot/session-state/${ID}/events.jsonl`
const parse = (lines: readonly object[], context: object = {}) =>
  parseAll(parserOf(copilotImporter, PATH, { context: { ...context } }), lines)
const factsAfter = (lines: readonly object[], context: object = {}) =>
  parse(lines, context).reduce((facts, { session }) => ({ ...facts, ...session }), {})

describe('Copilot CLI', () => {
  it('maps messages with their reasoning, calls and results', () => {
    const lines = parse([
      start(),
      user('Fix the sums', {
        agentMode: 'plan',
        transformedContent: '<current_datetime>now</current_datetime>\n\nFix the sums',
        attachments: [
          { type: 'file', displayName: 'sum.ts', path: '/code/app/sum.ts' },
          { type: 'selection', filePath: '/code/app/b.ts', displayName: 'b', text: 'const b = 2' },
          { type: 'blob', mimeType: 'image/png', data: 'aGk=' },
          { type: 'github_url', url: 'https://example.org/1' },
        ],
      }),
      reply('a1', {
        content: 'I look.',
        reasoningText: 'The sum is off.',
        reasoningOpaque: 'seal',
        toolRequests: [
          { toolCallId: 'c1', name: 'view', arguments: { path: '/code/app/sum.ts' } },
          { toolCallId: 'c2', name: 'bash', arguments: { command: 'false' } },
        ],
        serverTools: { provider: 'anthropic', items: [1] },
      }),
      event('tool.execution_start', { toolCallId: 'c1', toolName: 'view' }),
      event('tool.execution_complete', {
        toolCallId: 'c1',
        success: true,
        result: {
          content: 'one\ntwo',
          detailedContent: 'diff',
          binaryResultsForLlm: [
            { type: 'image', mimeType: 'image/png', data: 'aGk=' },
            { type: 'image', mimeType: 'image/png', byteLength: 9, omittedReason: 'too_large' },
          ],
        },
      }),
      event('tool.execution_complete', { toolCallId: 'c2', success: false, error: { message: 'exit 1' } }),
    ])
    expect(writesOf(lines).map(({ entry }) => entry)).toMatchObject([
      {
        kind: 'message',
        role: 'user',
        mode: 'plan',
        content: [
          { type: 'text', text: 'Fix the sums' },
          { type: 'file', path: '/code/app/sum.ts' },
          { type: 'file', path: '/code/app/b.ts', text: 'const b = 2' },
          { type: 'image', mediaType: 'image/png', data: 'aGk=' },
          { type: 'other', value: { type: 'github_url' } },
        ],
      },
      {
        kind: 'message',
        role: 'assistant',
        model: 'gpt-5.4',
        content: [
          { type: 'thinking', text: 'The sum is off.', signature: 'seal' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_call', id: 'c1', name: 'view', input: { path: '/code/app/sum.ts' } },
          { type: 'tool_call', id: 'c2', name: 'bash' },
          { type: 'other', value: { provider: 'anthropic' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            callId: 'c1',
            content: [
              { type: 'text', text: 'one\ntwo' },
              { type: 'image', data: 'aGk=' },
            ],
          },
        ],
      },
      { role: 'tool', content: [{ callId: 'c2', isError: true, content: [{ text: 'exit 1' }] }] },
    ])
  })

  it('tells what a person wrote from what the program sent', () => {
    const entries = writesOf(
      parse([
        start(),
        event('system.message', { role: 'system', content: 'You are an agent.' }),
        event('system.message', { role: 'developer', content: 'Answer briefly.' }),
        user('<skill>', { source: 'skill-pdf' }),
        user('Continue', { isAutopilotContinuation: true }),
        user('Hello there', { source: 'user' }),
        event('system.notification', { content: '<system_notification>\ndone\n</system_notification>' }),
        event('tool.user_requested', { toolCallId: 'u1', toolName: 'bash', arguments: { command: 'git status' } }),
        event('tool.execution_complete', { toolCallId: 'u1', success: true, result: { content: 'clean' } }),
        user(''),
      ]),
    ).flatMap(({ entry }) => (entry.kind === 'message' ? [entry] : []))
    expect(entries.map(({ role, origin, content }) => [role, origin, content])).toEqual([
      ['system', 'meta', [{ type: 'text', text: 'Answer briefly.' }]],
      ['user', 'meta', [{ type: 'text', text: '<skill>' }]],
      ['user', 'meta', [{ type: 'text', text: 'Continue' }]],
      ['user', undefined, [{ type: 'text', text: 'Hello there' }]],
      ['user', 'meta', [{ type: 'text', text: expect.stringContaining('done') }]],
      ['user', 'meta', [{ type: 'text', text: '$ git status' }]],
      ['user', 'meta', [{ type: 'text', text: 'clean' }]],
    ])
  })

  it('keeps compactions with their summaries, errors, and what the user changed', () => {
    const entries = writesOf(
      parse([
        start(),
        event('session.model_change', { newModel: 'claude-sonnet-4.6', previousModel: 'gpt-5.4' }),
        event('session.compaction_start', {}),
        event('session.compaction_complete', { success: false, error: 'no answer' }),
        event('session.compaction_complete', {
          success: true,
          preCompactionTokens: 90_000,
          summaryContent: 'So far',
          trigger: 'manual',
        }),
        event('session.truncation', { messagesRemovedDuringTruncation: 4, tokensRemovedDuringTruncation: 800 }),
        event('session.error', { errorType: 'query', message: 'no such host' }),
        event('session.context_cleared', { messagesCleared: 7 }),
      ]),
    ).map(({ entry }) => entry)
    expect(entries).toMatchObject([
      { kind: 'model', model: 'claude-sonnet-4.6' },
      { kind: 'notice', level: 'warning', text: 'no answer' },
      { kind: 'compaction', trigger: 'manual', tokensBefore: 90_000 },
      { kind: 'message', role: 'user', origin: 'summary', content: [{ text: 'So far' }] },
      { kind: 'notice', level: 'info', text: '4 messages with 800 tokens were left out of the context' },
      { kind: 'notice', level: 'error', text: 'no such host' },
      { kind: 'compaction', trigger: 'manual' },
    ])
  })

  it('counts a subagent to its session, whichever way its events name it', () => {
    const lines = parse([
      start(),
      user('Look', {}, { agentId: 'main' }),
      event('subagent.started', { toolCallId: 'c1', agentName: 'explore' }, { agentId: 'agent-7' }),
      user('Find it', { source: 'agent-main' }, { agentId: 'agent-7' }),
      reply('a1', { content: 'found', parentToolCallId: 'c1' }),
      reply('a2', { content: 'found' }, { agentId: 'agent-7' }),
      event('session.compaction_complete', { success: true, summaryContent: 'S' }, { agentId: 'agent-7' }),
      event('subagent.failed', { error: 'it broke' }, { agentId: 'agent-7' }),
    ])
    const entries = writesOf(lines)
    expect(entries.map(({ entry }) => [entry.kind, entry.kind === 'message' ? entry.subagent : ''])).toEqual([
      ['message', undefined],
      ['message', 'agent-7'],
      ['message', 'c1'],
      ['message', 'agent-7'],
      ['message', 'agent-7'],
      ['notice', ''],
    ])
    expect(entries.map(({ request }) => request?.subagent)).toEqual([
      undefined,
      undefined,
      'c1',
      'agent-7',
      undefined,
      undefined,
    ])
    expect(new Set(lines.flatMap(({ session }) => (session === undefined ? [] : [session.id])))).toEqual(
      new Set([`copilot:${ID}`]),
    )
  })

  it('takes the todo list that a call writes', () => {
    const entries = writesOf(
      parse([
        start(),
        reply('a1', {
          toolRequests: [
            { toolCallId: 'c', name: 'update_todo', arguments: { todos: '- [x] Read it\n- [ ] Mend it' } },
          ],
        }),
      ]),
    )
    expect(entries.at(-1)?.entry).toMatchObject({
      kind: 'todo',
      items: [
        { text: 'Read it', status: 'completed' },
        { text: 'Mend it', status: 'pending' },
      ],
    })
  })
})

describe('a session of Copilot CLI', () => {
  it('has the repository, the branch and the model, and follows them', () => {
    const lines = [
      start({ context: { cwd: '/code/app/src', gitRoot: '/code/app', branch: 'main' } }),
      user('Fix the sums'),
      event('session.context_changed', { cwd: '/code/lib', gitRoot: '/code/lib', branch: 'fix' }),
      event('session.context_changed', { cwd: '/code/x', branch: 'x' }, { agentId: 'agent-7' }),
      event('session.model_change', { newModel: 'gpt-5-mini' }, { agentId: 'agent-7' }),
      event('session.mode_changed', { previousMode: 'interactive', newMode: 'autopilot' }),
      reply('a1', { model: undefined }),
    ]
    expect(factsAfter(lines)).toEqual({
      id: `copilot:${ID}`,
      agent: 'copilot',
      externalId: ID,
      workspace: '/code/app',
      branch: 'fix',
      title: 'Fix the sums',
    })
    expect(writesOf(parse(lines)).at(-1)?.request).toMatchObject({
      model: 'gpt-5.4',
      mode: 'autopilot',
      workspace: '/code/lib',
      branch: 'fix',
    })
  })

  it('has the folder as Windows writes it', () => {
    const context = { cwd: 'C:\\code\\app\\src', gitRoot: 'C:/code/app', branch: 'main' }
    expect(factsAfter([start({ context }), user('hi')])).toMatchObject({ workspace: 'C:\\code\\app' })
  })

  it('has what workspace.yaml tells where its beginning is lost', () => {
    expect(
      factsAfter([user('Fix the sums')], { folder: '/code/app/src', repository: '/code/app', branch: 'fix' }),
    ).toMatchObject({ externalId: ID, workspace: '/code/app', branch: 'fix', title: 'Fix the sums' })
  })

  it.each([
    ['the first request', {}, 'Fix the sums of the table'],
    ['a name that was made for it', { name: 'Table sums' }, 'Table sums'],
    ['the first request where its name is a greeting', { name: 'hi' }, 'Fix the sums of the table'],
    ["the user's own name", { name: 'Mine', isUserNamed: true }, 'Mine'],
  ])('is called by %s', (_what, context, title) => {
    const lines = [start(), user('hi'), user('Fix the sums of the table'), user('And the rest')]
    expect(factsAfter(lines, context)).toMatchObject({ title })
  })

  it('is called by the request in full where its name is the beginning of it', () => {
    const lines = [start(), user('Fix the sums of the table'), user('And the rest')]
    expect(factsAfter(lines, { name: 'Fix the sums…' })).toMatchObject({ title: 'Fix the sums of the table' })
  })

  it("takes the user's own name once, so that another one that it is given here stays", () => {
    const context = { name: 'Mine', isUserNamed: true }
    const first = parserOf(copilotImporter, PATH, { context })
    parseAll(first, [start(), user('Fix the sums')])
    const again = parserOf(copilotImporter, PATH, { context, state: first.state() })
    expect(parseAll(again, [user('And the rest')])[0]?.session).not.toHaveProperty('title')
    const renamed = parserOf(copilotImporter, PATH, { context: { ...context, name: 'New' }, state: first.state() })
    expect(parseAll(renamed, [user('And the rest')])[0]?.session).toMatchObject({ title: 'New' })
  })

  it('that was forked names the one that it comes from', () => {
    const parent = '99999999-0000-4000-8000-000000000009'
    expect(factsAfter([start({ sessionId: parent }), user('hi')])).toMatchObject({
      externalId: ID,
      forkedFrom: `copilot:${parent}`,
    })
  })

  it('is the same wherever its import was interrupted', () => {
    const lines = [
      start(),
      user('Fix the sums'),
      event('tool.user_requested', { toolCallId: 'u1', toolName: 'bash', arguments: { command: 'ls' } }),
      event('session.mode_changed', { newMode: 'plan' }),
      reply('a1', { outputTokens: 5 }),
      event('tool.execution_complete', { toolCallId: 'u1', success: true, result: { content: 'x' } }),
      reply('a2', { outputTokens: 7 }),
      event('session.shutdown', {
        modelMetrics: { 'gpt-5.4': { requests: { count: 2 }, usage: { inputTokens: 31 } } },
      }),
    ]
    const whole = parse(lines)
    for (let cut = 1; cut < lines.length; cut++) {
      const first = parserOf(copilotImporter, PATH)
      const before = parseAll(first, lines.slice(0, cut))
      const state: unknown = JSON.parse(JSON.stringify(first.state()))
      const rest = parserOf(copilotImporter, PATH, { state: state as never })
      const after = parseAll(rest, lines.slice(cut), cut + 1)
      expect(writesOf([...before, ...after])).toEqual(writesOf(whole))
    }
  })
})

describe("the import of Copilot CLI's folder", () => {
  let bench: Workbench
  beforeEach(() => {
    bench = createWorkbench()
  })
  afterEach(() => bench.end())

  const text = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const folder = `home/.copilot/session-state/${ID}`

  it('reads the events, what is beside them for their facts, and nothing else', async () => {
    bench.write(`${folder}/events.jsonl`, text(start({ context: undefined }), user('Fix the sums')))
    bench.write(`${folder}/workspace.yaml`, 'id: x\ncwd: /code/app\nbranch: fix\nname: Sums\nuser_named: true\n')
    bench.write(`${folder}/files/kept.jsonl`, text(user('a file of the session')))
    bench.write(`${folder}/checkpoints/index.md`, '# none\n')
    bench.write('home/.copilot/session-state/22222222-0000-4000-8000-000000000002.jsonl', text(user('early')))
    const report = await bench.import({ home: `${bench.folder}/home`, agent: 'copilot' })
    expect(report).toMatchObject({ files: 2, sessions: 2, messages: 2, skipped: [] })
    const { sessions } = await bench.store.sessions.list({ agent: 'copilot' })
    expect(sessions.find(({ externalId }) => externalId === ID)).toMatchObject({
      workspace: '/code/app',
      branch: 'fix',
      title: 'Sums',
    })
    expect(await bench.import({ from: [bench.folder] })).toMatchObject({ files: 0, messages: 0, skipped: [] })
  })

  it('takes in only what is new, and a line that is cut only when it is whole', async () => {
    const first = text(start(), user('one'), reply('a1', { content: 'two', outputTokens: 3 }))
    const last = JSON.stringify(user('three'))
    const path = bench.write(`${folder}/events.jsonl`, first + last.slice(0, 40))
    const open = { file: path, line: 4, reason: 'the last line is incomplete; it is tried again at the next import' }
    expect(await bench.import()).toMatchObject({ messages: 2, requests: 1, skipped: [open] })
    bench.write(`${folder}/events.jsonl`, `${first + last}\n`)
    expect(await bench.import()).toMatchObject({ sessions: 0, messages: 1, requests: 0, skipped: [] })
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0, requests: 0 })
    expect(await bench.texts(`copilot:${ID}`)).toEqual(['one', 'two', 'three'])
  })

  it('names a damaged line and takes the others', async () => {
    const path = bench.write(
      `${folder}/events.jsonl`,
      `${text(user('one'))}{"type":"user.mess\n[1]\n${text(event('user.message', {}), user('two'))}`,
    )
    expect(await bench.import()).toMatchObject({
      messages: 2,
      skipped: [
        { file: path, line: 2, reason: 'not valid JSON' },
        { file: path, line: 3, reason: 'not a JSON object' },
      ],
    })
    expect((await bench.store.sessions.list({})).sessions).toMatchObject([{ id: `copilot:${ID}`, title: 'one' }])
  })

  it('recognises a copy by its lines, and moves with COPILOT_HOME', async () => {
    bench.write('copy/a.jsonl', text(start(), user('one')))
    expect(await bench.import({ from: [`${bench.folder}/copy`] })).toMatchObject({ sessions: 1, messages: 1 })
    const environment = { home: '/home/me', platform: 'linux', variables: { COPILOT_HOME: '/elsewhere' } } as const
    expect(copilotImporter.transcriptFolders(environment)).toEqual(['/elsewhere/session-state'])
  })

  it('leaves out a session that is incognito', async () => {
    bench.write(`${folder}/events.jsonl`, text(start(), user('a secret')))
    bench.write('home/.local/share/cairn/incognito.jsonl', `{"agent":"copilot","session":"${ID}"}\n`)
    const report = await bench.import({ home: `${bench.folder}/home` })
    expect(report).toMatchObject({ sessions: 0, messages: 0, skipped: [{ reason: 'incognito' }] })
  })
})
