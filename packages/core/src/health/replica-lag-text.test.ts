import { describe, expect, it } from '@jest/globals'
import { replicaLagText } from './replica-lag-text.ts'

describe('The lag of a replica in words', () => {
  it('names seconds and bytes', () => {
    const lag = { seconds: 0, bytes: 0, isPaused: false, isConnected: true }
    expect(replicaLagText(lag)).toBe('0.0 s and 0 bytes behind')
    expect(replicaLagText({ ...lag, seconds: 4.26, bytes: 1234 })).toBe('4.3 s and 1,234 bytes behind')
    expect(replicaLagText({ ...lag, seconds: 4000.2, bytes: 5e9 })).toBe('4,000 s and 5,000,000,000 bytes behind')
  })

  it('says what is not known, and why it lags', () => {
    expect(replicaLagText({ seconds: null, bytes: null, isPaused: true, isConnected: false })).toBe(
      'an unknown time and an unknown number of bytes behind; it is paused and applies nothing until it is resumed; it is not connected to its server, which may have more that is new',
    )
  })
})
