import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogEntry, NewLogEntry, TodoItem } from '../session-log.ts'
import { assertTodoList, parseChecklist, readyTodos, renderChecklist, todoList } from './todo.ts'

const item = (text: string, more: Partial<TodoItem> = {}): TodoItem => ({ text, status: 'pending', ...more })
const logOf = (...entries: readonly NewLogEntry[]): LogEntry[] => entries.map((entry, seq) => ({ ...entry, seq }))
const todo = (...items: readonly TodoItem[]): NewLogEntry => ({ kind: 'todo', at: 0, items })

describe('the todo list', () => {
  it('is the last one; trims do not affect it, a rewind restores the earlier one', () => {
    const log = logOf(
      todo(item('one')),
      todo(item('two')),
      { kind: 'truncation', at: 0, fromSeq: 0, toSeq: 1, reason: 'window' },
      { kind: 'compaction', at: 0, trigger: 'auto' },
      todo(item('three')),
    )
    expect(todoList(log.slice(0, 4))).toEqual([item('two')])
    expect(todoList(log)).toEqual([item('three')])
    const rewound = (toSeq: number) => todoList([...log, { kind: 'rewind', seq: 5, at: 0, toSeq }])
    expect(rewound(3)).toEqual([item('two')])
    expect(rewound(0)).toEqual([item('one')])
    expect(rewound(-1)).toEqual([])
    expect(todoList([...log, { kind: 'rewind', seq: 5, at: 0, toSeq: 0 }, { ...todo(item('new')), seq: 6 }])).toEqual([
      item('new'),
    ])
  })

  it('has one item in progress, even when another program logged two', () => {
    const busy = { status: 'in_progress' } as const
    expect(todoList(logOf(todo(item('a', busy), item('b', busy))))).toEqual([item('a', busy), item('b')])
    expect(() => assertTodoList([item('a', busy), item('b', busy)])).toThrow(
      'only one item can be in progress, not "a" and "b"',
    )
  })

  it('reports invalid dependencies', () => {
    const chain = [
      item('A', { id: 'a', dependsOn: ['b'] }),
      item('B', { id: 'b', dependsOn: ['c'] }),
      item('C', { id: 'c' }),
    ]
    expect(() => assertTodoList(chain)).not.toThrow()
    const circle = [...chain.slice(0, 2), item('C', { id: 'c', dependsOn: ['b'] })]
    expect(() => assertTodoList(circle)).toThrow('in a circle: b → c → b')
    expect(() => assertTodoList([item('A', { id: 'a', dependsOn: ['a'] })])).toThrow('a → a')
    expect(() => assertTodoList([item('A', { dependsOn: ['x'] })])).toThrow(
      '"A" depends on "x", which is not in the list',
    )
    expect(() => assertTodoList([item('A', { id: 'a' }), item('B', { id: 'a' })])).toThrow('two items have the id "a"')
    expect(() => assertTodoList([item(' ')])).toThrow('item 1 has no text')
  })

  it('finds cycles in long chains, and no others', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      item('x', { id: `${index}`, dependsOn: index === 0 ? [] : [`${index - 1}`] }),
    )
    expect(() => assertTodoList(chain)).not.toThrow()
    expect(() => assertTodoList(chain.with(0, item('x', { id: '0', dependsOn: ['19999'] })))).toThrow('in a circle')
  })

  it('property: forward edges make no cycle; one backward edge does', () => {
    const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 12 })
    fc.assert(
      fc.property(edges, (pairs) => {
        const items = Array.from({ length: 8 }, (_, index) =>
          item(`t${index}`, {
            id: `${index}`,
            dependsOn: pairs.filter(([a, b]) => a < b && b === index).map(([a]) => `${a}`),
          }),
        )
        expect(() => assertTodoList(items)).not.toThrow()
        const edge = pairs.find(([a, b]) => a < b)
        if (edge === undefined) return
        const [a, b] = edge
        const before = items[a] ?? item('none')
        const back = items.with(a, { ...before, dependsOn: [...(before.dependsOn ?? []), `${b}`] })
        expect(() => assertTodoList(back)).toThrow('in a circle')
      }),
    )
  })

  it('lists items that can be started', () => {
    const list = [
      item('a', { id: 'a', status: 'completed' }),
      item('b', { id: 'b', dependsOn: ['a'] }),
      item('c', { dependsOn: ['b'] }),
      item('d'),
    ]
    expect(readyTodos(list).map(({ text }) => text)).toEqual(['b', 'd'])
  })
})

describe('checklists', () => {
  it('reads Markdown checklists, and skips other lines', () => {
    const text = '# Plan\n- [ ] one\n* [X]  two  words\n  1. [~] three\nnot [ ] this\n- [ ]\n- [x] four\r'
    expect(parseChecklist(text)).toEqual([
      item('one'),
      item('two words', { status: 'completed' }),
      item('three', { status: 'in_progress' }),
      item('four', { status: 'completed' }),
    ])
    expect(renderChecklist(parseChecklist(text))).toBe('- [ ] one\n- [x] two words\n- [~] three\n- [x] four')
  })

  it('keeps ids and dependencies of existing items', () => {
    const known = [
      item('one', { id: '1' }),
      item('two', { id: '2', dependsOn: ['1'] }),
      item('gone', { id: '3' }),
      item('last', { id: '4', dependsOn: ['3'] }),
    ]
    expect(parseChecklist('- [x] one\n- [ ] two\n- [ ] last', known)).toEqual([
      item('one', { id: '1', status: 'completed' }),
      item('two', { id: '2', dependsOn: ['1'] }),
      item('last', { id: '4', dependsOn: [] }),
    ])
  })

  it('property: parsing a rendered list returns the list', () => {
    const text = fc
      .string()
      .map((value) => value.replace(/\s+/g, ' ').trim())
      .filter((value) => value !== '')
    const items = fc.array(fc.record({ text, status: fc.constantFrom<TodoItem['status']>('pending', 'completed') }), {
      maxLength: 6,
    })
    fc.assert(fc.property(items, (list) => expect(parseChecklist(renderChecklist(list))).toEqual(list)))
  })
})
