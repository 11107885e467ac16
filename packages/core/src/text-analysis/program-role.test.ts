import { expect, it } from '@jest/globals'
import { prepareForAnalysis } from './message-text.ts'

it.each([
  ['Mend it', undefined, 'user'],
  ['[Request interrupted by user]', undefined, 'system'],
  ['<bash-stdout>done</bash-stdout>', undefined, 'system'],
  ['Mend it', 'meta', 'system'],
  ['So far', 'summary', 'user'],
] as const)('%j, origin %s, is indexed as a message of %s', (text, origin, role) => {
  const message = {
    role: 'user',
    content: [{ type: 'text', text }],
    ...(origin === undefined ? {} : { origin }),
  } as const
  expect(prepareForAnalysis(message, () => []).role).toBe(role)
})
