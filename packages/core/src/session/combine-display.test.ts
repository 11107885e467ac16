import { describe, expect, it } from '@jest/globals'
import {
  combineCommands,
  combineDisplayMessages,
  combineRequests,
  type ClineDisplayMessage,
} from './combine-display.ts'

const say = (kind: string, text?: string, ts = 1): ClineDisplayMessage => ({
  ts,
  type: 'say',
  say: kind,
  ...(text === undefined ? {} : { text }),
})
const ask = (kind: string, text: string, ts = 1): ClineDisplayMessage => ({ ts, type: 'ask', ask: kind, text })
const started = (fields: object, ts = 1) => say('api_req_started', JSON.stringify(fields), ts)
const finished = (fields: object, ts = 1) => say('api_req_finished', JSON.stringify(fields), ts)
const texts = (messages: readonly ClineDisplayMessage[]) => messages.map(({ text }) => text)

describe('combineCommands', () => {
  it('attaches the outputs up to the next command, and leaves the rest', () => {
    const messages = [
      say('command_output', 'before any'),
      ask('command', 'npm test'),
      ask('command_output', 'one'),
      say('text', 'between'),
      say('command_output', ''),
      say('command_output', 'two'),
      // The same time as the first: by place, not by time.
      say('command', 'ls'),
      say('command', 'pwd'),
      say('command_output', '/work'),
    ]
    const before = structuredClone(messages)
    expect(texts(combineCommands(messages))).toEqual([
      'before any',
      'npm test\nOutput:\none\ntwo',
      'between',
      'ls',
      'pwd\nOutput:\n/work',
    ])
    expect(messages).toEqual(before)
  })
})

describe('combineRequests', () => {
  it('joins the start of a request with its end', () => {
    expect(combineRequests([started({ request: 'r' }, 7), say('text', 'x'), finished({ cost: 1 }, 8)])).toEqual([
      { ts: 7, type: 'say', say: 'api_req_started', text: '{"request":"r","cost":1}' },
      say('text', 'x'),
    ])
  })

  it("an unfinished request does not get the next one's end, also at the same time", () => {
    expect(
      texts(combineRequests([started({ request: 'a' }), started({ request: 'b' }), finished({ cost: 2 })])),
    ).toEqual(['{"request":"a"}', '{"request":"b","cost":2}'])
  })

  it("matches by the request's id where there is one", () => {
    const messages = [
      started({ requestId: 'a' }),
      started({ requestId: 'b' }),
      finished({ requestId: 'a', cost: 1 }),
      finished({ requestId: 'c', cost: 3 }),
    ]
    expect(texts(combineRequests(messages))).toEqual([
      '{"requestId":"a","cost":1}',
      '{"requestId":"b"}',
      '{"requestId":"c","cost":3}',
    ])
  })

  it("leaves what it can't read or match", () => {
    const messages = [
      finished({ cost: 1 }),
      say('api_req_started', '{"half'),
      finished({ cost: 2 }),
      say('api_req_started'),
    ]
    expect(combineRequests(messages)).toEqual(messages)
  })
})

it('each message is examined a fixed number of times', () => {
  const steps = (count: number): number => {
    let looked = 0
    const counting = <T extends object>(value: T): T =>
      new Proxy(value, { get: (target, key) => ((looked += 1), Reflect.get(target, key) as unknown) })
    const messages = Array.from({ length: count }, (_, index) =>
      counting(
        [ask('command', 'c'), say('command_output', 'o'), started({ index }), finished({ cost: 1 })][index % 4] ??
          say('text', ''),
      ),
    )
    expect(combineDisplayMessages(counting(messages))).toHaveLength(count / 2)
    return looked
  }
  expect(steps(8000)).toBeLessThan(steps(4000) * 2.1)
  // Only commands without output: the worst case of Cline's algorithm.
  expect(steps(4000) / 4000).toBeLessThan(60)
})
