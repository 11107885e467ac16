import { describe, expect, it } from '@jest/globals'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { createStdioTransport } from './stdio-transport.ts'
import { serveStdio } from './stdio.ts'

interface Outcome {
  readonly taken: readonly JSONRPCMessage[]
  readonly answers: readonly {
    readonly id?: unknown
    readonly error?: { readonly code: number; readonly message: string }
  }[]
  readonly reports: readonly string[]
  readonly debugs: readonly string[]
}

const LIMIT = 4096

/** Gives input in pieces of a size, and collects messages, answers and reports. */
const given = async (text: string, size = 1000): Promise<Outcome> => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const outcome = { taken: [] as JSONRPCMessage[], reports: [] as string[], debugs: [] as string[] }
  const transport = createStdioTransport({
    input,
    output,
    mostMessageBytes: LIMIT,
    report: (sentence) => outcome.reports.push(sentence),
    debug: (sentence) => outcome.debugs.push(sentence),
  })
  transport.onmessage = (message) => outcome.taken.push(message)
  await transport.start()
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += size) input.write(bytes.subarray(start, start + size))
  input.end()
  await nextTurn()
  await nextTurn()
  const written = (output.read() as Buffer | null)?.toString('utf8') ?? ''
  return {
    ...outcome,
    answers: written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Outcome['answers'][number]),
  }
}

const PING = '{"jsonrpc":"2.0","id":99,"method":"ping"}'

describe('over standard input', () => {
  it('reads messages in pieces of any length, also a last one without a line end', async () => {
    for (const size of [1, 7, 1000])
      expect((await given(`${PING}\r\n\n{"jsonrpc":"2.0","method":"ü"}\n${PING}`, size)).taken).toHaveLength(3)
  })

  it.each([
    ['no method', '{"jsonrpc":"2.0","id":4}', -32_600],
    ['another version', '{"jsonrpc":"1.0","id":4,"method":"ping"}', -32_600],
    ['parameters that are a list', '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[1]}', -32_602],
    ['parameters that are a text', '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":"x"}', -32_602],
    ['JSON that breaks off', '{"jsonrpc":"2.0","id":4,"method":', -32_600],
  ])('answers a request with an id that has %s', async (_, line, code) => {
    const { answers, taken } = await given(`${line}\n${PING}\n`)
    expect(answers).toMatchObject([{ id: 4, error: { code } }])
    expect(answers[0]?.error?.message).not.toMatch(/[\n[{]/)
    expect(taken).toHaveLength(1)
  })

  it('reports invalid lines for debugging, and goes on', async () => {
    const { answers, debugs, reports, taken } = await given(
      `hello \u001b[31m world\n42\n"x"\n{}\n[]\n{"jsonrpc":"2.0","id":{},"method":"ping"}\n{"jsonrpc":"2.0","id":3,"result":5}\n${PING}\n`,
    )
    expect(answers).toEqual([])
    expect(debugs).toHaveLength(7)
    expect(debugs.join('')).not.toContain('\u001b')
    expect(reports).toEqual([])
    expect(taken).toHaveLength(1)
  })

  it('reads the messages of a batch one by one, and answers invalid ones', async () => {
    const { taken, answers } = await given(
      `[${PING},{"jsonrpc":"2.0","id":5},{"jsonrpc":"2.0","method":"notifications/x"}]\n`,
    )
    expect(taken).toHaveLength(2)
    expect(answers).toMatchObject([{ id: 5, error: { code: -32_600 } }])
  })

  const long = 'x'.repeat(LIMIT)
  it.each([
    ['first', `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"${long}"}}`, 7],
    ['after the method', `{"method":"m","jsonrpc":"2.0","id":"a-1","params":{"a":"${long}"}}`, 'a-1'],
    ['last', `{"method":"m","params":{"a":"${long}"},"jsonrpc":"2.0","id":7}`, 7],
    ['nowhere but in its parameters', `{"jsonrpc":"2.0","method":"m","params":{"a":"${long}","id":7}}`, undefined],
  ])('answers a message that is too long, with its id %s; reports it; and goes on', async (_, line, id) => {
    const { answers, reports, taken } = await given(`${line}\n${PING}\n`, 501)
    expect(answers.map((answer) => answer.id)).toEqual(id === undefined ? [] : [id])
    expect(reports).toEqual([`A message may have at most ${LIMIT} bytes; one of ${line.length} was left out.`])
    expect(taken).toHaveLength(1)
  })
})

describe('the end of a server over standard input', () => {
  const serve = (
    fault: (streams: { readonly input: PassThrough; readonly output: PassThrough }) => void,
  ): Promise<{ readonly code: number; readonly reports: readonly string[] }> => {
    const streams = { input: new PassThrough(), output: new PassThrough() }
    const reports: string[] = []
    const served = serveStdio(
      { connect: (transport) => transport.start(), idle: () => Promise.resolve() },
      { ...streams, report: (sentence) => reports.push(sentence), debug: () => undefined },
    )
    fault(streams)
    return served.then((code) => ({ code, reports }))
  }

  it('has exit code 0 when the client has gone', async () => {
    expect(await serve(({ input }) => void input.end().resume())).toEqual({ code: 0, reports: [] })
    expect(
      await serve(({ output }) => void output.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }))),
    ).toEqual({ code: 0, reports: [] })
  })

  it('has exit code 1, with a sentence, when a stream broke', async () => {
    expect(await serve(({ input }) => void input.destroy(new Error('no more')))).toEqual({
      code: 1,
      reports: ['Standard input broke: no more.'],
    })
  })
})
