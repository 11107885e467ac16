import { describe, expect, it } from '@jest/globals'
import { providerName, providerOfRequest } from './request-provider.ts'

describe('providerOfRequest', () => {
  it.each([
    ['anthropic', 'opencode', 'claude-sonnet-4-5', 'anthropic'],
    ['OpenAI-native', 'cline', 'gpt-5.1', 'openai'],
    ['openrouter', 'cline', 'anthropic/claude-sonnet-4-5', 'openrouter'],
    ['bedrock', 'roo', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws'],
    ['our-gateway', 'pi', 'claude-opus-4-5', 'our-gateway'],
    [null, 'claude-code', 'claude-opus-4-5', 'anthropic'],
    [null, 'copilot', 'claude-sonnet-4-5', 'github-copilot'],
    [null, 'cursor', 'gpt-5', 'cursor'],
    ['  ', 'aider', 'openrouter/anthropic/claude-sonnet-4-5', 'openrouter'],
    [null, 'aider', 'gemini/gemini-2.5-pro', 'google'],
    [null, 'aider', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws'],
    [null, 'continue', 'Claude-3-7-Sonnet[1m]', 'anthropic'],
    [null, 'continue', 'o3-mini', 'openai'],
    [null, 'continue', 'ollama/qwen3', 'ollama'],
    [null, 'clio', 'glm-4.7', 'zai'],
    [null, 'clio', 'my-org/a-model', 'unknown'],
    [null, 'generic', 'orca-2', 'unknown'],
    [null, 'generic', '', 'unknown'],
  ])('of %s by %s with %s is known', (provider, agent, model, expected) => {
    expect(providerOfRequest({ provider, agent, model })).toBe(expected)
  })

  it('is compared with what settings name by the same name', () => {
    expect([' Gemini', 'copilot', 'Anthropic'].map(providerName)).toEqual(['google', 'github-copilot', 'anthropic'])
  })
})
