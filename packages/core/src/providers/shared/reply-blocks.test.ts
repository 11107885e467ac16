import { describe, expect, it } from '@jest/globals'
import type { ModelEvent } from '../../ports/language-model.ts'
import { openCall, ReplyBlocks } from './reply-blocks.ts'

const callOf = (id: string, text: string) => {
  const call = openCall(id, 'read_file')
  call.arguments.add(text)
  return call
}

describe('the blocks of a reply', () => {
  it('have a call without readable arguments only when the reply is known not to be cut', () => {
    const events: ModelEvent[] = []
    const blocks = new ReplyBlocks()
    blocks.addCall(callOf('1', '{"path":"a"}'), (event) => events.push(event))
    blocks.addCall(callOf('2', ''), (event) => events.push(event))
    expect(events).toHaveLength(1)
    expect(() => blocks.end(true, (event) => events.push(event))).toThrow(expect.objectContaining({ code: 'cut-off' }))
    expect(events).toHaveLength(1)
  })

  it('have a call at once that the API calls whole, also where the reply reaches its limit later', () => {
    const blocks: unknown[] = []
    const emit = (event: ModelEvent): void => {
      if (event.type === 'block') blocks.push(event.block)
    }
    const reply = new ReplyBlocks()
    reply.addCall(callOf('1', ''), emit, { isWhole: true })
    reply.addCall(callOf('2', 'no JSON'), emit, { isWhole: true })
    expect(blocks).toEqual([
      { type: 'tool_call', id: '1', name: 'read_file', input: {} },
      { type: 'tool_call', id: '2', name: 'read_file', input: 'no JSON' },
    ])
    expect(() => reply.end(true, emit)).not.toThrow()
    expect(blocks).toHaveLength(2)
  })
})
