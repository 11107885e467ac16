import { describe, expect, it } from '@jest/globals'
import { arrayOf, objectOf, type JsonObject } from '../../../json.ts'
import { asksForCache, asksForHour, withMarks } from './cache-marks.ts'
import type { RewrittenRange } from './live-conversation.ts'
import type { Item } from './wire-form.ts'

const MARK = { type: 'ephemeral' }
const HOUR = { type: 'ephemeral', ttl: '1h' }
const text = (words: string, mark?: JsonObject): JsonObject => ({
  type: 'text',
  text: words,
  ...(mark === undefined ? {} : { cache_control: mark }),
})
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const assistant = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })

/** A rewrite that is new in a request of seven items. */
const from = (first: number, last = first): RewrittenRange => ({ first, last, newest: 6 })

/** The marks of a changed body: for each item those of its blocks. */
const marksOf = (
  body: JsonObject,
  rewritten: readonly RewrittenRange[],
  left: readonly number[] = [],
  expected?: number,
): readonly unknown[] => {
  const items = arrayOf(body.messages).map((value, index): Item => ({ index, value: objectOf(value) }))
  const kept = items.filter((_, index) => !left.includes(index))
  return withMarks(body, kept, rewritten, expected).map(({ value }) =>
    arrayOf(value.content).map((block) => objectOf(block).cache_control ?? null),
  )
}
const conversation = (...last: readonly (JsonObject | undefined)[]): readonly JsonObject[] => [
  user(text('a')),
  assistant(text('b')),
  user(text('c'), text('d')),
  assistant(text('e')),
  user(text('f', last[0])),
  assistant(text('g')),
  user(text('h', last[1])),
]

describe('withMarks', () => {
  it('puts a mark where an earlier request ended, before what changed, for as long as the last one', () => {
    const messages = conversation(undefined, HOUR)
    expect(marksOf({ messages }, [from(3)])).toEqual([[null], [null], [null, HOUR], [null], [null], [null], [HOUR]])
    expect(marksOf({ messages }, [from(2)])).toEqual([[HOUR], [null], [null, HOUR], [null], [null], [null], [HOUR]])
    expect(marksOf({ messages }, [from(0)])).toEqual([[HOUR], [null], [null, null], [null], [null], [null], [HOUR]])
  })

  it('has a second one behind what changed, and begins there when a later rewrite does', () => {
    const messages = conversation(undefined, MARK)
    expect(marksOf({ messages }, [from(1, 3)])).toEqual([[MARK], [null], [null, MARK], [null], [null], [null], [MARK]])
    // What an earlier rewrite had changed is only cached up to its marks.
    const earlier = { first: 1, last: 2, newest: 5 }
    expect(marksOf({ messages }, [earlier, from(5)])).toEqual([
      [null],
      [null],
      [null, MARK],
      [null],
      [MARK],
      [null],
      [MARK],
    ])
    expect(marksOf({ messages }, [{ ...earlier, newest: 3 }, from(5)])).toEqual([
      [null],
      [null],
      [null, null],
      [null],
      [MARK],
      [null],
      [MARK],
    ])
  })

  it('keeps the one behind what changed in later requests, as far as marks are left', () => {
    const messages = conversation(undefined, MARK)
    const before = [{ ...from(1, 3), newest: 5 }]
    const behind = [[null], [null], [null, MARK], [null], [null], [null], [MARK]]
    expect(marksOf({ messages }, before)).toEqual(behind)
    const system = [text('prompt', MARK), text('more', MARK)]
    expect(marksOf({ messages, system }, before)).toEqual(behind)
    const tools = [{ name: 'read', cache_control: MARK }]
    expect(marksOf({ messages, system, tools }, before)).toEqual(marksOf({ messages }, []))
    // The client's own marks stay.
    const two = conversation(MARK, MARK)
    expect(marksOf({ messages: two, system }, before)).toEqual(marksOf({ messages: two }, []))
  })

  it('keeps one where the next rewrite is expected to begin', () => {
    const messages = conversation(undefined, MARK)
    const before = [{ ...from(1), newest: 5 }]
    const ahead = [[null], [null], [null, null], [null], [MARK], [null], [MARK]]
    const system = [text('prompt', MARK), text('more', MARK)]
    expect(marksOf({ messages, system }, before, [], 5)).toEqual(ahead)
    // With another mark left, that behind the last rewrite is kept, too.
    expect(marksOf({ messages }, before, [], 5)).toEqual([[MARK], [null], [null, null], [null], [MARK], [null], [MARK]])
    expect(marksOf({ messages, system }, before)).toEqual([
      [MARK],
      [null],
      [null, null],
      [null],
      [null],
      [null],
      [MARK],
    ])
  })

  it('never has more than four: an older mark of a message makes room, that at the end stays', () => {
    const messages = conversation(MARK, MARK)
    const system = [text('prompt', MARK)]
    const tools = [{ name: 'read', cache_control: MARK }]
    expect(marksOf({ messages, system, tools }, [from(3)])).toEqual([
      [null],
      [null],
      [null, MARK],
      [null],
      [null],
      [null],
      [MARK],
    ])
    expect(marksOf({ messages, system: [...system, text('more', MARK)], tools }, [from(3)])).toEqual(
      marksOf({ messages, system: [...system, text('more', MARK)], tools }, []),
    )
  })

  it('leaves the end of what is sent with a mark when the message that had it left', () => {
    const messages = conversation(undefined, MARK)
    expect(marksOf({ messages }, [], [6])).toEqual([[null], [null], [null, null], [null], [null], [MARK]])
  })

  it('adds none for a client that asks for no cache', () => {
    const messages = conversation()
    expect(
      marksOf({ messages }, [from(3)])
        .flat()
        .every((mark) => mark === null),
    ).toBe(true)
    expect(asksForCache({ messages })).toBe(false)
  })

  it('knows the mark of a whole request, and counts it', () => {
    const messages = conversation(MARK, undefined)
    const system = [text('prompt', MARK), text('more', MARK)]
    const body = { messages, system, cache_control: HOUR }
    expect([asksForCache(body), asksForHour(body)]).toEqual([true, true])
    // Two of the prompt and that of the request leave one.
    expect(marksOf(body, [from(3)])).toEqual([[null], [null], [null, MARK], [null], [null], [null], [null]])
  })
})
