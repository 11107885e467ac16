import { describe, expect, it } from '@jest/globals'
import type { JsonValue } from '../json.ts'
import type { LogEntry } from '../session-log.ts'
import { fileActivity } from './file-activity.ts'
import { fileOperationsOf } from './file-tools.ts'

const operations = (name: string, input: JsonValue) => fileOperationsOf({ type: 'tool_call', id: 'c', name, input })

/** Calls with their results, as a log. */
const logOf = (
  ...calls: readonly (readonly [name: string, input: JsonValue, result: string, isError?: boolean])[]
): readonly LogEntry[] =>
  calls.flatMap(([name, input, text, isError = false], index): LogEntry[] => [
    {
      kind: 'message',
      seq: index * 2,
      at: 1000 + index,
      id: `a${index}`,
      role: 'assistant',
      content: [{ type: 'tool_call', id: `c${index}`, name, input }],
    },
    {
      kind: 'message',
      seq: index * 2 + 1,
      at: 1000 + index,
      id: `r${index}`,
      role: 'tool',
      content: [{ type: 'tool_result', callId: `c${index}`, content: [{ type: 'text', text }], isError }],
    },
  ])

describe('fileOperationsOf', () => {
  it.each([
    ['Read', { file_path: '/w/a.ts' }, [{ path: '/w/a.ts', operation: 'read' }]],
    [
      'Read',
      { file_path: '/w/a.ts', offset: 5, limit: 10 },
      [{ path: '/w/a.ts', operation: 'read', part: 'offset=5 limit=10' }],
    ],
    ['Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, [{ path: 'a', operation: 'edit' }]],
    ['mcp__files__read_file', { path: 'a' }, [{ path: 'a', operation: 'read' }]],
    ['read', { path: 'docs/x.md' }, [{ path: 'docs/x.md', operation: 'read' }]],
    [
      'apply_patch',
      '*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: b.ts\n',
      [
        { path: 'src/a.ts', operation: 'edit' },
        { path: 'b.ts', operation: 'edit' },
      ],
    ],
    [
      'apply_patch',
      { patchText: '*** Begin Patch\n*** Delete File: src/old.ts\n*** Update File: c.ts\n' },
      [
        { path: 'src/old.ts', operation: 'edit' },
        { path: 'c.ts', operation: 'edit' },
      ],
    ],
    ['edit', { filePath: '/w/d.ts', oldString: 'x', newString: 'y' }, [{ path: '/w/d.ts', operation: 'edit' }]],
    [
      'exec_command',
      '{"cmd":"sed -n \'1,80p\' src/a.ts && cat b.ts | head -5"}',
      [
        { path: 'src/a.ts', operation: 'read', part: '-n 1,80p' },
        { path: 'b.ts', operation: 'read' },
      ],
    ],
    ['shell', { command: ['bash', '-lc', 'cat "a b.txt"'] }, [{ path: 'a b.txt', operation: 'read' }]],
    ['read_file', { filepath: 'a.ts' }, [{ path: 'a.ts', operation: 'read' }]],
    ['single_find_and_replace', { filepath: 'a.ts', old_string: 'x' }, [{ path: 'a.ts', operation: 'edit' }]],
    ['run_shell_command', { command: 'cat a.ts' }, [{ path: 'a.ts', operation: 'read' }]],
    ['replace', { file_path: 'a', old_string: 'x', new_string: 'y' }, [{ path: 'a', operation: 'edit' }]],
    ['Bash', { command: 'sed -i s/a/b/ x.ts' }, []],
    ['Bash', { command: 'npm test | tail -20' }, []],
    ['create', { path: 'a.ts', file_text: '' }, [{ path: 'a.ts', operation: 'edit' }]],
    ['mcp__issues__create', { path: 'a' }, []],
    ['str_replace_editor', { command: 'view', path: 'a' }, [{ path: 'a', operation: 'read' }]],
    ['str_replace_editor', { command: 'str_replace', path: 'a' }, [{ path: 'a', operation: 'edit' }]],
    ['read_file_v2', { targetFile: 'a' }, [{ path: 'a', operation: 'read' }]],
    ['edit_file_v2', { relativeWorkspacePath: 'a' }, [{ path: 'a', operation: 'edit' }]],
    ['run_terminal_command_v2', { command: 'cat a.ts' }, [{ path: 'a.ts', operation: 'read' }]],
    ['file_operations', '{"operation":"read_file","path":"a"}', [{ path: 'a', operation: 'read' }]],
    ['file_operations', { operation: 'replace_string', path: 'a' }, [{ path: 'a', operation: 'edit' }]],
    ['file_operations', { operation: 'list_dir', path: 'a' }, []],
    ['file_operations', { path: 'a' }, []],
    ['any', { kind: 'edit', path: 'a' }, [{ path: 'a', operation: 'edit' }]],
    ['Read', null, []],
    ['Grep', { pattern: 'x', path: 'src' }, []],
  ] as const)('%s %j', (name, input, expected) => {
    expect(operations(name, input as JsonValue)).toEqual(expected)
  })
})

describe('fileActivity', () => {
  it('counts a second read as repeated unless the file was edited or another part is read', () => {
    const { files, rereads, rereadTokens } = fileActivity(
      logOf(
        ['Read', { file_path: '/w/a.ts' }, 'x'.repeat(270)],
        ['Read', { file_path: './a.ts' }, 'x'.repeat(270)],
        ['Edit', { file_path: 'a.ts' }, 'ok'],
        ['Read', { file_path: 'a.ts' }, 'x'.repeat(270)],
        ['Read', { file_path: 'b.ts', offset: 1, limit: 5 }, 'y'.repeat(27)],
        ['Read', { file_path: 'b.ts', offset: 6, limit: 5 }, 'y'.repeat(27)],
        ['Read', { file_path: 'b.ts', offset: 6, limit: 5 }, 'y'.repeat(27)],
      ),
      '/w',
    )
    expect(
      files.map(({ path, reads, rereads: again, edits, readTokens, rereadTokens: tokens }) => [
        path,
        reads,
        again,
        edits,
        readTokens,
        tokens,
      ]),
    ).toEqual([
      ['a.ts', 3, 1, 1, 300, 100],
      ['b.ts', 3, 1, 0, 30, 10],
    ])
    expect([rereads, rereadTokens]).toEqual([2, 110])
  })

  it('does not count a failed read as a read', () => {
    const { files } = fileActivity(
      logOf(['Read', { file_path: 'a' }, 'no such file', true], ['Read', { file_path: 'a' }, 'text']),
    )
    expect(files[0]).toMatchObject({ reads: 1, rereads: 0, failures: 1 })
  })

  it('leaves out calls without a result and results without a call', () => {
    const log = logOf(['Read', { file_path: 'a' }, 'text'])
    expect(fileActivity(log.slice(0, 1)).files).toEqual([])
    expect(fileActivity(log.slice(1)).files).toEqual([])
  })

  it('counts the files that messages of the generic format name, with the text of the result', () => {
    const message = (seq: number, role: 'assistant' | 'tool', text: string, tool: JsonValue): LogEntry => ({
      kind: 'message',
      seq,
      at: 1000 + seq,
      id: `m${seq}`,
      role,
      content: [
        { type: 'text', text },
        { type: 'other', value: { tool } },
      ],
    })
    const read = { name: 'Read', path: '/w/a.ts', kind: 'read' }
    const { files } = fileActivity(
      [
        message(0, 'assistant', 'Read /w/a.ts', read),
        message(1, 'assistant', 'Looking', { name: 'open', path: 'b.ts', kind: 'read' }),
        message(2, 'tool', 'x'.repeat(270), { name: 'Read', path: '/w/a.ts' }),
        message(3, 'assistant', 'Read /w/a.ts', read),
        message(4, 'tool', 'x'.repeat(27), { name: 'Read', path: '/w/a.ts' }),
        message(5, 'assistant', 'Changed it', { name: 'Edit', path: 'a.ts', kind: 'edit' }),
        message(6, 'tool', 'searched', { name: 'Grep', path: 'src', kind: 'search' }),
      ],
      '/w',
    )
    expect(files).toEqual([
      {
        path: 'a.ts',
        reads: 2,
        rereads: 1,
        edits: 1,
        failures: 0,
        readTokens: 110,
        rereadTokens: 10,
        firstAt: 1000,
        lastAt: 1005,
      },
      {
        path: 'b.ts',
        reads: 1,
        rereads: 0,
        edits: 0,
        failures: 0,
        readTokens: 0,
        rereadTokens: 0,
        firstAt: 1001,
        lastAt: 1001,
      },
    ])
  })
})

describe('calls that have the same id', () => {
  const log = (isErrors: readonly boolean[]): readonly LogEntry[] => [
    {
      kind: 'message',
      seq: 0,
      at: 1000,
      id: 'a',
      role: 'assistant',
      content: [
        { type: 'tool_call', id: 'same', name: 'bash', input: { command: 'ls' } },
        { type: 'tool_call', id: 'same', name: 'read', input: { filePath: 'long.ts' } },
        { type: 'tool_call', id: 'same', name: 'read', input: { filePath: 'short.ts' } },
        { type: 'tool_call', id: 'same', name: 'edit', input: { filePath: 'long.ts', oldString: 'x', newString: 'y' } },
      ],
    },
    {
      kind: 'message',
      seq: 1,
      at: 1001,
      id: 'b',
      role: 'tool',
      content: ['a b', 'x'.repeat(400), 'x'.repeat(8), 'done'].map((text, index) => ({
        type: 'tool_result' as const,
        callId: 'same',
        content: [{ type: 'text' as const, text }],
        isError: isErrors[index] === true,
      })),
    },
  ]

  it('each have their own result', () => {
    const { files } = fileActivity(log([]))
    expect(files.map(({ path, reads, edits, readTokens }) => [path, reads, edits, readTokens])).toEqual([
      ['long.ts', 1, 1, 149],
      ['short.ts', 1, 0, 3],
    ])
    expect(fileActivity(log([true, false, true])).files.map(({ path, failures }) => [path, failures])).toEqual([
      ['long.ts', 0],
      ['short.ts', 1],
    ])
  })
})
