import { describe, expect, it } from '@jest/globals'
import { currentModels } from './current-models.ts'

describe('currentModels', () => {
  it('are the newest version of each series', () => {
    const ids = [
      'claude-opus-4-1',
      'claude-opus-4-5',
      'claude-sonnet-5',
      'claude-opus-5',
      'claude-3-opus-latest',
      'claude-2',
    ]
    expect(currentModels('anthropic', ids)).toEqual(['claude-opus-5', 'claude-sonnet-5'])
    expect(currentModels('openai', ['gpt-5.10', 'gpt-5.9', 'gpt-5.4-mini', 'gpt-4o', 'gpt-realtime'])).toEqual([
      'gpt-5.10',
      'gpt-5.4-mini',
    ])
  })

  it('prefer a name without the date of its release', () => {
    const ids = ['claude-haiku-4-5-20251001', 'claude-haiku-4-5', 'claude-haiku-4-5-latest']
    expect(currentModels('anthropic', ids)).toEqual(['claude-haiku-4-5'])
    expect(currentModels('google', ['gemini-3-pro-preview', 'gemini-2.5-pro'])).toEqual(['gemini-3-pro-preview'])
  })

  it('are no models of others, nor those of another kind', () => {
    expect(currentModels('groq', ['llama-3.3-70b'])).toEqual([])
    expect(currentModels('google', ['claude-opus-5', 'gemini-3-flash-image', 'gemini-3-flash'])).toEqual([
      'gemini-3-flash',
    ])
  })
})
