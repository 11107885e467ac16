import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import type { JsonValue } from '../json.ts'
import { callEdit, patchView } from './call-edit.ts'
import { readEntryViews } from './read-views.ts'

const edit = (name: string, input: JsonValue) => callEdit({ type: 'tool_call', id: 'c', name, input })
const lines = (name: string, input: JsonValue): readonly string[] | undefined =>
  edit(name, input)?.lines.map(({ kind, text }) => `${kind} ${text}`)

describe('what a call writes into files', () => {
  it('is what was replaced, line by line', () => {
    const input = { file_path: 'a.ts', old_string: 'one\ntwo\nthree', new_string: 'one\n2\nthree\nfour' }
    expect(lines('Edit', input)).toEqual(['context one', 'removed two', 'added 2', 'context three', 'added four'])
    expect(edit('Edit', input)?.paths).toEqual(['a.ts'])
  })

  it('is each part of several, with a gap between them', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ]
    expect(lines('MultiEdit', { file_path: 'a.ts', edits })).toEqual(['removed a', 'added b', 'hunk ', 'removed c'])
  })

  it('is all of a new file, cut where it is long', () => {
    expect(lines('Write', { file_path: 'a.ts', content: 'x\ny\n' })).toEqual(['added x', 'added y'])
    const long = edit('Write', { file_path: 'a.ts', content: 'line\n'.repeat(750) })
    expect([long?.lines.length, long?.linesLeft]).toEqual([300, 450])
  })

  it('is a patch without its frame, with the names of its files', () => {
    const patch =
      '*** Begin Patch\n*** Update File: a.ts\n@@ head\n one\n-two\n+2\n*** Add File: b.ts\n+new\n*** End Patch'
    const wanted = ['file a.ts', 'hunk ', 'context one', 'removed two', 'added 2', 'file b.ts', 'added new']
    expect(lines('apply_patch', { input: patch })).toEqual(wanted)
    expect(lines('apply_patch', patch)).toEqual(wanted)
    expect(edit('apply_patch', patch)?.paths).toEqual(['a.ts', 'b.ts'])
  })

  it('says which files a patch deletes, of which it has no lines', () => {
    const patch = '*** Begin Patch\n*** Delete File: old.ts\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch'
    expect(lines('apply_patch', { patchText: patch })).toEqual([
      'file old.ts (deleted)',
      'file a.ts',
      'hunk ',
      'removed x',
      'added y',
    ])
    expect(edit('apply_patch', { patchText: patch })).toMatchObject({ paths: ['old.ts', 'a.ts'], deletes: 1 })
  })

  it('is nothing for calls that edit none', () => {
    expect(edit('Read', { file_path: 'a.ts' })).toBeUndefined()
    expect(edit('Bash', { command: 'npm test' })).toBeUndefined()
  })

  it('stands with the call where that is asked for', async () => {
    const { sessions } = createInMemoryStore()
    const content = [{ type: 'tool_call' as const, id: 'c', name: 'Write', input: { file_path: 'a.ts', content: 'x' } }]
    const entry = { kind: 'message' as const, at: 1, id: 'm', role: 'assistant' as const, content }
    await sessions.append({ id: 's', agent: 'a', externalId: 's' }, 0, [{ entry }])
    const [plain] = await readEntryViews(sessions, 's', 0, 10)
    expect(plain).toMatchObject({ blocks: [{ type: 'call' }] })
    expect(JSON.stringify(plain)).not.toContain('"edit"')
    const [withEdits] = await readEntryViews(sessions, 's', 0, 10, { showsEdits: true })
    expect(withEdits).toMatchObject({ blocks: [{ edit: { paths: ['a.ts'], lines: [{ kind: 'added', text: 'x' }] } }] })
  })
})

describe('a unified diff', () => {
  it('is its lines with the headers of its hunks, cut where it or a line is long', () => {
    const patch = ['@@ -1,2 +1,2 @@', ' @@ no header', '-- a list', '++', '-']
    expect(patchView(patch)).toEqual({
      lines: [
        { kind: 'hunk', text: '@@ -1,2 +1,2 @@' },
        { kind: 'context', text: '@@ no header' },
        { kind: 'removed', text: '- a list' },
        { kind: 'added', text: '+' },
        { kind: 'removed', text: '' },
      ],
      linesLeft: 0,
    })
    const long = patchView([`+${'x'.repeat(999)}\u{1F600}`, ...Array.from({ length: 320 }, () => '+y')])
    expect([long.lines.length, long.linesLeft]).toEqual([300, 21])
    expect(long.lines[0]?.text).toBe(`${'x'.repeat(999)}\uFFFD`)
    expect(patchView([])).toEqual({ lines: [], linesLeft: 0 })
  })
})
