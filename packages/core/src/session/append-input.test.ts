/** What `engine.sessions.append` took before it looked: each fault by its name. */
import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { EntryKind, NewLogEntry } from '../session-log.ts'
import { assertAppend, entryJson } from './append-input.ts'

const SESSION: SessionFacts = { id: 'cairn:a', agent: 'cairn', externalId: 'a' }
const message = (changes: object = {}): unknown => ({
  entry: { kind: 'message', id: 'm', at: 1, role: 'user', content: [{ type: 'text', text: 'x' }], ...changes },
})
const block = (given: unknown): unknown => message({ content: [{ type: 'text', text: 'fine' }, given] })
const call = (input: unknown): unknown => block({ type: 'tool_call', id: 'c', name: 'Read', input })

/** The sentence of the refusal, or `none`. What is given is what callers without types give. */
const refusal = (writes: unknown, session: unknown = SESSION, expectedSeq: unknown = 0): string => {
  try {
    const given = writes as readonly EntryWrite[]
    assertAppend(session as SessionFacts, expectedSeq as number, given)
    given.forEach(entryJson)
    return 'none'
  } catch (error) {
    return CairnError.is(error) && error.code === 'invalid-input' ? error.message : `untyped: ${String(error)}`
  }
}

const circle = (): unknown => {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

describe('an append', () => {
  it.each<[string, unknown, string]>([
    [
      'a time no date has',
      message({ at: 1e300 }),
      'entry.at must be whole milliseconds since 1970 of which a date can be made, or null, not 1e+300',
    ],
    ['a time just too late', message({ at: 8.64e15 + 2 }), 'entry.at must be'],
    [
      'a time in words',
      message({ at: 'yesterday' }),
      'entry.at must be whole milliseconds since 1970 of which a date can be made, or null, not "yesterday"',
    ],
    ['NaN as a time', message({ at: Number.NaN }), 'entry.at must be'],
    ['no time', message({ at: undefined }), 'entry.at must be'],
    ['half a millisecond', message({ at: 1.5 }), 'entry.at must be'],
    [
      'an unknown role',
      message({ role: 'wizard' }),
      'entry.role must be one of user, assistant, system, tool, not "wizard"',
    ],
    ['a message without id', message({ id: undefined }), 'entry.id must be a text that is not empty, not undefined'],
    ['a message without content', message({ content: undefined }), 'entry.content must be a list, not undefined'],
    ['a text as content', message({ content: 'hello' }), 'entry.content must be a list, not "hello"'],
    [
      'an unknown block',
      block({ type: 'nope' }),
      'entry.content[1].type must be one of text, image, other, thinking, tool_call, tool_result, file, not "nope"',
    ],
    [
      'a block named like a member of every object',
      block({ type: 'constructor' }),
      'entry.content[1].type must be one of',
    ],
    ['a text block without text', block({ type: 'text' }), 'entry.content[1].text must be a text, not undefined'],
    [
      'a call without input',
      call(undefined),
      'entry.content[1].input must be a value that JSON can hold, not undefined',
    ],
    ['a circle', call(circle()), "entry can't be kept as JSON: it refers to itself"],
    ['a bigint', call({ n: 5n }), "entry can't be kept as JSON: it has a bigint"],
    [
      'a call in a result',
      block({ type: 'tool_result', callId: 'c', content: [{ type: 'tool_call', id: 'd', name: 'x', input: {} }] }),
      'entry.content[1].content[0].type must be one of text, image, other, not "tool_call"',
    ],
    ['an unknown kind', { entry: { kind: 'bogus', at: 1 } }, 'entry.kind must be one of message,'],
    ['no entry', { kind: 'message' }, 'entry must be an object, not undefined'],
    [
      'a rewrite of nothing',
      { entry: { kind: 'rewrite', at: 1, policy: 'p', trigger: 't', changes: [{ seq: -1, block: 0, why: 'w' }] } },
      'entry.changes[0].seq must be a whole number from 0 up, not -1',
    ],
    [
      'a request that costs a fraction',
      {
        ...(message() as object),
        request: {
          callId: 'c',
          at: 1,
          model: 'm',
          inputTokens: 1,
          cacheReadTokens: 0,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: 1,
          costNano: 0.5,
          costState: 'computed',
        },
      },
      'request.costNano must be a bigint',
    ],
  ])('with %s is refused, naming entry and field', (_, bad, sentence) => {
    const given = refusal([message({ id: 'first' }), bad])
    expect(given).toContain(`writes[1].${sentence}`)
    expect(given).toMatch(/; nothing was written\.$/)
  })

  it.each<[string, unknown, unknown, string]>([
    ['no session', null, 0, 'session must be an object, not null'],
    ['an empty session id', { ...SESSION, id: '' }, 0, 'session.id must be a text that is not empty, not ""'],
    ['a workspace that is none', { ...SESSION, workspace: 5 }, 0, 'session.workspace must be a text, not 5'],
    ['a place in words', SESSION, '3', 'expectedSeq must be a whole number from 0 up, not "3"'],
    ['a place before the log', SESSION, -1, 'expectedSeq must be a whole number from 0 up, not -1'],
  ])('to %s is refused', (_, session, expectedSeq, sentence) => {
    expect(refusal([message()], session, expectedSeq)).toBe(`${sentence}; nothing was written.`)
  })

  it('that is no list is refused', () => {
    expect(refusal('text')).toBe('writes must be a list, not "text"; nothing was written.')
  })

  it('accepts every kind of entry', () => {
    const known: Readonly<Record<EntryKind, NewLogEntry>> = {
      message: {
        kind: 'message',
        id: 'm',
        at: null,
        role: 'tool',
        content: [
          { type: 'text', text: '' },
          { type: 'thinking', text: 't', signature: 's' },
          { type: 'tool_call', id: 'c', name: 'n', input: null },
          {
            type: 'tool_result',
            callId: 'c',
            isError: true,
            content: [
              { type: 'text', text: 't' },
              { type: 'image', mediaType: 'image/png', url: 'u' },
              { type: 'other', value: [1] },
            ],
          },
          { type: 'file', path: 'p' },
        ],
        thinking: 'high',
        origin: 'meta',
      },
      edit: { kind: 'edit', at: -8.64e15, messageId: 'm', block: 0, reason: 'r', text: 't' },
      pin: { kind: 'pin', at: 8.64e15, messageId: 'm', state: 'pinned' },
      truncation: { kind: 'truncation', at: 0, fromSeq: 0, toSeq: 1, reason: 'r' },
      compaction: { kind: 'compaction', at: 0, trigger: 't', tokensBefore: 1, partial: true },
      rewrite: {
        kind: 'rewrite',
        at: 0,
        policy: 'p',
        trigger: 't',
        changes: [{ seq: 0, block: 0, why: 'w' }],
        insertions: [{ why: 'w', text: 't' }],
        room: Infinity,
      },
      file: { kind: 'file', at: 0, path: 'p', operation: 'read' },
      model: { kind: 'model', at: 0, model: 'm' },
      checkpoint: { kind: 'checkpoint', at: 0, checkpointId: 'c' },
      todo: { kind: 'todo', at: 0, items: [{ id: 'a', text: 't', status: 'pending', dependsOn: [] }] },
      rewind: { kind: 'rewind', at: 0, toSeq: -1 },
      title: { kind: 'title', at: 0, title: '' },
      favourite: { kind: 'favourite', at: 0, favourite: false },
      notice: { kind: 'notice', at: 0, level: 'info', text: '' },
      'tool-start': { kind: 'tool-start', at: 0, callId: 'c' },
    }
    expect(
      refusal(
        Object.values(known).map((entry) => ({ entry, externalId: entry.kind, visibleCharacters: 0, redactions: 0 })),
      ),
    ).toBe('none')
  })

  it('keeps todo lists valid: one item in progress, and dependencies that can be satisfied', () => {
    const todo = (...items: readonly object[]): string => refusal([{ entry: { kind: 'todo', at: 0, items } }])
    const busy = (text: string): object => ({ text, status: 'in_progress' })
    const waiting = (id: string, after: string): object => ({ id, text: id, status: 'pending', dependsOn: [after] })
    expect(todo(busy('tests'), { text: 'docs', status: 'pending' })).toBe('none')
    expect(todo(busy('tests'), busy('docs'))).toContain('only one item can be in progress, not "tests" and "docs"')
    expect(todo(waiting('a', 'b'))).toContain('"a" depends on "b", which is not in the list')
    expect(todo(waiting('a', 'b'), waiting('b', 'a'))).toContain('in a circle: a → b → a')
  })
})
