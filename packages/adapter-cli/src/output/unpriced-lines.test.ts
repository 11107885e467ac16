import { describe, expect, it } from '@jest/globals'
import { unpricedLines } from './unpriced-lines.ts'

const models = (requests: number, ...names: readonly string[]) => names.map((model) => ({ model, requests }))

describe('requests without a cost', () => {
  it('are told apart: no price, or no input', () => {
    expect(
      unpricedLines({
        withPrice: [
          { model: 'claude-sonnet-4.6', requests: 54, isInputUnknown: true },
          { model: 'mine', requests: 1, isInputUnknown: false },
        ],
        withoutPrice: models(3, 'no-such'),
      }),
    ).toEqual([
      'Without a cost, as the agent has not recorded their input: claude-sonnet-4.6 (54 requests).',
      'Without a cost, though the model has a price: mine (1 request).',
      'The agent has not recorded their input (yet), or they came in before the price was known;',
      '  then: cairn doctor --rebuild',
      'Without a known price: no-such (3 requests).',
      'Set one, in USD per million tokens (input,output):',
      '  cairn config set prices.no-such 3,15',
      '  then: cairn doctor --rebuild',
    ])
  })

  it('are named by their first models', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `x-${name}`)
    expect(unpricedLines({ withPrice: [], withoutPrice: models(2, ...names) })[0]).toBe(
      'Without a known price: x-a (2 requests), x-b (2 requests), x-c (2 requests), x-d (2 requests), x-e (2 requests) and 2 more.',
    )
  })

  it('have a command without the name where that is unsafe in a shell', () => {
    expect(unpricedLines({ withPrice: [], withoutPrice: models(1, 'a b') })).toContain(
      "  cairn config set prices.'<model>' 3,15",
    )
  })
})
