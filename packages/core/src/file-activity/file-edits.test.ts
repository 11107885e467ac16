import { describe, expect, it } from '@jest/globals'
import type { JsonValue } from '../json.ts'
import { fileEditsIn, locateEdit } from './file-edits.ts'

const editsOf = (name: string, input: JsonValue, role: 'assistant' | 'tool' = 'assistant') =>
  fileEditsIn({
    kind: 'message',
    seq: 0,
    at: 1,
    id: 'm',
    role,
    content: [
      { type: 'text', text: 'Now the cart' },
      { type: 'tool_call', id: 'c', name, input },
    ],
  })

const PATCH = `*** Begin Patch
*** Update File: src/cart.ts
@@ export
 export const total = () => {
-  return 0
+  return sum(items)
 }
@@
-const old = 1
*** Add File: src/sum.ts
+export const sum = add
*** Delete File: gone.ts
*** End Patch`

describe('the edits of a message', () => {
  it.each([
    [
      'Edit',
      { file_path: '/w/a.ts', old_string: 'x', new_string: 'y\nz' },
      [{ path: '/w/a.ts', passages: ['y\nz'], isWhole: false }],
    ],
    ['Write', { file_path: 'a.ts', content: 'all' }, [{ path: 'a.ts', passages: ['all'], isWhole: true }]],
    [
      'MultiEdit',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: '1', new_string: 'one' },
          { old_string: '2', new_string: 'two' },
        ],
      },
      [{ path: 'a.ts', passages: ['one', 'two'], isWhole: false }],
    ],
    [
      'apply_patch',
      { input: PATCH },
      [
        { path: 'src/cart.ts', passages: ['export const total = () => {\n  return sum(items)\n}'], isWhole: false },
        { path: 'src/sum.ts', passages: ['export const sum = add'], isWhole: false },
        { path: 'gone.ts', passages: [], isWhole: false },
      ],
    ],
    [
      'shell',
      { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] },
      [expect.objectContaining({ path: 'src/cart.ts' }), expect.anything(), expect.anything()],
    ],
    [
      'replace_in_file',
      {
        path: 'a.ts',
        diff: '------- SEARCH\nold\n=======\nnew\nlines\n+++++++ REPLACE\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE',
      },
      [{ path: 'a.ts', passages: ['new\nlines', 'b'], isWhole: false }],
    ],
    [
      'insert_content',
      { path: 'a.ts', line: 7, content: 'one more' },
      [{ path: 'a.ts', passages: ['one more'], isWhole: false }],
    ],
    ['str_replace_editor', { command: 'view', path: 'a.ts' }, []],
    ['Read', { file_path: 'a.ts' }, []],
  ])('%s', (name, input, edits) => {
    expect(editsOf(name, input)).toEqual(edits)
  })

  it('are read from arguments that are text, and from no result', () => {
    expect(editsOf('Edit', JSON.stringify({ file_path: 'a.ts', old_string: '', new_string: 'y' }))).toEqual([
      { path: 'a.ts', passages: ['y'], isWhole: false },
    ])
    expect(editsOf('Edit', { file_path: 'a.ts', new_string: 'y' }, 'tool')).toEqual([])
    expect(fileEditsIn(undefined)).toEqual([])
    expect(fileEditsIn({ kind: 'title', seq: 0, at: 1, title: 'x' })).toEqual([])
  })
})

describe('where an edit stands', () => {
  const edit = (...passages: readonly string[]) => ({ path: 'a.ts', passages, isWhole: false })
  const text = 'import a\n\nexport const cart = () => {\r\n  return sum(items)\r\n}\n\nexport const last = 1\n'

  it('is the first of its passages that is there, whatever the line ends', () => {
    expect(locateEdit(text, edit('gone', 'export const cart = () => {\n  return sum(items)\n'))).toEqual({
      from: 2,
      to: 3,
      isExact: true,
    })
    expect(locateEdit(text, edit('import a'))).toEqual({ from: 0, to: 0, isExact: true })
  })

  it('is the longest line of it that is left once, where it was changed since', () => {
    expect(locateEdit(text, edit('export const cart = (items) => {\n  return sum(items)\n}'))).toEqual({
      from: 3,
      to: 3,
      isExact: false,
    })
    expect(locateEdit('same()\nsame()\nother()\n', edit('same()\nsomething else\nother()'))).toEqual({
      from: 2,
      to: 2,
      isExact: false,
    })
  })

  it('is nowhere when nothing of it is left, and when the call does not tell what it wrote', () => {
    expect(locateEdit(text, edit('nothing\n}\n'))).toBeUndefined()
    expect(locateEdit(text, edit(''))).toBeUndefined()
    expect(locateEdit(text, edit())).toBeUndefined()
  })

  it('is the beginning of a file that was written whole', () => {
    expect(locateEdit('a\n', { path: 'a', passages: ['a'], isWhole: true })).toEqual({ from: 0, to: 0, isExact: true })
    expect(locateEdit('b\n', { path: 'a', passages: ['a'], isWhole: true })).toEqual({ from: 0, to: 0, isExact: false })
  })
})
