import { describe, expect, it } from '@jest/globals'
import { createHasher } from '../node/hasher.ts'
import { createInMemoryFileSystem } from '../testing/index.ts'
import { readTranscript, type Transcript } from './read-transcript.ts'

const AT = '2026-01-31T08:00:00.000Z'
const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('')
const read = (text: string, path = '/logs/talk.jsonl'): Promise<Transcript> =>
  readTranscript(path, { fileSystem: createInMemoryFileSystem({ [path]: text }), hasher: createHasher() })
const kinds = ({ sessions }: Transcript): string[] =>
  (sessions[0]?.entries ?? []).map((entry) => (entry.kind === 'message' ? entry.role : entry.kind))

const claude = (uuid: string, message: object, more: object = {}) => ({
  type: 'role' in message ? message.role : '',
  uuid,
  sessionId: 's1',
  timestamp: AT,
  cwd: '/code/app',
  message,
  ...more,
})
const usage = { input_tokens: 1, output_tokens: 7 }

describe('a transcript', () => {
  it('of Claude Code has entries with their lines and requests, each once', async () => {
    const found = await read(
      lines(
        { type: 'summary', summary: 'A talk' },
        claude('u1', { role: 'user', content: 'hello' }),
        '',
        '{"broken',
        claude('a1', { id: 'r1', role: 'assistant', content: [{ type: 'text', text: 'hi' }], usage }),
        claude('a1', { id: 'r1', role: 'assistant', content: [{ type: 'text', text: 'hi' }], usage }),
      ),
      '/logs/s1.jsonl',
    )
    const [session] = found.sessions
    expect(found.agent).toBe('claude-code')
    expect(kinds(found)).toEqual(['user', 'assistant'])
    expect(session?.lines).toEqual([1, 4])
    expect(session?.entries.map(({ seq }) => seq)).toEqual([0, 1])
    expect(session?.requests.map((request) => request?.outputTokens)).toEqual([undefined, 7])
    expect(session?.facts).toMatchObject({ id: 'claude-code:s1', title: 'A talk' })
    expect(found.skipped).toEqual([{ line: 4, reason: 'not valid JSON' }])
  })

  it('of pi, Codex or the generic format is recognised by its lines', async () => {
    const pi = await read(
      lines(
        { type: 'session', version: 3, id: '11111111-2222-4333-8444-555555555555', timestamp: AT, cwd: '/code' },
        { type: 'message', id: 'u', parentId: null, timestamp: AT, message: { role: 'user', content: 'hello' } },
        {
          type: 'message',
          id: 'a',
          parentId: 'u',
          timestamp: AT,
          message: {
            role: 'assistant',
            model: 'm',
            provider: 'p',
            content: [{ type: 'text', text: 'hi' }],
            usage: { input: 1, output: 9, cacheRead: 0, cacheWrite: 0 },
          },
        },
      ),
    )
    expect([pi.agent, ...kinds(pi)]).toEqual(['pi', 'user', 'assistant'])
    expect(pi.sessions[0]?.requests[1]?.outputTokens).toBe(9)

    const event = (type: string, payload: object) => ({ timestamp: AT, type, payload })
    const codex = await read(
      lines(
        event('session_meta', {
          id: '0198c0de-0000-7000-8000-000000000001',
          timestamp: AT,
          cwd: '/code',
          originator: 'codex',
          cli_version: '1',
          model_provider: 'openai',
        }),
        event('turn_context', { cwd: '/code', model: 'gpt-5' }),
        event('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }),
        event('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }),
      ),
    )
    expect(codex.agent).toBe('codex')
    expect(kinds(codex).filter((kind) => kind === 'user' || kind === 'assistant')).toEqual(['user', 'assistant'])

    const generic = await read(
      lines(
        { session: 'a', role: 'user', text: 'hello', at: null },
        { session: 'b', role: 'user', text: 'x', at: null },
        { session: 'a', role: 'assistant', text: 'hi', at: null },
      ),
    )
    expect([generic.agent, ...kinds(generic)]).toEqual(['generic', 'user', 'assistant'])
    expect(generic.sessions.map(({ facts, lines: own }) => [facts.externalId, own])).toEqual([
      ['a', [0, 2]],
      ['b', [1]],
    ])
  })

  it.each([
    ['nothing that is known', '{"a":1}\n', /not a transcript of a known agent/],
    ['no JSON', 'hello\n', /not JSON Lines/],
    ['nothing', '', /./],
  ])('with %s is refused in one sentence', async (_, text, sentence) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringMatching(sentence) })
  })

  describe('of a task of the Cline family', () => {
    const task = '/home/me/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1700000000000'
    const at = (ts: number, role: string, text: string) => ({ role, ts, content: [{ type: 'text', text }] })
    const history = JSON.stringify([at(10, 'user', '<task>\nFix it\n</task>'), at(20, 'assistant', 'Done.')])
    const display = JSON.stringify([
      { ts: 10, type: 'say', say: 'api_req_started', text: JSON.stringify({ tokensIn: 5, tokensOut: 3 }) },
    ])
    const contents = {
      [`${task}/api_conversation_history.json`]: history,
      [`${task}/ui_messages.json`]: display,
      [`${task}/task_metadata.json`]: '{}',
    }
    const readIn = (path: string, more: Readonly<Record<string, string>> = {}) =>
      readTranscript(path, { fileSystem: createInMemoryFileSystem({ ...contents, ...more }), hasher: createHasher() })

    it.each(['', '/api_conversation_history.json', '/ui_messages.json'])(
      'has its messages, and is identified by the folder%s',
      async (path) => {
        const found = await readIn(`${task}${path}`)
        expect([found.agent, found.path, ...kinds(found)]).toEqual([
          'roo',
          `${task}/api_conversation_history.json`,
          'user',
          'assistant',
        ])
        expect(found.sessions[0]?.facts).toMatchObject({ id: 'roo:1700000000000', title: 'Fix it' })
      },
    )

    it('is read from the display where only that is left', async () => {
      const shown = ['Mend it', 'Mended'].map((text, ts) => ({ ts, type: 'say', say: 'text', text }))
      const fileSystem = createInMemoryFileSystem({ '/x/ui_messages.json': JSON.stringify(shown) })
      expect(await readTranscript('/x', { fileSystem, hasher: createHasher() })).toMatchObject({
        agent: 'cline',
        path: '/x/ui_messages.json',
        sessions: [{ entries: [{ role: 'user' }, { role: 'assistant' }] }],
      })
    })

    it('is not chosen from a folder with more transcripts', async () => {
      await expect(
        readIn(task, { [`${task}/more.jsonl`]: '{"session":"s","role":"user","text":"hi"}\n' }),
      ).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringMatching(
          /is a folder with several transcripts; name one of them: api_conversation_history\.json, more\.jsonl\.$/,
        ),
      })
    })
  })

  it('is found in a folder without others', async () => {
    const fileSystem = createInMemoryFileSystem({
      '/logs/a.jsonl': '{"session":"s","role":"user","text":"hi"}\n',
      '/logs/b.json': '{"a":1}',
      '/logs/notes.md': 'x',
    })
    expect(await readTranscript('/logs', { fileSystem, hasher: createHasher() })).toMatchObject({
      agent: 'generic',
      path: '/logs/a.jsonl',
    })
  })

  it.each([
    ['a folder below', ['sessions/2026/a.jsonl']],
    ['a folder below, beside what belongs to it', ['projects/p/a.jsonl', 'projects/p/a/subagents/agent-1.jsonl']],
  ])('is found in %s', async (_, names) => {
    const text = '{"session":"s","role":"user","text":"hi"}\n'
    const contents = Object.fromEntries(names.map((name) => [`/logs/${name}`, text]))
    const fileSystem = createInMemoryFileSystem({ ...contents, '/logs/b.json': '{"a":1}', '/logs/README.md': 'x' })
    expect(await readTranscript('/logs', { fileSystem, hasher: createHasher() })).toMatchObject({
      path: `/logs/${names[0]}`,
    })
  })

  it('is not chosen from several in folders below, which are listed', async () => {
    const text = '{"session":"s","role":"user","text":"hi"}\n'
    const fileSystem = createInMemoryFileSystem({ '/logs/p/a.jsonl': text, '/logs/q/r/b.jsonl': text })
    await expect(readTranscript('/logs', { fileSystem, hasher: createHasher() })).rejects.toMatchObject({
      code: 'invalid-input',
      message: '/logs is a folder with several transcripts; name one of them: p/a.jsonl, q/r/b.jsonl.',
    })
  })

  it('without a session says what is wrong with its first line, or with all of it', async () => {
    const name = '5f0c1a2b-0000-4000-8000-000000000001.jsonl'
    const line = `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'hi' } })}\n`
    const fileSystem = createInMemoryFileSystem({
      [`/a/projects/p/${name}`]: 'no JSON\n',
      [`/b/projects/p/${name}`]: line.split('').join('\0'),
      '/c/roo/tasks/t/api_conversation_history.json': '[5]',
    })
    const sentence = (path: string) =>
      readTranscript(path, { fileSystem, hasher: createHasher() }).then(
        () => '',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
    expect(await sentence(`/a/projects/p/${name}`)).toMatch(
      / holds no session: line 1 is left out \(not valid JSON\)\.$/,
    )
    expect(await sentence(`/b/projects/p/${name}`)).toMatch(/: a text in UTF-16; save it as UTF-8/)
    expect(await sentence('/c/roo/tasks/t/api_conversation_history.json')).toMatch(
      / holds no session: element 1 is left out \(not a JSON object\)\.$/,
    )
  })

  it('that does not exist, or is a folder, is refused', async () => {
    const fileSystem = createInMemoryFileSystem({ '/logs/a.jsonl': '' })
    await expect(readTranscript('/nowhere', { fileSystem, hasher: createHasher() })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(readTranscript('/logs', { fileSystem, hasher: createHasher() })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('is a folder'),
    })
  })
})
