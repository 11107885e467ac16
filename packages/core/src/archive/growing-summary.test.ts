import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { conversation, options, tool, user } from '../summary/conversation.fixture.ts'
import type { ConversationMessage } from '../summary/conversation.ts'
import { summariseMessages } from '../summary/summarise-messages.ts'
import type { ThreadSummary } from '../summary/thread-summary.ts'
import { createGrowingSummary } from './growing-summary.ts'

const whole = (messages: readonly ConversationMessage[]): ThreadSummary => {
  const summary = summariseMessages(messages, options)
  return { ...summary, madeAt: summary.covered.lastAt }
}

it('equals the summary of the whole conversation at any point', () => {
  fc.assert(
    fc.property(fc.array(conversation, { maxLength: 4 }), fc.nat(60), (parts, every) => {
      const messages = parts.flat()
      const growing = createGrowingSummary()
      messages.forEach((message, index) => {
        growing.add(message)
        if (every > 20 && index % every === 0) expect(growing.summary()).toEqual(whole(messages.slice(0, index + 1)))
      })
      expect(growing.summary()).toEqual(whole(messages))
    }),
    { numRuns: 60 },
  )
})

it('a call without a result blocks nothing, and one with a late result is still counted', () => {
  const growing = createGrowingSummary()
  const [ask, answer] = tool('Bash', { command: 'git commit -m x' }, '[main 1a2b3c4] Fix')
  const messages = [ask, ...Array.from({ length: 1000 }, (_, index) => user(`request ${index}`)), answer].filter(
    (message) => message !== undefined,
  )
  for (const message of messages) growing.add(message)
  expect(growing.summary()).toMatchObject({
    covered: { messages: 1002 },
    commits: { items: [{ hash: '1a2b3c4', made: true }] },
    tools: { counts: [{ name: 'Bash', calls: 1 }] },
  })
  expect(growing.unanswered()).toEqual([])
})

it('the cost of another message depends on its own length, not on the conversation before it', () => {
  // Each text is read when it is summarised: with every message asked for, a message is read a bounded number of times.
  let reads = 0
  const growing = createGrowingSummary()
  const COUNT = 3000
  for (let index = 0; index < COUNT; index++) {
    const content = [
      {
        type: 'text' as const,
        get text() {
          reads += 1
          return `request ${index}`
        },
      },
    ]
    growing.add({ role: 'user', content })
    growing.summary()
  }
  expect(reads / COUNT).toBeLessThan(200)
})
