import { describe, expect, it } from '@jest/globals'
import { EMPTY_CHAT, type ChatEvent, type ChatState } from './chat-state.ts'
import { cutEnd, cutMiddle } from './cut.ts'
import { reduce, reduceAll } from './reduce.ts'

const after = (...events: readonly ChatEvent[]): ChatState => reduceAll(EMPTY_CHAT, events)
const REQUEST: ChatEvent = { type: 'request', tokens: 100, availableTokens: 1_000 }

describe('the state of the chat', () => {
  it('joins the pieces of a text, and starts again behind a block', () => {
    const { items } = after(
      { type: 'asked', text: 'hello', attachments: ['a.ts'] },
      REQUEST,
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'block-ended' },
      { type: 'text', text: '\n' },
      { type: 'text', text: 'again' },
    )
    expect(items.map(({ id, kind }) => [id, kind])).toEqual([
      [1, 'user'],
      [2, 'thinking'],
      [3, 'reply'],
      [4, 'reply'],
    ])
    expect(items[2]).toMatchObject({ text: 'Hello', isOpen: false })
    expect(items[3]).toMatchObject({ text: 'again', isOpen: true })
  })

  it('voids what an attempt gave that is made again, and nothing before it', () => {
    const { items } = after(
      { type: 'text', text: 'first' },
      REQUEST,
      { type: 'text', text: 'half a re' },
      { type: 'call', callId: 'c', tool: 'read_file' },
      { type: 'retry', text: 'Overloaded.' },
      { type: 'text', text: 'whole' },
    )
    expect(items.map((item) => ('text' in item ? item.text : item.kind))).toEqual(['first', 'Overloaded.', 'whole'])
  })

  it('keeps the first checkpoint of a turn with the message that began it', () => {
    const { items } = after(
      { type: 'checkpoint', checkpointId: 'of nobody' },
      { type: 'asked', text: 'one', attachments: [] },
      { type: 'checkpoint', checkpointId: 'cp-1' },
      { type: 'text', text: 'So.' },
      { type: 'checkpoint', checkpointId: 'cp-2' },
      { type: 'asked', text: 'two', attachments: [] },
      { type: 'asked', text: 'three', attachments: [] },
      { type: 'checkpoint', checkpointId: 'cp-2' },
    )
    expect(items.flatMap((item) => (item.kind === 'user' ? [[item.text, item.checkpointId]] : []))).toEqual([
      ['one', 'cp-1'],
      ['two', undefined],
      ['three', 'cp-2'],
    ])
  })

  it('shows a call that is not run with what it would have done, and not twice', () => {
    const facts = { callId: 'c', tool: 'edit_file', title: 'edit a.ts' } as const
    const ended = { type: 'tool-finished', callId: 'c', text: 'Not run.', progress: 'skipped' } as const
    const { items } = after(
      { type: 'call', callId: 'c', tool: 'edit_file' },
      { type: 'tool-started', ...facts, isRun: false },
      ended,
    )
    expect(items).toMatchObject([{ title: 'edit a.ts', progress: 'skipped', output: 'Not run.' }])
    const declined = after(
      { type: 'approval', ...facts, why: 'It changes files.' },
      { type: 'answered', callId: 'c', isAllowed: false },
      { type: 'tool-started', ...facts, isRun: false },
      ended,
    )
    expect(declined.items).toMatchObject([{ title: 'edit a.ts', progress: 'skipped' }])
  })

  it('follows a call from its arguments to its result', () => {
    const call: readonly ChatEvent[] = [
      { type: 'call', callId: 'c', tool: 'edit_file' },
      { type: 'call', callId: 'c', tool: 'edit_file' },
      { type: 'approval', callId: 'c', tool: 'edit_file', title: 'edit a.ts', why: 'It changes files.', diff: '+a' },
    ]
    expect(after(...call).items).toMatchObject([
      { progress: 'waiting', title: 'edit a.ts', diff: '+a', why: 'It changes files.' },
    ])
    const ran = after(
      ...call,
      { type: 'answered', callId: 'c', isAllowed: true },
      { type: 'tool-started', callId: 'c', tool: 'edit_file', title: 'edit a.ts' },
      { type: 'tool-output', callId: 'c', text: 'one' },
      { type: 'tool-output', callId: 'c', text: ' two' },
    )
    expect(ran.items).toMatchObject([{ progress: 'running', output: 'one two', diff: '+a' }])
    expect(
      reduce(ran, { type: 'tool-finished', callId: 'c', text: 'Edited.', progress: 'done', durationMs: 12 }).items,
    ).toMatchObject([{ progress: 'done', output: 'Edited.', durationMs: 12 }])
    expect(after(...call, { type: 'answered', callId: 'c', isAllowed: false }).items).toMatchObject([
      { progress: 'skipped' },
    ])
  })

  it('keeps calls of the same id of two replies apart', () => {
    const { items } = after(
      { type: 'tool-started', callId: 'call_0', tool: 'a', title: 'a' },
      { type: 'tool-finished', callId: 'call_0', text: '1', progress: 'done' },
      { type: 'tool-started', callId: 'call_0', tool: 'b', title: 'b' },
      { type: 'tool-finished', callId: 'call_0', text: '2', progress: 'failed' },
    )
    expect(items).toMatchObject([
      { title: 'a', output: '1' },
      { title: 'b', output: '2' },
    ])
  })

  it('settles what is under way when the turn or the reply ends', () => {
    const open: readonly ChatEvent[] = [
      { type: 'call', callId: 'a', tool: 'x' },
      { type: 'tool-started', callId: 'b', tool: 'x', title: 'x' },
    ]
    for (const end of [REQUEST, { type: 'ended' } as const])
      expect(after(...open, end).items).toMatchObject([{ progress: 'skipped' }, { progress: 'unknown' }])
  })

  it('tells what left the context, and how full it is', () => {
    const removals = [{ name: 'a.ts', what: 'removed', why: 'old', savedTokens: 40 }] as const
    const { items, context } = after(REQUEST, { type: 'removed', removals, savedTokens: 40 })
    expect(context).toEqual({ tokens: 100, availableTokens: 1_000 })
    expect(items).toMatchObject([{ kind: 'removed', savedTokens: 40 }])
  })

  it('keeps mode and model when another session is shown', () => {
    const state = after(
      { type: 'mode', mode: 'plan' },
      { type: 'model', model: 'm' },
      { type: 'session', id: 's', title: 'S' },
      { type: 'asked', text: 'x', attachments: [] },
      { type: 'cleared' },
    )
    expect(state).toEqual({ ...EMPTY_CHAT, mode: 'plan', model: 'm' })
  })

  it('holds the newest items of a long session, and says that there are more', () => {
    const state = after(
      ...Array.from({ length: 450 }, (_, index): ChatEvent => ({ type: 'asked', text: `m${index}`, attachments: [] })),
    )
    expect(state.items).toHaveLength(400)
    expect(state.items.at(-1)).toMatchObject({ text: 'm449' })
    expect(state.hasEarlier).toBe(true)
  })

  it('does not change a state that it was given', () => {
    const before = Object.freeze(after({ type: 'text', text: 'a' }))
    const items = Object.freeze(before.items)
    reduce(before, { type: 'text', text: 'b' })
    expect(items).toMatchObject([{ text: 'a' }])
  })
})

