import { PassThrough } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { createStreamInput } from './stream-input.ts'

const opened = () => {
  const stream = new PassThrough()
  const prompts: string[] = []
  const input = createStreamInput({
    input: stream,
    prompt: (text) => prompts.push(text),
    prompts: ['> ', '. '],
  })
  return { stream, input, prompts, interrupt: () => input.interrupt() }
}
const NEVER = new AbortController().signal

describe('messages from lines', () => {
  it('are one a line, and go on behind a backslash', async () => {
    const { stream, input, prompts } = opened()
    stream.end('one\ntwo \\\nand three\\\\\nlast \\')
    expect(await input.message()).toEqual({ kind: 'message', text: 'one' })
    expect(await input.message()).toEqual({ kind: 'message', text: 'two \nand three\\\\' })
    expect(await input.message()).toEqual({ kind: 'message', text: 'last ' })
    expect(await input.message()).toEqual({ kind: 'end' })
    expect(prompts).toEqual(['> ', '> ', '. ', '> ', '. ', '> '])
  })

  it('are no answers where they came before the question', async () => {
    const { stream, input } = opened()
    stream.write('first\ny\n')
    expect(await input.message()).toEqual({ kind: 'message', text: 'first' })
    const answer = input.ask('Allow? ', NEVER)
    stream.write('no\n')
    expect(await answer).toBe('no')
    expect(await input.message()).toEqual({ kind: 'message', text: 'y' })
  })

  it('end a question without an answer when the turn ends, at Ctrl-C, and at the end of the input', async () => {
    const { stream, input, interrupt } = opened()
    const controller = new AbortController()
    const aborted = input.ask('?', controller.signal)
    controller.abort()
    const interrupted = input.ask('?', NEVER)
    interrupt()
    const message = input.message()
    interrupt()
    expect([await aborted, await interrupted, await message]).toEqual([undefined, undefined, { kind: 'interrupt' }])
    const ended = input.ask('?', NEVER)
    stream.end()
    expect(await ended).toBeUndefined()
    expect(await input.ask('?', NEVER)).toBeUndefined()
  })
})
