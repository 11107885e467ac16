import { describe, expect, it } from '@jest/globals'
import { genericImporter } from './generic.ts'
import { parseAll, parserOf, writesOf } from '../testing/parse-lines.ts'

const parse = (lines: readonly unknown[]) => parseAll(parserOf(genericImporter, '/x/chat.jsonl'), lines)
const line = (more: object = {}) => ({
  session: 's',
  at: '2026-01-01T00:00:00Z',
  role: 'user',
  text: 'hello',
  ...more,
})

describe('generic', () => {
  it('maps a line with all its fields', () => {
    const [parsed] = parse([
      line({
        id: 'm1',
        title: 'Chat',
        author: 'Ada',
        workspace: '/code/app',
        branch: 'main',
        role: 'tool',
        tool: { name: 'read_file', path: 'a.ts', kind: 'read' },
      }),
    ])
    const at = Date.parse('2026-01-01T00:00:00Z')
    expect(parsed).toEqual({
      session: {
        id: 'generic:s',
        agent: 'generic',
        externalId: 's',
        title: 'Chat',
        workspace: '/code/app',
        branch: 'main',
      },
      entries: [
        {
          externalId: 'm1',
          entry: {
            kind: 'message',
            id: 'm1',
            at,
            role: 'tool',
            author: 'Ada',
            content: [
              { type: 'text', text: 'hello' },
              { type: 'other', value: { tool: { name: 'read_file', path: 'a.ts', kind: 'read' } } },
            ],
          },
        },
        { externalId: 'm1.file', entry: { kind: 'file', at, path: 'a.ts', operation: 'read' } },
      ],
    })
  })

  it('accepts null for optional fields, and keeps a repeated text as two messages', () => {
    const twice = line({
      at: null,
      title: null,
      author: null,
      id: null,
      workspace: null,
      branch: null,
      tool: null,
    })
    const writes = writesOf(parse([twice, twice]))
    expect(writes.map(({ entry }) => entry.at)).toEqual([null, null])
    expect(new Set(writes.map(({ externalId }) => externalId)).size).toBe(2)
    // The same file elsewhere gives the same ids.
    expect(writesOf(parse([twice, twice])).map(({ externalId }) => externalId)).toEqual(
      writes.map(({ externalId }) => externalId),
    )
  })

  it("keeps a tool's input, and accepts a tool that is only a name", () => {
    const toolOf = (tool: unknown) => {
      const [write] = writesOf(parse([line({ role: 'assistant', tool })]))
      return write?.entry.kind === 'message' ? write.entry.content[1] : undefined
    }
    expect(toolOf('bash')).toEqual({ type: 'other', value: { tool: { name: 'bash' } } })
    for (const input of [{ command: 'npm test', more: [1, null] }, 'npm test', ['npm', 'test']])
      expect(toolOf({ name: 'bash', input })).toEqual({ type: 'other', value: { tool: { name: 'bash', input } } })
    expect(toolOf({ name: 'bash', input: null })).toEqual({ type: 'other', value: { tool: { name: 'bash' } } })
  })

  it.each([
    [[], 'not a JSON object'],
    [line({ session: undefined }), '"session" is missing'],
    [line({ session: '' }), '"session" is empty'],
    [line({ role: 'robot' }), '"role" must be one of user, assistant, tool, system'],
    [line({ role: undefined }), '"role" is missing'],
    [line({ text: null }), '"text" is missing'],
    [line({ text: 7 }), '"text" must be a string'],
    [line({ at: 'yesterday' }), '"at" is not a time'],
    [line({ tool: {} }), '"tool.name" is missing'],
    [line({ tool: 7 }), '"tool" must be a name or an object with one'],
    [line({ tool: ['bash'] }), '"tool" must be a name or an object with one'],
    [line({ tool: { name: 'x', kind: 'dance' } }), '"tool.kind" must be one of read, edit, search, command'],
    [line({ id: {} }), '"id" must be a number or a text that is not empty'],
  ])('reports one reason for %j', (bad, reason) => {
    expect(parse([bad])).toEqual([{ entries: [], skip: reason }])
  })

  it('reports an id that is reused with another text, but not a plain repetition', () => {
    const lines = parse([
      line({ id: 'm1' }),
      line({ id: 'm1' }),
      line({ id: 'm1', text: 'other' }),
      line({ id: 'm1', session: 't', text: 'other' }),
      line({ id: 'm1', session: 't', text: 'other', tool: { name: 'bash', input: 'ls' } }),
    ])
    expect(lines.map(({ skip }) => skip)).toEqual([
      undefined,
      undefined,
      'the id "m1" was used before for another message of the session',
      undefined,
      'the id "m1" was used before for another message of the session',
    ])
  })
})
