import { describe, expect, it } from '@jest/globals'
import { claudeCodeImporter } from './claude-code.ts'
import { parseAll, parserOf, requestsOf, writesOf } from '../testing/parse-lines.ts'

const SESSION = '11111111-2222-3333-4444-555555555555'
const FILE = `/home/me/.claude/projects/-code-app/${SESSION}.jsonl`
const AT = '2026-02-01T10:00:00.000Z'

const base = { sessionId: SESSION, cwd: '/code/app', gitBranch: 'main', timestamp: AT, isSidechain: false }
const user = (text: unknown, more: object = {}) => ({
  ...base,
  type: 'user',
  uuid: `u-${JSON.stringify(text).length}`,
  message: { role: 'user', content: text },
  ...more,
})
const usage = (output: number, more: object = {}) => ({
  input_tokens: 3,
  output_tokens: output,
  cache_read_input_tokens: 50,
  cache_creation_input_tokens: 30,
  ...more,
})
const assistant = (content: unknown, more: object = {}, message: object = {}) => ({
  ...base,
  type: 'assistant',
  uuid: 'a-1',
  requestId: 'req-1',
  message: { id: 'msg-1', role: 'assistant', model: 'claude-opus-4-6', content, usage: usage(2), ...message },
  ...more,
})

const parse = (lines: readonly unknown[], path = FILE) => parseAll(parserOf(claudeCodeImporter, path), lines)

