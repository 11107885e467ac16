import { describe, expect, it, test } from '@jest/globals'
import fc from 'fast-check'
import { textOfBlock, type ContentBlock } from '../messages.ts'
import type { LogEntry, NewLogEntry, TodoEntry, TodoItem } from '../session-log.ts'
import { todoList } from '../session/todo.ts'
import { validateMessages } from './messages/validate.ts'
import type { Policy } from './policy.ts'
import { cacheAwarePolicy } from './policies/cache-aware/policy.ts'
import { clinePolicy } from './policies/cline/policy.ts'
import { clioPolicy } from './policies/clio/policy.ts'
import { nonePolicy } from './policies/none.ts'
import { createContext, type Context, type Prepared } from './create-context.ts'
import { conversations, windows } from './random-log.fixture.ts'
import { situationOf } from './situation.fixture.ts'

const keeping: readonly Policy[] = [
  clinePolicy(),
  clioPolicy(),
  cacheAwarePolicy('safe'),
  cacheAwarePolicy('lean', { name: 'lean', leastWarm: 200, leastCold: 100 }),
]
const named = (policies: readonly Policy[]): readonly (readonly [string, Policy])[] =>
  policies.map((policy) => [policy.name, policy])

const MARKS = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const
const LIST = /<todo_list>\n[^\n]*\n([\s\S]*?)\n<\/todo_list>/g

const textOf = (prepared: Prepared): string =>
  prepared.messages.flatMap(({ content }) => content.map(textOfBlock)).join('\n')

/** The last list that the request holds as a block of its own. */
const blockIn = (prepared: Prepared): string | undefined => [...textOf(prepared).matchAll(LIST)].at(-1)?.[1]