describe('texts of a bounded length', () => {
  it('say once how much is missing, however often more comes', () => {
    let [end, middle] = ['', '']
    for (let index = 0; index < 500; index += 1) {
      const line = `${String(index).padStart(3, '0')} ${'x'.repeat(index % 7)}\n`
      end = cutEnd(end + line, 400)
      middle = cutMiddle(middle + line, 400)
    }
    const length = Array.from({ length: 500 }, (_, index) => 5 + (index % 7)).reduce((sum, one) => sum + one, 0)
    for (const text of [end, middle]) {
      expect(text.match(/are not shown/g)).toHaveLength(1)
      expect(text.startsWith('000 \n001 x')).toBe(true)
      expect(text).toContain(`… ${(length - 400).toLocaleString('en-US')} characters`)
    }
    expect(middle.endsWith('499 xx\n')).toBe(true)
  })

  it('leave a short text alone, and split no pair of surrogates', () => {
    expect(cutEnd('short', 5)).toBe('short')
    expect(cutMiddle('short', 5)).toBe('short')
    const faces = '😀'.repeat(30)
    for (let length = 1; length < 40; length += 1) {
      expect(cutEnd(faces, length).isWellFormed()).toBe(true)
      expect(cutMiddle(faces, length).isWellFormed()).toBe(true)
    }
  })
})
