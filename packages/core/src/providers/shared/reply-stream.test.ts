import { describe, expect, it } from '@jest/globals'
import type { ModelDone, ModelEvent } from '../../ports/language-model.ts'
import { NO_TOKENS } from '../../ports/price-book.ts'
import { GrowingText } from './growing-text.ts'
import { replyStream, type ReplyDecoder } from './reply-stream.ts'
import type { Batches } from './server-sent-events.ts'

const DONE: ModelDone = { type: 'done', stopReason: 'end', providerReason: 'end', usage: NO_TOKENS }

/** Each word is a text; `end` is the end, `bad` can't be read. */
const decoder = (): ReplyDecoder<string> => {
  let isOver = false
  return {
    usage: NO_TOKENS,
    responseId: 'r1',
    take: (word, emit) => {
      if (word === 'bad') throw new SyntaxError('bad')
      if (word === 'end') isOver = true
      else emit({ type: 'text', text: word })
    },
    end: () => (isOver ? DONE : undefined),
  }
}

const streamOf = (steps: readonly (readonly string[] | Error)[]) => {
  const seen = { opened: 0, returned: 0 }
  let step = 0
  const batches: Batches<string> = {
    next: async () => {
      const value = steps[step++]
      if (value instanceof Error) throw value
      return value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    return: async () => {
      seen.returned += 1
      return { done: true, value: undefined }
    },
  }
  const open = async (): Promise<Batches<string>> => {
    seen.opened += 1
    return batches
  }
  return { seen, stream: replyStream({ asked: { provider: 'Acme', model: 'm' }, open, decoder: decoder() }) }
}

const collect = async (stream: AsyncIterable<ModelEvent>): Promise<readonly unknown[]> => {
  const all: unknown[] = []
  try {
    for await (const event of stream) all.push(event.type === 'text' ? event.text : event.type)
  } catch (error) {
    all.push(error)
  }
  return all
}

describe('the stream of a reply', () => {
  it('gives what arrived before what can not be read, and then the error with what is known', async () => {
    const { stream } = streamOf([['a', 'b', 'bad', 'c'], ['end']])
    const found = await collect(stream)
    expect(found.slice(0, 2)).toEqual(['a', 'b'])
    expect(found.slice(2)).toEqual([
      expect.objectContaining({ code: 'malformed', details: expect.objectContaining({ responseId: 'r1' }) }),
    ])
  })

  it('reads on to the end of the connection when the reply has ended, whatever comes', async () => {
    const { stream, seen } = streamOf([['a', 'end'], [], ['bad'], new TypeError('terminated')])
    expect(await collect(stream)).toEqual(['a', 'done'])
    expect(seen).toEqual({ opened: 1, returned: 1 })
    const quiet = streamOf([['end'], []])
    expect(await collect(quiet.stream)).toEqual(['done'])
    expect(quiet.seen.returned).toBe(0)
  })

  it('gives its events in order to one who asks for several at once, and then nothing more', async () => {
    const iterator = streamOf([['a'], [], ['b', 'end']]).stream[Symbol.asyncIterator]()
    const found = await Promise.all(Array.from({ length: 5 }, () => iterator.next()))
    expect(
      found.map(({ value, done }) => (done === true ? 'over' : value.type === 'text' ? value.text : 'done')),
    ).toEqual(['a', 'b', 'done', 'over', 'over'])
  })

  it('tells an empty answer from one that was cut', async () => {
    expect(await collect(streamOf([[], []]).stream)).toEqual([
      expect.objectContaining({
        code: 'not-an-api',
        message: 'What answers does not speak the API of Acme: check the base URL.',
        details: expect.not.objectContaining({ status: expect.anything() }),
      }),
    ])
    expect(await collect(streamOf([['a']]).stream)).toEqual(['a', expect.objectContaining({ code: 'cut-off' })])
  })
})

describe('a growing text', () => {
  it('is all of its pieces, at any time', () => {
    const text = new GrowingText()
    let whole = ''
    for (let piece = 0; piece < 1000; piece++) {
      text.add(`${piece} `)
      whole += `${piece} `
      if (piece % 97 === 0) expect(text.toString()).toBe(whole)
    }
    expect(text.toString()).toBe(whole)
  })
})
