import { describe, expect, it } from '@jest/globals'
import { servedBy } from './open-session-model.ts'

describe('servedBy', () => {
  const set = { model: 'm', provider: 'openai', baseUrl: 'http://localhost:9' } as const

  it('keeps the address that is set for the provider that is set with it', () => {
    expect(servedBy(set, {})).toEqual(set)
    expect(servedBy(set, { provider: 'openai' })).toEqual(set)
    expect(servedBy(set, { baseUrl: 'http://localhost:8' })).toEqual({ ...set, baseUrl: 'http://localhost:8' })
  })

  it('gives another provider none but its own, so that its key goes nowhere else', () => {
    expect(servedBy(set, { provider: 'anthropic' })).toEqual({ model: 'm', provider: 'anthropic', baseUrl: undefined })
    expect(servedBy({ ...set, provider: undefined }, { provider: 'anthropic' })).toMatchObject({ baseUrl: undefined })
    expect(servedBy(set, { provider: 'anthropic', baseUrl: 'http://localhost:8' })).toEqual({
      model: 'm',
      provider: 'anthropic',
      baseUrl: 'http://localhost:8',
    })
  })
})
