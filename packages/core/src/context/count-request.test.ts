import { describe, expect, it } from '@jest/globals'
import { textOfBlock, type Message } from '../messages.ts'
import { ModelError, type ModelRequest } from '../ports/language-model.ts'
import { countRequest } from './count-request.ts'

const request = (...messages: readonly Message[]): ModelRequest => ({ model: 'm', messages, maxOutputTokens: 1 })

/** Counts a token a character, 500 an image, and nothing of reasoning; notes what it was asked. */
const counter = () => {
  const asked: (readonly Message[])[] = []
  return {
    asked,
    countTokens: async ({ messages }: ModelRequest): Promise<number> => {
      asked.push(messages)
      const blocks = messages.flatMap(({ content }) => content)
      return blocks.reduce(
        (sum, block) =>
          sum +
          (block.type === 'image'
            ? 500
            : block.type === 'thinking'
              ? 0
              : textOfBlock(block).replace(/^\.$/, '').length),
        0,
      )
    },
  }
}

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })

describe('a counted request', () => {
  it('is counted as a whole and by its parts, which add up to it', async () => {
    const model = counter()
    const count = await countRequest(
      model,
      request(
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x'.repeat(1200) },
            { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', text: 'h'.repeat(700), signature: 's' },
            { type: 'tool_call', id: 'c', name: 'run', input: { path: 'a' } },
          ],
        },
        {
          role: 'tool',
          content: [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'y'.repeat(3000) }] }],
        },
      ),
      2.5,
    )
    expect(count.parts.map(({ part, blocks, counted }) => [part, blocks, counted])).toEqual([
      ['text', 1, 1200],
      ['tools', 2, count.counted - 1700],
      ['reasoning', 1, 0],
      ['attachments', 1, 500],
    ])
    expect(count.parts.reduce((sum, { estimated }) => sum + estimated, 0)).toBe(count.estimated)
    expect(count.parts.find(({ part }) => part === 'reasoning')?.estimated).toBeGreaterThan(280)
    expect(model.asked).toHaveLength(4)
  })

  it('asks for valid requests only: the user begins and ends, and none is empty', async () => {
    const model = counter()
    await countRequest(
      model,
      request(
        user('go'),
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_call', id: 'c', name: 'run', input: {} },
          ],
        },
        { role: 'tool', content: [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'found' }] }] },
      ),
      2.5,
    )
    const [, without = []] = model.asked
    expect(without.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    for (const { content } of without) expect(content.length).toBeGreaterThan(0)
  })

  it('is asked for once where it has only one part', async () => {
    const model = counter()
    const count = await countRequest(model, request(user('x'.repeat(50))), 2.5)
    expect(model.asked).toHaveLength(1)
    expect(count).toMatchObject({ counted: 50, parts: [{ part: 'text', blocks: 1, counted: 50 }] })
    expect(count.observation).toMatchObject({ characters: 50, promptTokens: 50 })
  })

  it('leaves reasoning out where the provider refuses it, and says so', async () => {
    const model = counter()
    const strict = {
      countTokens: async (asked: ModelRequest): Promise<number> => {
        if (asked.messages.some(({ content }) => content.some(({ type }) => type === 'thinking')))
          throw new ModelError('bad-request', 'The signature is bound to a different conversation.')
        return model.countTokens(asked)
      },
    }
    const count = await countRequest(
      strict,
      request(user('x'.repeat(40)), {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'h'.repeat(90), signature: 's' },
          { type: 'text', text: 'y'.repeat(60) },
        ],
      }),
      2.5,
    )
    expect(count).toMatchObject({ counted: 100, refusedReasoning: 1 })
    expect(count.parts.map(({ part }) => part)).toEqual(['text'])
    expect(count.estimated).toBeLessThan(60)
    await expect(
      countRequest(
        { countTokens: () => Promise.reject(new ModelError('bad-request', 'No.')) },
        request(user('x')),
        2.5,
      ),
    ).rejects.toThrow('No.')
  })

  it('passes the failure of the counter on', async () => {
    const failure = new Error('no counter today')
    await expect(countRequest({ countTokens: () => Promise.reject(failure) }, request(user('x')), 2.5)).rejects.toBe(
      failure,
    )
  })
})
