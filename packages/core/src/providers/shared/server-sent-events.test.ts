import { describe, expect, it } from '@jest/globals'
import { serverSentEvents, eventData, type ServerSentEvent } from './server-sent-events.ts'

const responseOf = (pieces: readonly Uint8Array[], type: string | null = 'text/event-stream') => ({
  headers: { get: () => type },
  body: new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  }),
})

const read = async (pieces: readonly Uint8Array[]): Promise<readonly ServerSentEvent[]> => {
  const batches = serverSentEvents(responseOf(pieces))
  const events: ServerSentEvent[] = []
  for (;;) {
    const { done, value } = await batches.next()
    if (done === true) return events
    events.push(...value)
  }
}

const cutInto = (text: string, bytes: number): readonly Uint8Array[] => {
  const all = new TextEncoder().encode(text)
  return Array.from({ length: Math.ceil(all.length / bytes) }, (_, index) =>
    all.slice(index * bytes, (index + 1) * bytes),
  )
}

const EVENTS: readonly ServerSentEvent[] = [
  { name: 'one', data: '{"text":"Grüße ✓ 𝒙"}' },
  { name: '', data: 'two\nlines' },
  { name: '', data: ' a space stays' },
  { name: 'last', data: '[DONE]' },
]
const LINES = [
  ': a comment',
  '',
  'event: one',
  'data: {"text":"Grüße ✓ 𝒙"}',
  '',
  'data:two',
  'data: lines',
  'id: 7',
  'retry: 10',
  '',
  'event: named, without data',
  '',
  'data:  a space stays',
  '',
  '',
  'event:last',
  'data: [DONE]',
  '',
  'data: without its end',
]

describe('server-sent events', () => {
  it.each([
    ['\n', 'line feeds'],
    ['\r\n', 'both'],
    ['\r', 'carriage returns'],
  ])('are read whatever ends their lines, cut anywhere (%j)', async (lineEnd) => {
    const text = LINES.join(lineEnd)
    for (const bytes of [1, 2, 3, 5, 17, 10_000])
      expect([bytes, await read(cutInto(text, bytes))]).toEqual([bytes, EVENTS])
  })

  it('may have a line that comes in very many pieces', async () => {
    const long = 'x'.repeat(300_000)
    expect(await read(cutInto(`data: ${long}\n\n`, 100))).toEqual([{ name: '', data: long }])
  })

  it.each(['text/html; charset=utf-8', 'application/json'])('are not what a response of type %s has', (type) => {
    expect(() => serverSentEvents(responseOf([], type))).toThrow(expect.objectContaining({ code: 'not-an-api' }))
  })

  it('need a body', () => {
    expect(() => serverSentEvents({ headers: { get: () => null }, body: null })).toThrow(/instead of a stream/)
  })

  it('hold JSON, or say that they do not', () => {
    expect(eventData({ name: '', data: '{"a":1}' })).toEqual({ a: 1 })
    expect(() => eventData({ name: '', data: '{"a":' })).toThrow(expect.objectContaining({ code: 'malformed' }))
  })
})
