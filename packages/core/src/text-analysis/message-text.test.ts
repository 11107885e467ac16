import { describe, expect, it } from '@jest/globals'
import { objectOf, type JsonObject } from '../json.ts'
import type { ContentBlock, Role } from '../messages.ts'
import { analyseMessage, KIND_BITS, MESSAGE_BITS, ROLE_BITS } from './message-analysis.ts'
import { prepareForAnalysis, searchableText, type ListFileOperations } from './message-text.ts'

const listOperations: ListFileOperations = ({ name, input }) =>
  name === 'edit' || name === 'read' ? [{ path: typeof input === 'string' ? input : '', operation: name }] : []
const ready = (role: Role, ...content: ContentBlock[]) => prepareForAnalysis({ role, content }, listOperations)
const text = (words: string): ContentBlock => ({ type: 'text', text: words })
const call = (name: string, input: string): ContentBlock => ({ type: 'tool_call', id: '1', name, input })
const tool = (kind?: string): ContentBlock => ({
  type: 'other',
  value: { tool: { name: 'Edit', path: 'src/a.ts', ...(kind === undefined ? {} : { kind }) } },
})

describe('messageToAnalyse', () => {
  it('distinguishes kinds', () => {
    expect(ready('user', text('hello')).kind).toBe('text')
    expect(ready('assistant', text('I edit'), call('edit', 'a.ts')).kind).toBe('edit')
    expect(ready('assistant', call('search', 'walrus')).kind).toBe('call')
    expect(ready('assistant', text('a long answer '.repeat(20)), call('search', 'walrus')).kind).toBe('text')
    expect(ready('user', { type: 'tool_result', callId: '1', content: [{ type: 'text', text: 'done' }] }).kind).toBe(
      'result',
    )
    expect(ready('tool', text('done')).kind).toBe('result')
  })

  it('reads the tool of a generic transcript', () => {
    expect(ready('assistant', text('Edit src/a.ts\n…'), tool('edit'))).toMatchObject({
      kind: 'edit',
      texts: ['Edit src/a.ts\n…'],
      files: [{ path: 'src/a.ts', operation: 'edit' }],
    })
    expect(ready('assistant', text('…'), tool('search'))).toMatchObject({
      kind: 'call',
      texts: ['…', 'Edit src/a.ts'],
      files: [{ operation: 'mention' }],
    })
    expect(ready('tool', text('ok'), tool('edit'))).toMatchObject({
      kind: 'result',
      texts: ['ok'],
      files: [{ operation: 'mention' }],
    })
  })

  it('infers what such a tool does from its name, where nothing else says so', () => {
    const generic = (named: object) =>
      ready('assistant', text('…'), { type: 'other', value: { tool: named as JsonObject } })
    const operations: ListFileOperations = ({ name, input }) =>
      name === 'Edit' ? [{ path: objectOf(input).path as string, operation: 'edit' }] : []
    const found = (role: Role, named: JsonObject) =>
      prepareForAnalysis({ role, content: [text('…'), { type: 'other', value: { tool: named } }] }, operations)
    expect(found('assistant', { name: 'Edit', path: 'a.ts' })).toMatchObject({
      kind: 'edit',
      files: [{ path: 'a.ts', operation: 'edit' }],
    })
    expect(found('assistant', { name: 'Edit', input: { path: 'a.ts' } })).toMatchObject({
      kind: 'edit',
      files: [{ path: 'a.ts', operation: 'edit' }],
    })
    expect(found('assistant', { name: 'jot', kind: 'edit' })).toMatchObject({ kind: 'edit', files: [] })
    expect(found('assistant', { name: 'Grep', path: 'src' })).toMatchObject({
      kind: 'call',
      files: [{ path: 'src', operation: 'mention' }],
    })
    expect(found('tool', { name: 'Edit', path: 'a.ts' })).toMatchObject({
      kind: 'result',
      files: [{ path: 'a.ts', operation: 'mention' }],
    })
    expect(generic({ name: 'bash', input: { command: 'npm run walrus' } }).texts).toEqual([
      '…',
      'bash',
      'npm run walrus',
    ])
  })

  it('treats other messages of such a transcript as text', () => {
    expect(ready('assistant', { type: 'other', value: { tool: 'hammer', more: 'nails' } }).texts).toEqual([
      'hammer\nnails',
    ])
  })

  it('lists attached files', () => {
    expect(ready('user', { type: 'file', path: 'a.md', text: 'alpha' })).toMatchObject({
      texts: ['a.md\nalpha'],
      files: [{ path: 'a.md', operation: 'mention' }],
    })
  })
})

it("shows the text of a hit without the tool's metadata", () => {
  expect(searchableText([text('one'), tool('edit'), text('two')])).toBe('one\ntwo')
  expect(
    searchableText([text('one'), { type: 'other', value: { tool: { name: 'bash', input: { command: 'ls' } } } }]),
  ).toBe('one\nls')
})

it('encodes role, kind and traits as flags', () => {
  const { flags } = analyseMessage({ role: 'assistant', kind: 'edit', texts: ['Where is it?'] })
  expect(flags & 3).toBe(ROLE_BITS.assistant)
  expect((flags >> 2) & 3).toBe(KIND_BITS.edit)
  expect(flags & MESSAGE_BITS.asks).not.toBe(0)
  expect(flags & MESSAGE_BITS.endsAsking).not.toBe(0)
  expect(
    analyseMessage({ role: 'user', kind: 'text', texts: ['What? '.repeat(3), 'Fine.'] }).flags &
      MESSAGE_BITS.endsAsking,
  ).toBe(0)
  expect(flags).toBeLessThan(0x10000)
})

it('matches an author by the first name', () => {
  const authorOf = (author: string) => analyseMessage({ role: 'user', kind: 'text', texts: [], author }).author
  expect(authorOf('Ann Smith')).toBe(authorOf('ANN'))
  expect(authorOf('…')).toBe(0)
})
