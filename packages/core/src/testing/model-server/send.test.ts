import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from './index.ts'
import { createChatWire } from './openai/chat-wire.ts'
import { openChannel, sendEvents, streamType } from './send.ts'
import type { Wire, WireEvent } from './wire.ts'

const EVENTS: readonly WireEvent[] = [
  { name: 'start', data: { ev: 'start' } },
  { data: { ev: 'text', text: 'Grüße\n✓' }, mark: 'text' },
  { data: { ev: 'end' }, mark: 'last' },
]
const LINES = ['{"ev":"start"}', '{"ev":"text","text":"Grüße\\n✓"}', '{"ev":"end"}']

const lineWire: Wire = {
  ...createChatWire(Date.now),
  framing: 'lines',
  errorEvent: ({ condition }) => ({ data: { ev: 'problem', condition } }),
  unknownEvent: () => ({ data: { ev: 'weather' } }),
}

/** The type and the body of an answer with these events. */
const answerOf = async (wire: Wire, fault?: Fault): Promise<readonly [type: string | null, body: string]> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { ...streamType(wire), connection: 'close' })
    void sendEvents(wire, EVENTS, openChannel(response), fault)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return [response.headers.get('content-type'), await response.text()]
  } finally {
    server.close()
  }
}

describe('a stream of events', () => {
  it('is one of server-sent events, where the wire says nothing else', async () => {
    const [type, body] = await answerOf(createChatWire(Date.now))
    expect(type).toBe('text/event-stream; charset=utf-8')
    expect(body).toBe(`event: start\n${LINES.map((line) => `data: ${line}\n\n`).join('')}`)
  })

  it('has the data of each on a line of its own, where the wire says so', async () => {
    const text = LINES.map((line) => `${line}\n`).join('')
    await expect(answerOf(lineWire)).resolves.toEqual(['application/x-ndjson', text])
    await expect(answerOf(lineWire, { kind: 'split', bytes: 3 })).resolves.toEqual(['application/x-ndjson', text])
  })

  it('has its faults as lines, too', async () => {
    const [, comments] = await answerOf(lineWire, { kind: 'comments' })
    expect(comments.split('\r\n')).toEqual([...LINES.flatMap((line) => ['', '', line]), ''])
    const at = 'in-text'
    const [first, second, last] = LINES
    const [, unknown] = await answerOf(lineWire, { kind: 'unknown-event', at })
    expect(unknown.split('\n')).toEqual([first, second, '{"ev":"weather"}', last, ''])
    const [, failed] = await answerOf(lineWire, { kind: 'error-event', at, as: 'overloaded' })
    expect(failed.split('\n')).toEqual([first, second, '{"ev":"problem","condition":"overloaded"}', ''])
    const [, malformed] = await answerOf(lineWire, { kind: 'malformed', at })
    const broken = malformed.split('\n')[2] ?? ''
    expect(broken).toMatch(/^\{/)
    expect(() => JSON.parse(broken) as unknown).toThrow(SyntaxError)
  })
})