describe('recognising files', () => {
  it.each([
    [FILE, 'transcript'],
    [FILE.replace(/\//g, '\\'), 'transcript'],
    [`${FILE}.gz`, 'transcript'],
    [`/x/projects/-code-app/${SESSION}/subagents/agent-a1.jsonl`, 'transcript'],
    ['/x/projects/-code-app/agent-a1.jsonl', 'transcript'],
    ['/x/projects/-code-app/sessions-index.json', 'sidecar'],
    [`/x/projects/-code-app/${SESSION}/tool-results/b1.txt`, 'sidecar'],
    ['/x/notes.jsonl', 'unknown'],
  ] as const)('%s is %s', (path, kind) => {
    expect(claudeCodeImporter.recognise(path)).toBe(kind)
  })

  it('looks in the configured folders, else in both usual ones', () => {
    const environment = { home: '/home/me', platform: 'linux', variables: {} } as const
    expect(claudeCodeImporter.transcriptFolders(environment)).toEqual([
      '/home/me/.claude/projects',
      '/home/me/.config/claude/projects',
    ])
    expect(
      claudeCodeImporter.transcriptFolders({ ...environment, variables: { CLAUDE_CONFIG_DIR: '/a, /b' } }),
    ).toEqual(['/a/projects', '/b/projects'])
  })
})

describe('messages', () => {
  it('keeps every kind of block', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'text', text: 'hello' },
      { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/a' }, caller: { type: 'direct' } },
      { type: 'redacted_thinking', data: 'xx' },
    ]
    expect(writesOf(parse([assistant(content)]))).toMatchObject([
      {
        externalId: 'a-1',
        visibleCharacters: 'hm'.length + 'hello'.length + 'Read'.length + '{"file_path":"/a"}'.length,
        entry: {
          kind: 'message',
          id: 'a-1',
          at: Date.parse(AT),
          role: 'assistant',
          responseId: 'msg-1',
          model: 'claude-opus-4-6',
          content: [
            { type: 'thinking', text: 'hm', signature: 'sig' },
            { type: 'text', text: 'hello' },
            { type: 'tool_call', id: 't1', name: 'Read', input: { file_path: '/a' } },
            { type: 'other', value: { type: 'redacted_thinking', data: 'xx' } },
          ],
        },
      },
    ])
  })

  it('attributes a message of only tool results to the tool', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const [write] = writesOf(
      parse([
        user([
          {
            type: 'tool_result',
            tool_use_id: 't1',
            is_error: true,
            content: [{ type: 'text', text: 'no' }, image],
          },
        ]),
      ]),
    )
    expect(write?.entry).toMatchObject({
      role: 'tool',
      content: [
        {
          type: 'tool_result',
          callId: 't1',
          isError: true,
          content: [
            { type: 'text', text: 'no' },
            { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          ],
        },
      ],
    })
  })

  it('marks what the program wrote, and carries the mode forward', () => {
    const lines = parse([
      user('plan this', { permissionMode: 'plan' }),
      user('caveat', { isMeta: true }),
      user('summary so far', { isCompactSummary: true }),
      user('go', { permissionMode: 'acceptEdits' }),
      assistant([{ type: 'text', text: 'No response requested.' }], {}, { model: '<synthetic>' }),
    ])
    expect(writesOf(lines).map(({ entry }) => (entry.kind === 'message' ? [entry.mode, entry.origin] : []))).toEqual([
      ['plan', undefined],
      ['plan', 'meta'],
      ['plan', 'summary'],
      ['act', undefined],
      ['act', 'meta'],
    ])
    expect(requestsOf(lines)).toEqual([])
  })

  it('keeps how much thinking a prompt asked for, and notes once that the session was resumed', () => {
    const noted = (thinkingMetadata: object) => user('go', { thinkingMetadata })
    const asked = parse([
      noted({ level: 'high', disabled: false, triggers: [] }),
      noted({ maxThinkingTokens: 31_999 }),
      noted({ maxThinkingTokens: 0 }),
      noted({ level: 'high', disabled: true }),
      user('go'),
      assistant([], { thinkingMetadata: { level: 'high' } }),
    ])
    expect(writesOf(asked).map(({ entry }) => (entry.kind === 'message' ? entry.thinking : null))).toEqual([
      'high',
      '31999',
      'off',
      'off',
      undefined,
      undefined,
    ])
    const hook = (uuid: string, hookName: string) => ({
      ...base,
      type: 'progress',
      uuid,
      toolUseID: 't-1',
      data: { type: 'hook_progress', hookEvent: 'SessionStart', hookName },
    })
    const resumed = parse([
      hook('p-1', 'SessionStart:startup'),
      hook('p-2', 'SessionStart:resume'),
      hook('p-3', 'SessionStart:resume'),
    ])
    const entry = { kind: 'notice', at: Date.parse(AT), level: 'info', text: 'Session resumed' }
    // The storage keeps one of those that have the same id.
    expect(writesOf(resumed)).toEqual([
      { entry, externalId: 'resumed:t-1' },
      { entry, externalId: 'resumed:t-1' },
    ])
  })

  it('converts boundaries to compactions, and reports to notices', () => {
    const system = (subtype: string, more: object) => ({
      ...base,
      type: 'system',
      subtype,
      uuid: subtype,
      ...more,
    })
    const lines = parse([
      system('compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 167045 } }),
      system('microcompact_boundary', { microcompactMetadata: { trigger: 'auto', preTokens: 78208 } }),
      system('api_error', { level: 'error', cause: { code: 'FailedToOpenSocket' } }),
      { type: 'file-history-snapshot', messageId: 'x' },
    ])
    expect(writesOf(lines).map(({ entry }) => entry)).toEqual([
      { kind: 'compaction', at: Date.parse(AT), trigger: 'auto', tokensBefore: 167045 },
      { kind: 'compaction', at: Date.parse(AT), trigger: 'auto', tokensBefore: 78208, partial: true },
      { kind: 'notice', at: Date.parse(AT), level: 'error', text: 'api error: FailedToOpenSocket' },
    ])
  })
})

describe('requests', () => {
  it('splits cache writes by their lifetime; without a split all are of 5 minutes', () => {
    const split = { cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 } }
    const requests = requestsOf(
      parse([assistant([], {}, { usage: usage(2) }), assistant([], {}, { id: 'msg-2', usage: usage(7, split) })]),
    )
    expect(requests).toMatchObject([
      {
        callId: 'msg-1',
        inputTokens: 3,
        cacheReadTokens: 50,
        cacheWrite5mTokens: 30,
        cacheWrite1hTokens: 0,
        outputTokens: 2,
        workspace: '/code/app',
        branch: 'main',
        costState: 'unpriced',
      },
      { callId: 'msg-2', cacheWrite5mTokens: 10, cacheWrite1hTokens: 20, outputTokens: 7 },
    ])
  })

  it('identifies a call by its message, else its request, else its line', () => {
    const requests = requestsOf(
      parse([assistant([], {}, { id: undefined }), assistant([], { requestId: undefined }, { id: undefined })]),
    )
    expect(requests.map(({ callId }) => callId)).toEqual(['req-1', 'a-1'])
  })
})

describe('subagents', () => {
  const inner = {
    type: 'assistant',
    uuid: 'sub-1',
    timestamp: AT,
    requestId: 'req-9',
    message: {
      id: 'msg-9',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text: 'x' }],
      usage: usage(1),
    },
  }
  const progress = {
    ...base,
    type: 'progress',
    uuid: 'p-1',
    data: { type: 'agent_progress', agentId: 'a1', message: inner },
  }
  const own = { ...base, ...inner, isSidechain: true, agentId: 'a1' }

  it("reads the same message from a progress line and the subagent's own file, in the parent's session", () => {
    const [fromProgress] = parse([progress])
    for (const path of [`/x/projects/p/${SESSION}/subagents/agent-a1.jsonl`, '/x/projects/p/agent-a1.jsonl']) {
      const [fromFile] = parse([own], path)
      expect(fromFile?.session?.id).toBe(`claude-code:${SESSION}`)
      expect(fromFile?.entries).toEqual(fromProgress?.entries)
    }
    expect(fromProgress?.entries).toMatchObject([
      {
        externalId: 'sub-1',
        entry: { subagent: 'a1', role: 'assistant' },
        request: { callId: 'msg-9', subagent: 'a1' },
      },
    ])
  })

  it('ignores other progress lines', () => {
    expect(writesOf(parse([{ ...base, type: 'progress', data: { type: 'bash_progress' } }]))).toEqual([])
  })
})

