import { describe, expect, it } from '@jest/globals'
import { todoList } from '../session/todo.ts'
import type { ParsedLine } from './importer.ts'
import { parseAll, parserOf, writesOf } from '../testing/parse-lines.ts'
import { claudeCodeImporter } from './claude-code.ts'
import { clineImporter, rooImporter } from './cline.ts'
import { codexImporter } from './codex.ts'

const SESSION = '11111111-2222-3333-4444-555555555555'
const FILE = `/home/me/.claude/projects/-code-app/${SESSION}.jsonl`
const AT = '2026-02-01T10:00:00.000Z'

const todosOf = (lines: readonly ParsedLine[]) => writesOf(lines).filter(({ entry }) => entry.kind === 'todo')
const listAfter = (lines: readonly ParsedLine[]) =>
  todoList(writesOf(lines).map(({ entry }, seq) => ({ ...entry, seq })))

describe('Claude Code', () => {
  let count = 0
  const line = (type: 'user' | 'assistant', content: unknown, more: object = {}) => ({
    sessionId: SESSION,
    cwd: '/code/app',
    timestamp: AT,
    type,
    uuid: `${type}-${(count += 1)}`,
    message: { role: type, content },
    ...more,
  })
  const call = (id: string, name: string, input: object, more: object = {}) =>
    line('assistant', [{ type: 'tool_use', id, name, input }], more)
  const result = (id: string, text: string, more: object = {}, isError = false) =>
    line('user', [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError }], more)
  const created = (id: string, number: number, subject: string) => [
    call(id, 'TaskCreate', { subject, description: 'at length' }),
    result(id, `Task #${number} created successfully: ${subject}`, { toolUseResult: { task: { id: `${number}` } } }),
  ]
  const updated = (id: string, input: object, isError = false) => [
    call(id, 'TaskUpdate', input),
    result(id, 'Updated task', { toolUseResult: { success: !isError } }, isError),
  ]

  it('a TodoWrite call sets the list', () => {
    const todos = [{ content: 'Mend it', status: 'in_progress', activeForm: 'Mending it' }]
    const write = line('assistant', [
      { type: 'text', text: 'I plan.' },
      { type: 'tool_use', id: 'c1', name: 'TodoWrite', input: { todos } },
    ])
    const lines = parseAll(parserOf(claudeCodeImporter, FILE), [line('user', 'Mend it'), write])
    expect(todosOf(lines)).toEqual([
      {
        entry: {
          kind: 'todo',
          at: Date.parse(AT),
          items: [{ text: 'Mend it', status: 'in_progress' }],
          toldBy: { messageId: write.uuid, block: 1 },
        },
        externalId: `${write.uuid}.todo.1`,
      },
    ])
  })

  it("a subagent's list does not set the session's", () => {
    const input = { todos: [{ content: 'x', status: 'pending' }] }
    const lines = parseAll(parserOf(claudeCodeImporter, FILE), [
      call('c1', 'TodoWrite', input, { isSidechain: true, agentId: 'a1' }),
    ])
    expect(todosOf(lines)).toEqual([])
  })

  it('TaskCreate and TaskUpdate change the list when their results confirm it', () => {
    const lines = parseAll(parserOf(claudeCodeImporter, FILE), [
      line('user', 'Mend it'),
      ...created('c1', 1, 'Read it'),
      ...created('c2', 2, 'Mend it'),
      ...created('c3', 3, 'Wrong'),
      ...updated('c4', { taskId: '1', status: 'completed' }),
      ...updated('c5', { taskId: '2', status: 'in_progress', subject: 'Mend it well', addBlockedBy: ['1'] }),
      ...updated('c6', { taskId: '3', status: 'deleted' }),
      ...updated('c7', { taskId: '2', status: 'completed' }, true),
      ...updated('c8', { taskId: '9', status: 'completed' }),
    ])
    expect(listAfter(lines)).toEqual([
      { id: '1', text: 'Read it', status: 'completed' },
      { id: '2', text: 'Mend it well', status: 'in_progress', dependsOn: ['1'] },
    ])
    const entries = todosOf(lines).map(({ entry }) => entry)
    expect(entries).toHaveLength(6)
    expect(entries.every((entry) => entry.kind === 'todo' && entry.isChange === true)).toBe(true)
  })

  it('tasks continue where a file is continued', () => {
    const all = [
      line('user', 'Mend it'),
      ...created('c1', 1, 'Read it'),
      call('c2', 'TaskUpdate', { taskId: '1', status: 'completed' }),
    ]
    const first = parserOf(claudeCodeImporter, FILE)
    parseAll(first, all)
    const rest = parseAll(parserOf(claudeCodeImporter, FILE, { state: first.state() }), [result('c2', 'Updated task')])
    expect(listAfter(rest)).toEqual([{ id: '1', text: 'Read it', status: 'completed' }])
  })

  it("a line's metadata takes precedence over its text", () => {
    const origins = parseAll(parserOf(claudeCodeImporter, FILE), [
      line('user', 'Review it', { isMeta: true }),
      line('user', 'Review it', { isSynthetic: true }),
      line('user', 'Review it', { origin: { kind: 'task-notification' } }),
      line('user', 'Review it', { origin: { kind: 'human' } }),
      line('user', 'So far', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      line('user', '[Request interrupted by user]'),
      line('user', [{ type: 'text', text: '[Request interrupted by user for tool use]' }]),
      line('user', '<command-name>/compact</command-name>'),
      line('user', 'Review it'),
    ]).flatMap(({ entries }) => entries.map(({ entry }) => (entry.kind === 'message' ? entry.origin : 'none')))
    expect(origins).toEqual(['meta', 'meta', 'meta', undefined, 'summary', 'meta', 'meta', 'meta', undefined])
  })

  it('the title is the first request, which replaces a greeting', () => {
    const titles = parseAll(parserOf(claudeCodeImporter, FILE), [
      line('user', '[Request interrupted by user]'),
      line('user', 'hi'),
      line('user', '<system-reminder>x</system-reminder>Mend it'),
      line('user', 'Test it'),
    ]).flatMap(({ session }) => session?.title ?? [])
    expect(titles).toEqual(['hi', 'Mend it'])
  })
})

