import { describe, expect, it } from '@jest/globals'
import { parsePageMessage } from './messages.ts'

describe("the page's messages", () => {
  it.each([
    { type: 'ready' },
    { type: 'send', text: 'hello' },
    { type: 'answer', callId: 'c', decision: 'deny', feedback: 'not there' },
    { type: 'answer', callId: 'c', decision: 'always' },
    { type: 'mode', mode: 'plan' },
    { type: 'open-link', address: 'https://a.example' },
    { type: 'take-back', itemId: 12 },
  ])('%j', (message) => {
    expect(parsePageMessage(message)).toEqual(message)
  })

  it.each([
    undefined,
    null,
    'ready',
    [],
    { type: 'run', command: 'rm -rf /' },
    { type: 'send' },
    { type: 'send', text: '' },
    { type: 'send', text: 'x'.repeat(500_001) },
    { type: 'send', text: 'x', mode: 'act' },
    { type: 'answer', callId: 'c', decision: 'yes' },
    { type: 'answer', callId: '', decision: 'allow' },
    { type: 'mode', mode: 'all' },
    { type: 'open-diff', itemId: -1 },
    { type: 'take-back', itemId: 'all' },
    { type: 'open-link', address: 7 },
  ])('passes anything else over', (message) => {
    expect(parsePageMessage(message)).toBeUndefined()
  })
})
