import { describe, expect, it } from '@jest/globals'
import { recordingSetting } from './start-thread.ts'

const SURROUNDINGS = { variables: {}, platform: 'linux', home: '/home/me', folder: '/code/harbour' } as const
const INPUT = { store: undefined, prices: {}, project: undefined }

describe('the recording thread', () => {
  it.each([
    ['nothing', {}, false],
    ['a policy', { policy: { name: 'cache-aware', preset: undefined } }, true],
    ['a budget', { budget: { limitUsd: 3, span: 'day' } }, true],
  ] as const)('is waited for by requests under %s: %j, %s', (_what, more, isAwaited) => {
    expect(recordingSetting({ ...INPUT, ...more }, SURROUNDINGS)).toMatchObject({ isAwaited, folder: '/code/harbour' })
  })
})