it("Codex's plan sets the list", () => {
  const plan = [
    { step: 'Read it', status: 'completed' },
    { step: 'Mend it', status: 'in_progress' },
  ]
  const lines = parseAll(parserOf(codexImporter, '/x/rollout-a.jsonl'), [
    { timestamp: AT, type: 'session_meta', payload: { id: SESSION, cwd: '/code/app' } },
    {
      timestamp: AT,
      type: 'response_item',
      payload: { type: 'function_call', name: 'update_plan', call_id: 'c1', arguments: JSON.stringify({ plan }) },
    },
  ])
  expect(listAfter(lines)).toEqual([
    { text: 'Read it', status: 'completed' },
    { text: 'Mend it', status: 'in_progress' },
  ])
  const [message, todo] = writesOf(lines)
  expect(todo?.entry).toMatchObject({ toldBy: { messageId: message?.externalId, block: 0 } })
})

describe('Cline and Roo', () => {
  const TASK = '/x/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json'
  const ROO = '/x/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json'
  const user = { role: 'user', ts: 10, content: [{ type: 'text', text: '<task>\nMend it\n</task>' }] }

  it("Cline's list is read from any call", () => {
    const lines = parseAll(parserOf(clineImporter, TASK), [
      user,
      {
        role: 'assistant',
        ts: 20,
        content: [
          {
            type: 'tool_use',
            id: 't',
            name: 'read_file',
            input: { path: 'a', task_progress: '- [x] Read it\n- [ ] Mend it' },
          },
        ],
      },
      {
        role: 'assistant',
        ts: 30,
        content:
          'Done.\n<read_file>\n<path>b</path>\n<task_progress>\n- [x] Read it\n- [x] Mend it\n</task_progress>\n</read_file>',
      },
    ])
    expect(todosOf(lines).map(({ entry }) => entry)).toMatchObject([
      {
        items: [
          { text: 'Read it', status: 'completed' },
          { text: 'Mend it', status: 'pending' },
        ],
        toldBy: { block: 0 },
      },
      {
        items: [
          { text: 'Read it', status: 'completed' },
          { text: 'Mend it', status: 'completed' },
        ],
      },
    ])
  })

  it("Roo's list is read, also one that is only in the display", () => {
    const shown = {
      at: 15,
      role: 'assistant',
      kind: 'tool',
      text: JSON.stringify({ tool: 'updateTodoList', todos: [{ id: 'x', content: 'Read it', status: 'in_progress' }] }),
      isProgram: false,
    }
    const lines = parseAll(parserOf(rooImporter, ROO, { context: { lost: [shown], isWhole: true } }), [
      user,
      { role: 'assistant', ts: 20, isSummary: true, content: 'So far.' },
    ])
    expect(listAfter(lines)).toEqual([{ text: 'Read it', status: 'in_progress' }])
    const more = parseAll(parserOf(rooImporter, ROO), [
      user,
      {
        role: 'assistant',
        ts: 20,
        content: [
          {
            type: 'text',
            text: '<update_todo_list>\n<todos>\n[x] Read it\n[-] Mend it\n</todos>\n</update_todo_list>',
          },
        ],
      },
    ])
    expect(listAfter(more)).toEqual([
      { text: 'Read it', status: 'completed' },
      { text: 'Mend it', status: 'in_progress' },
    ])
  })
})
