import type { ContentBlock, EntryWrite } from '@cairn/core'
import { NOW, SHOP, openFixture } from '../../memory/memory.fixture.ts'
import type { MemoryFixture } from '../../memory/memory.fixture.ts'
import type { HostMessage } from '../messages.ts'
import { createSessionPanel } from './session-panel.ts'
import type { SessionPanel, SessionSource } from './session-panel.ts'

const ID = 'pi:login'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUg=='

let fixture: MemoryFixture
let told: HostMessage[]
let panel: SessionPanel
let source: () => Promise<SessionSource | undefined>

beforeEach(() => {
  fixture = openFixture()
  told = []
  source = async () => fixture.engine
  panel = createSessionPanel({
    sessionId: ID,
    source: () => source(),
    post: (message) => told.push(message),
    foldsTools: () => true,
  })
})

const message = (
  seq: number,
  role: 'user' | 'assistant' | 'tool',
  ...content: readonly ContentBlock[]
): EntryWrite => ({
  entry: { kind: 'message', at: NOW + seq * 1_000, id: `m${seq}`, role, content },
})
const text = (words: string): ContentBlock => ({ type: 'text', text: words })
const append = (from: number, ...writes: readonly EntryWrite[]): Promise<unknown> =>
  fixture.engine.sessions.append({ id: ID, agent: 'pi', externalId: 'login', workspace: SHOP }, from, writes)

const last = <Type extends HostMessage['type']>(type: Type): Extract<HostMessage, { type: Type }> | undefined =>
  told.findLast((each): each is Extract<HostMessage, { type: Type }> => each.type === type)
const kinds = (): readonly string[] => told.map(({ type }) => type)

describe('the page of a session', () => {
  it('is told of the session and its outline, and of entries only by the page that it asks for', async () => {
    const writes = Array.from({ length: 250 }, (_, seq) =>
      message(seq, seq % 2 === 0 ? 'user' : 'assistant', text(seq % 2 === 0 ? `Question ${seq}` : `Answer ${seq}`)),
    )
    await append(0, ...writes)
    await panel.answer({ type: 'ready' })
    expect(kinds()).toEqual(['session'])
    await panel.answer({ type: 'outline' })
    expect(last('session')?.head).toMatchObject({ entries: 250, foldsTools: true, title: expect.stringMatching(/./) })
    expect(last('outline')?.outline.turns).toBe(125)
    await panel.answer({ type: 'entries', page: 2 })
    expect(last('entries')?.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, at) => 200 + at))
    await panel.answer({ type: 'entries', page: 3 })
    expect(last('entries')).toEqual({ type: 'entries', page: 3, entries: [] })
  })

  it('is told what is new, once, and only while it is there', async () => {
    await append(0, message(0, 'user', text('Mend it')))
    await panel.follow()
    expect(told).toEqual([])
    await panel.answer({ type: 'ready' })
    await panel.follow()
    expect(kinds()).toEqual(['session'])
    await append(1, message(1, 'assistant', text('Done')))
    await Promise.all([panel.follow(), panel.follow()])
    expect(kinds()).toEqual(['session', 'session'])
    expect(last('session')?.head.entries).toBe(2)
    panel.pageGone()
    await append(2, message(2, 'user', text('Thanks')))
    await panel.follow()
    expect(told).toHaveLength(2)
    await panel.answer({ type: 'ready' })
    expect(last('session')?.head.entries).toBe(3)
  })

  it('goes to an entry once it is there, and at once from then on', async () => {
    await append(0, message(0, 'user', text('Mend it')), message(1, 'assistant', text('Done')))
    panel.show(1)
    expect(told).toEqual([])
    await panel.answer({ type: 'ready' })
    expect(kinds()).toEqual(['session', 'show'])
    panel.show(0)
    expect(told.at(-1)).toEqual({ type: 'show', seq: 0 })
    panel.pageGone()
    await panel.answer({ type: 'ready' })
    expect(kinds().slice(3)).toEqual(['session'])
  })

  it('gets whole texts and images one by one', async () => {
    const long = 'y'.repeat(9_000)
    await append(
      0,
      message(0, 'user', text(long), { type: 'image', mediaType: 'image/png', data: PIXEL }),
      message(1, 'assistant', { type: 'tool_call', id: 'c', name: 'Read', input: { file_path: 'a.ts' } }),
      message(2, 'tool', { type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'z'.repeat(5_000) }] }),
    )
    await panel.answer({ type: 'entries', page: 0 })
    const [first, second] = last('entries')?.entries ?? []
    expect(first).toMatchObject({ blocks: [{ length: 9_000, text: 'y'.repeat(6_000) }, { type: 'image' }] })
    expect(second).toMatchObject({ blocks: [{ type: 'call', output: { seq: 2, block: 0 } }] })
    await panel.answer({ type: 'text', seq: 0, block: 0 })
    expect(last('text')).toMatchObject({ seq: 0, block: 0, text: { text: long, length: 9_000 } })
    await panel.answer({ type: 'text', seq: 2, block: 0 })
    expect(last('text')?.text.text).toHaveLength(5_000)
    await panel.answer({ type: 'image', seq: 0, position: [1, null] })
    expect(last('image')).toEqual({ type: 'image', key: '0.1.', url: `data:image/png;base64,${PIXEL}` })
    await panel.answer({ type: 'image', seq: 0, position: [0, null] })
    expect(last('image')).toEqual({ type: 'image', key: '0.0.', url: null })
    const before = told.length
    await panel.answer({ type: 'text', seq: 40, block: 0 })
    expect(told).toHaveLength(before)
  })

  it('finds words in all of its entries, in the order of the log', async () => {
    await append(
      0,
      ...['voucher', 'cart', 'the vouchers', 'voucher again'].map((words, seq) => message(seq, 'user', text(words))),
    )
    await panel.answer({ type: 'find', text: 'voucher' })
    expect(last('found')).toEqual({ type: 'found', text: 'voucher', entries: [0, 2, 3] })
    await panel.answer({ type: 'find', text: ' ' })
    expect(last('found')?.entries).toEqual([])
  })

  it('says why there is nothing to show, and shows it again when it is back', async () => {
    await panel.answer({ type: 'ready' })
    expect(last('problem')?.sentence).toBe(`This session is not in the store (any more): ${ID}`)
    source = async () => undefined
    await panel.follow()
    expect(last('problem')?.sentence).toContain('The store is gone')
    source = () => Promise.reject(new Error('no such file'))
    await panel.answer({ type: 'entries', page: 0 })
    expect(last('problem')?.sentence).toBe("The session can't be shown: no such file")
    source = async () => fixture.engine
    await append(0, message(0, 'user', text('Mend it')))
    await panel.follow()
    expect(told.at(-1)?.type).toBe('session')
  })
})