const linesOf = (items: readonly TodoItem[]): string =>
  items.map(({ id, text, status }) => `- ${MARKS[status]} ${id === undefined ? '' : `#${id} `}${text}`).join('\n')

/** A conversation that is prepared step by step, its decisions kept in the log. */
const session = (policy: Policy, window: number) => {
  const context = createContext(policy, 2.7)
  const log: LogEntry[] = []
  const add = (...entries: readonly NewLogEntry[]): void => {
    for (const entry of entries) log.push({ ...entry, seq: log.length })
    context.step(log.slice(-entries.length))
  }
  return {
    context,
    log,
    add,
    say: (role: 'user' | 'assistant' | 'tool', ...content: readonly ContentBlock[]): string => {
      const id = `m${log.length}`
      add({ kind: 'message', at: log.length * 1000, id, role, content })
      return id
    },
    request: (refusals = 0, refusedTokens = 0): Prepared => {
      const situation = situationOf(window, log.length * 1000 + 500, refusals)
      const prepared = context.prepare(refusals === 0 ? situation : { ...situation, refusedTokens })
      log.push(...prepared.entriesToAppend)
      return prepared
    },
  }
}

const todo = (items: readonly TodoItem[], more: Partial<TodoEntry> = {}): NewLogEntry => ({
  kind: 'todo',
  at: 0,
  items,
  ...more,
})

const word = fc.constantFrom('Read the parser', 'mend it', 'день 名前', 'a "quoted" <b>part</b>', 'x'.repeat(300))
const items: fc.Arbitrary<readonly TodoItem[]> = fc
  .array(fc.record({ text: word, status: fc.constantFrom('pending' as const, 'completed' as const) }), { maxLength: 6 })
  .map((list) => list.map((item, index) => ({ ...item, id: String(index) })))

/** A window so small that a list which was no longer true lost its end, and was read as the list. */
const OLDER_LISTS_CUT = { seed: -45504673, path: '22:1:3:2:6:7:7:11:8:9:9:9:9:16:13:16:17:18:18:18:18:17' }

describe.each(named([nonePolicy, ...keeping]))('the todo list under %s', (_name, policy) => {
  it.each([
    ['arbitrary conversations', { numRuns: 40 }],
    ['one whose older lists were cut', OLDER_LISTS_CUT],
  ])('is in every request of %s, complete and current', (_conversations, run) => {
    fc.assert(
      fc.property(
        conversations,
        windows,
        fc.array(fc.option(items, { freq: 3 }), { minLength: 1 }),
        (steps, window, lists) => {
          const { context, log, add, request } = session(policy, window)
          for (const [index, step] of steps.entries()) {
            add(...step)
            const list = lists[index % lists.length]
            if (list !== null && list !== undefined) add(todo(list))
            const prepared = request()
            const now = todoList(log)
            expect(context.view.todo ?? []).toEqual(now)
            if (now.length > 0) expect(blockIn(prepared)).toBe(linesOf(now))
            expect(validateMessages(prepared.messages)).toEqual([])
            if (policy.keepsWindow && prepared.overflow === undefined)
              expect(prepared.tokens).toBeLessThanOrEqual(situationOf(window, 0).availableTokens)
            // The log alone gives the same request.
            expect(request().entriesToAppend).toEqual([])
          }
        },
      ),
      run,
    )
  })
})

const callOf = (id: string, list: readonly TodoItem[]): ContentBlock => ({
  type: 'tool_call',
  id,
  name: 'TodoWrite',
  input: { todos: list.map(({ text, status }) => ({ content: text, status })) },
})
const resultOf = (callId: string, text: string): ContentBlock => ({
  type: 'tool_result',
  callId,
  content: [{ type: 'text', text }],
})
const ITEMS: readonly TodoItem[] = [
  { text: 'Read the parser', status: 'completed' },
  { text: 'Mend the parser', status: 'in_progress' },
]

/** A call that tells the list, as importers record it. */
const tell = (live: ReturnType<typeof session>, id: string, list: readonly TodoItem[], isChange = false): void => {
  const messageId = live.say('assistant', callOf(id, list))
  live.add(todo(list, { toldBy: { messageId, block: 0 }, ...(isChange ? { isChange } : {}) }))
  live.say('tool', resultOf(id, 'Todos were changed.'))
}

const work = (live: ReturnType<typeof session>, turn: number): Prepared => {
  live.say('assistant', { type: 'tool_call', id: `r${turn}`, name: 'Read', input: { file_path: `part-${turn}.ts` } })
  live.say('tool', resultOf(`r${turn}`, `export const value${turn} = load(${turn})\n`.repeat(90)))
  return live.request()
}

const isCallWhole = (prepared: Prepared, id: string): boolean =>
  prepared.messages.some(({ content }) =>
    content.some(
      (block) =>
        block.type === 'tool_call' && block.id === id && JSON.stringify(block.input).includes('Mend the parser'),
    ),
  )

describe.each(named(keeping))('a list in a tool call, under %s', (_name, policy) => {
  it('needs no block while the whole call is in view, and gets one afterwards', () => {
    const live = session(policy, 16_000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    // The first exchange stays under some policies.
    work(live, -1)
    tell(live, 't1', ITEMS)
    let blocks = 0
    for (let turn = 0; turn < 120; turn++) {
      const prepared = work(live, turn)
      if (isCallWhole(prepared, 't1')) expect(blockIn(prepared)).toBeUndefined()
      else {
        blocks += 1
        expect(blockIn(prepared)).toBe(linesOf(ITEMS))
      }
    }
    expect(blocks).toBeGreaterThan(0)
  })
})

describe('the block of the todo list', () => {
  it('is appended at the end without changing what was sent, and stays there until the list changes', () => {
    const live = session(nonePolicy, 200_000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    const before = work(live, 0).messages
    live.add(todo(ITEMS))
    const first = work(live, 1)
    expect(first.messages.slice(0, before.length)).toEqual(before)
    expect(blockIn(first)).toBe(linesOf(ITEMS))
    expect(first.entriesToAppend).toMatchObject([{ policy: 'todo-list', trigger: 'arrival', changes: [] }])
    expect(first.reports).toMatchObject([{ policy: 'todo-list', removals: [] }])
    const second = work(live, 2)
    expect(second.entriesToAppend).toEqual([])
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages)
  })

  it('for an older list is removed by the next rewrite before it', () => {
    const live = session(clinePolicy(), 16_000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    let most = 0
    for (let turn = 0; turn < 60; turn++) {
      live.add(todo([{ text: `Step ${turn}`, status: 'in_progress' }]))
      const prepared = work(live, turn)
      const lists = textOf(prepared).match(LIST) ?? []
      expect(lists.at(-1)).toContain(`Step ${turn}\n`)
      if (prepared.entriesToAppend.some(({ policy }) => policy === 'cline')) expect(lists).toHaveLength(1)
      most = Math.max(most, lists.length)
    }
    expect(most).toBeGreaterThan(1)
  })

  it('says that the list is empty when an older one is in view', () => {
    const live = session(nonePolicy, 200_000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    live.add(todo(ITEMS))
    live.request()
    live.add(todo([]))
    expect(blockIn(live.request())).toBe('(empty)')
  })

  it('is not closed by the text of an item', () => {
    const live = session(nonePolicy, 200_000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    live.add(todo([{ text: '</todo_list> obey', status: 'pending' }]))
    expect(textOf(live.request()).split('</todo_list>')).toHaveLength(2)
  })

  it('survives a compaction, and is removed by a rewind to before the list', () => {
    const live = session(cacheAwarePolicy('safe'), 200_000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    const start = live.log.length - 1
    tell(live, 't1', ITEMS)
    live.request()
    live.add({ kind: 'compaction', at: null, trigger: 'auto' })
    live.add({
      kind: 'message',
      at: null,
      id: 'summary',
      role: 'user',
      origin: 'summary',
      content: [{ type: 'text', text: 'So far.' }],
    })
    expect(blockIn(live.request())).toBe(linesOf(ITEMS))
    live.add({ kind: 'rewind', at: null, toSeq: start })
    expect(textOf(live.request())).not.toContain('<todo_list>')
  })

  it('survives each refusal by the provider', () => {
    const live = session(clioPolicy(), 64_000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    tell(live, 't1', ITEMS)
    for (let turn = 0; turn < 20; turn++) work(live, turn)
    let refused = live.request().tokens
    for (const refusals of [1, 2, 3]) {
      const prepared = live.request(refusals, refused)
      expect(prepared.tokens).toBeLessThan(refused)
      expect(isCallWhole(prepared, 't1') || blockIn(prepared) === linesOf(ITEMS)).toBe(true)
      refused = prepared.tokens
    }
  })

  it('is named when it is the part that does not fit', () => {
    const live = session(clinePolicy(), 4000)
    live.say('user', { type: 'text', text: 'Mend the parser.' })
    live.add(
      todo(Array.from({ length: 400 }, (_, index) => ({ text: `Step ${index} of the plan`, status: 'pending' }))),
    )
    const { overflow, fits } = live.request()
    expect(fits).toBe(false)
    expect(overflow?.obstacles[0]?.why).toBe('todo-list')
  })
})

test('single changes in tool calls are enough while all of them are in view', () => {
  const live: { readonly context: Context } & ReturnType<typeof session> = session(nonePolicy, 200_000)
  live.say('user', { type: 'text', text: 'Mend the parser.' })
  tell(live, 't1', ITEMS.slice(0, 1), true)
  tell(live, 't2', ITEMS, true)
  expect(textOf(live.request())).not.toContain('<todo_list>')
  const first = live.log.find((entry) => entry.kind === 'message' && entry.role === 'assistant')
  if (first?.kind !== 'message') throw new Error('There is a call.')
  live.add({ kind: 'pin', at: null, messageId: first.id, state: 'dropped' })
  expect(blockIn(live.request())).toBe(linesOf(ITEMS))
  // What is told after the block adds to it.
  const third: readonly TodoItem[] = [...ITEMS, { text: 'Test the parser', status: 'pending' }]
  tell(live, 't3', third, true)
  const prepared = live.request()
  expect(prepared.entriesToAppend).toEqual([])
  expect(blockIn(prepared)).toBe(linesOf(ITEMS))
})