describe('the session', () => {
  it('takes its title from the first text the user typed, until a better one comes', () => {
    const titles = parse([
      user('<command-name>/clear</command-name>'),
      user('Caveat: generated', { isMeta: true }),
      user([{ type: 'text', text: `  Fix\n the   ${'very '.repeat(30)}long thing` }]),
      user('more'),
      { type: 'summary', summary: 'Fixed it', leafUuid: 'x' },
      { type: 'ai-title', sessionId: SESSION, aiTitle: 'Better' },
      { type: 'summary', summary: 'Worse', leafUuid: 'x' },
    ]).flatMap(({ session }) => session?.title ?? [])
    expect(titles).toEqual([expect.stringMatching(/^Fix the (very )+v…$/), 'Fixed it', 'Better'])
    expect(titles[0]?.length).toBeLessThanOrEqual(80)
  })

  it('is not created for a file of only summaries and snapshots; their title goes to the next session', () => {
    const summary = { type: 'summary', summary: 'Earlier', leafUuid: 'x' }
    expect(
      parse([summary, { type: 'file-history-snapshot', messageId: 'y' }]).every(({ session }) => session === undefined),
    ).toBe(true)
    expect(parse([summary, user('hello')]).at(-1)?.session).toMatchObject({
      id: `claude-code:${SESSION}`,
      title: 'Earlier',
    })
  })

  it('attributes work trees to their repository, and keeps its first workspace', () => {
    const lines = parse([
      user('a', { cwd: '/code/app/.worktrees/fix' }),
      assistant([], { cwd: '/code/app/web' }),
      assistant([], { cwd: '/other' }),
    ])
    expect(lines.map(({ session }) => session?.workspace)).toEqual(['/code/app', '/code/app', '/code/app'])
    expect(requestsOf(lines).map(({ workspace }) => workspace)).toEqual(['/code/app', '/other'])
  })

  it('belongs to the file whose lines name none', () => {
    expect(parse([user('hi', { sessionId: undefined })])[0]?.session?.externalId).toBe(SESSION)
  })

  it('resumes from its state as if the file had been read at once', () => {
    const lines = [
      user('first', { permissionMode: 'plan' }),
      assistant([{ type: 'text', text: 'x' }]),
      user('second'),
      { type: 'summary', summary: 'S', leafUuid: 'x' },
      assistant([], { cwd: '/code/app/web' }),
    ]
    const whole = parse(lines)
    for (let cut = 0; cut <= lines.length; cut++) {
      const before = parserOf(claudeCodeImporter, FILE)
      const head = parseAll(before, lines.slice(0, cut))
      const state = JSON.parse(JSON.stringify(before.state())) as ReturnType<typeof before.state>
      const tail = parseAll(parserOf(claudeCodeImporter, FILE, { state }), lines.slice(cut), cut + 1)
      expect([...head, ...tail]).toEqual(whole)
    }
  })
})

describe('invalid token counts', () => {
  it.each([['1000'], [-5], [1e300], [1.5], [true], [[1]]])('%j is reported, and the request still counts', (count) => {
    const parsed = parserOf(claudeCodeImporter, FILE).parse(
      assistant('x', {}, { usage: usage(2, { input_tokens: count }) }) as never,
      { number: 1, identity: () => 'h' },
    )
    expect(parsed.skip).toMatch(/token count/)
    expect(parsed.entries[0]?.request?.inputTokens).toBe(count === 1.5 ? 1 : 0)
  })

  it('records which results a boundary cleared, and does not apply a subagent’s compaction to the main conversation', () => {
    const boundary = (uuid: string, subtype: string, more: object) => ({
      ...base,
      type: 'system',
      subtype,
      uuid,
      ...more,
    })
    const lines = parse([
      boundary('a', 'microcompact_boundary', {
        microcompactMetadata: { trigger: 'auto', tokensSaved: 21_294, compactedToolIds: ['c1', 2, 'c3'] },
      }),
      boundary('b', 'compact_boundary', { agentId: 'helper', content: 'Conversation compacted', compactMetadata: {} }),
    ])
    expect(writesOf(lines).map(({ entry }) => entry)).toEqual([
      {
        kind: 'compaction',
        at: Date.parse(AT),
        trigger: 'auto',
        partial: true,
        tokensCleared: 21_294,
        cleared: ['c1', 'c3'],
      },
      { kind: 'notice', at: Date.parse(AT), level: 'info', text: 'Conversation compacted' },
    ])
  })
})
