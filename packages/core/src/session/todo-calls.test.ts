import { expect, it } from '@jest/globals'
import type { ContentBlock } from '../messages.ts'
import { todoListIn } from './todo-calls.ts'

const call = (name: string, input: Extract<ContentBlock, { type: 'tool_call' }>['input']): ContentBlock => ({
  type: 'tool_call',
  id: 'c',
  name,
  input,
})
const LIST = [
  { text: 'Read it', status: 'completed' },
  { text: 'Mend it', status: 'in_progress' },
  { text: 'Test it', status: 'pending' },
]
const asked = (field: string) => LIST.map(({ text, status }) => ({ [field]: text, status, activeForm: 'Working' }))

it.each([
  ["Claude Code's", call('TodoWrite', { todos: asked('content') })],
  ["Codex's", call('update_plan', { explanation: 'so', plan: asked('step') })],
  ["Codex's, its arguments as text", call('update_plan', JSON.stringify({ plan: asked('step') }))],
  ["Gemini CLI's", call('write_todos', { todos: asked('description') })],
  ["a server's", call('mcp__plan__todo_write', { todos: asked('content') })],
  ["Copilot CLI's", call('update_todo', { todos: '- [x] Read it\n- [~] Mend it\n- [ ] Test it' })],
  ["Roo's", call('update_todo_list', { todos: '[x] Read it\n[-] Mend it\n[ ] Test it' })],
  ["Roo's, from the display", call('updateTodoList', { todos: asked('content') })],
  [
    "Cline's, with any call",
    call('read_file', { path: 'a.ts', task_progress: '- [x] Read it\n- [~] Mend it\n- [ ] Test it' }),
  ],
  [
    "Roo's, in a text",
    {
      type: 'text',
      text: 'I plan.\n\n<update_todo_list>\n<todos>\n[x] Read it\n[-] Mend it\n[ ] Test it\n</todos>\n</update_todo_list>',
    },
  ],
  [
    "Cline's, in a text; the last one holds",
    {
      type: 'text',
      text: '<task_progress>\n- [ ] Read it\n</task_progress><read_file>\n<path>a.ts</path>\n<task_progress>\n- [x] Read it\n- [>] Mend it\n- [ ] Test it\n</task_progress>\n</read_file>',
    },
  ],
] as const satisfies readonly (readonly [string, ContentBlock])[])('%s list', (_whose, block) => {
  expect(todoListIn(block)).toEqual(LIST)
})

it.each([
  call('Read', { file_path: 'a.ts' }),
  call('update_todo_list', { todos: 'nothing in boxes' }),
  call('update_plan', '{"plan": ['),
  call('update_plan', { plan: 'x' }),
  { type: 'text', text: 'See <todos> and </todos>.' },
  { type: 'tool_result', callId: 'c', content: [{ type: 'text', text: '<todos>\n[ ] x\n</todos>' }] },
] satisfies readonly ContentBlock[])('no list in %j', (block) => {
  expect(todoListIn(block)).toBeUndefined()
})

it('leaves out cancelled and empty items; one item is in progress', () => {
  const todos = [
    { content: 'a', status: 'in_progress' },
    { content: 'b', status: 'in_progress' },
    { content: ' ', status: 'pending' },
    { content: 'c', status: 'cancelled' },
    { content: 'd' },
    7,
  ]
  expect(todoListIn(call('TodoWrite', { todos }))).toEqual([
    { text: 'a', status: 'in_progress' },
    { text: 'b', status: 'pending' },
    { text: 'd', status: 'pending' },
  ])
  expect(todoListIn(call('TodoWrite', { todos: [] }))).toEqual([])
})
