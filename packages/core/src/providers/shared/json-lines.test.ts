import { describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../../json.ts'
import { jsonLines } from './json-lines.ts'
import { LARGEST_EVENT } from './server-sent-events.ts'

const responseOf = (pieces: readonly Uint8Array[], type: string | null = 'application/x-ndjson') => ({
  headers: { get: () => type },
  body: new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  }),
})

const readBatches = async (pieces: readonly Uint8Array[]): Promise<readonly (readonly JsonObject[])[]> => {
  const lines = jsonLines(responseOf(pieces))
  const batches: JsonObject[][] = []
  for (;;) {
    const { done, value } = await lines.next()
    if (done === true) return batches
    batches.push([...value])
  }
}

const read = async (pieces: readonly Uint8Array[]): Promise<readonly JsonObject[]> => (await readBatches(pieces)).flat()

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const cutInto = (text: string, size: number): readonly Uint8Array[] => {
  const all = bytesOf(text)
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

const EVENTS: readonly JsonObject[] = [{ text: 'Grüße ✓ 𝒙' }, { b: [1, 22] }, { a: '\r\n' }]

describe('lines of JSON', () => {
  it.each(['\n', '\r\n'])('are read cut anywhere, with blank ones between (%j)', async (lineEnd) => {
    const text = ['', ...EVENTS.map((event) => JSON.stringify(event)), ' ', ''].join(lineEnd + lineEnd)
    for (const size of [1, 2, 3, 5, 17, 10_000]) expect([size, await read(cutInto(text, size))]).toEqual([size, EVENTS])
  })

  it('come as they arrive, a blank one as an empty batch', async () => {
    const pieces = ['{"a":1}\n{"b":2}\n{"c"', ':3}\n', '\n', '{"d":4}\n'].map(bytesOf)
    await expect(readBatches(pieces)).resolves.toEqual([[{ a: 1 }, { b: 2 }], [{ c: 3 }], [], [{ d: 4 }]])
  })

  it('need no end behind the last one, of which a part is dropped', async () => {
    await expect(read([bytesOf('{"a":1}\n{"b":2}')])).resolves.toEqual([{ a: 1 }, { b: 2 }])
    for (const part of ['{"b":', '{', '12', '{"b":"\u00fc'])
      await expect(read([bytesOf(`{"a":1}\n${part}`)])).resolves.toEqual([{ a: 1 }])
  })

  it('may come in very many pieces', async () => {
    const long = { text: 'x'.repeat(300_000) }
    await expect(read(cutInto(`${JSON.stringify(long)}\n`, 100))).resolves.toEqual([long])
  })

  it('are malformed where one is no JSON', async () => {
    await expect(read([bytesOf('{"a":1}\n{"b":\n{"c":3}\n')])).rejects.toMatchObject({ code: 'malformed' })
  })

  it('are malformed where one has no end', async () => {
    const piece = bytesOf('x'.repeat(LARGEST_EVENT / 2))
    await expect(read([piece, piece, bytesOf('x')])).rejects.toMatchObject({ code: 'malformed' })
  })

  it.each(['text/html; charset=utf-8', 'application/json', 'application/json; charset=utf-8'])(
    'are not what a response of type %s has',
    (type) => {
      expect(() => jsonLines(responseOf([], type))).toThrow(expect.objectContaining({ code: 'not-an-api' }))
    },
  )

  it.each(['application/jsonl', 'application/json-lines', null])('may be of type %s', async (type) => {
    await expect(jsonLines(responseOf([bytesOf('{"a":1}\n')], type)).next()).resolves.toMatchObject({ done: false })
  })
})
