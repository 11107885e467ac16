import { describe, expect, it } from '@jest/globals'
import type { ContentBlock } from '../messages.ts'
import { withoutBrokenSignatures } from './broken-signatures.ts'

const reply = (...content: readonly ContentBlock[]) =>
  ({ kind: 'message', id: 'm', at: 1, role: 'assistant', content }) as const

const SEAL = { type: 'thinking', text: '', signature: 'c2VhbA==', signedBy: 'google' } as const
const CALL = { type: 'tool_call', id: 'c', name: 'run', input: { token: '[redacted:github-token]' } } as const

describe('withoutBrokenSignatures', () => {
  it("takes Google's signature of a call or a text that a secret was taken out of", () => {
    const text = { type: 'text', text: 'It is [redacted:jwt].' } as const
    const { content } = withoutBrokenSignatures(reply(SEAL, CALL, SEAL, text))
    expect(content).toEqual([{ type: 'thinking', text: '' }, CALL, { type: 'thinking', text: '' }, text])
  })

  it('leaves signatures of what is unchanged', () => {
    const entry = reply(
      SEAL,
      { type: 'text', text: 'I look.' },
      { type: 'thinking', text: 'hm', signature: 'c2VhbA==' },
      CALL,
    )
    expect(withoutBrokenSignatures(entry)).toBe(entry)
  })
})
