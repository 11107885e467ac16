import { describe, expect, it } from '@jest/globals'
import { routeOf, upstreamPath } from './routes.ts'

describe('routeOf', () => {
  it.each([
    ['POST', '/v1/messages?beta=true', {}, 'anthropic', true],
    ['POST', '/v1/messages/count_tokens', {}, 'anthropic', false],
    ['POST', '/v1/responses', {}, 'responses', true],
    ['POST', '/responses', {}, 'responses', true],
    ['GET', '/v1/responses/resp_1', {}, 'responses', false],
    ['POST', '/v1/chat/completions', {}, 'chat', true],
    ['GET', '/v1/models', {}, 'chat', false],
    ['GET', '/v1/models', { 'anthropic-version': '2023-06-01' }, 'anthropic', false],
    ['POST', '/v1/embeddings', {}, 'chat', false],
    ['POST', '/api/event_logging/batch', {}, 'anthropic', false],
    ['GET', '/v1/messages', {}, 'anthropic', false],
  ] as const)('takes %s %s with %j for %s, recorded: %s', (method, url, headers, wire, asksForReply) => {
    expect(routeOf(method, url, headers)).toEqual({ wire, asksForReply })
  })
})

describe('upstreamPath', () => {
  it.each([
    ['https://api.anthropic.com', 'anthropic', '/v1/messages?beta=true', '/v1/messages?beta=true'],
    ['https://x.example/anthropic/', 'anthropic', '/v1/messages', '/anthropic/v1/messages'],
    ['https://x.example/v1', 'anthropic', '/v1/messages', '/v1/messages'],
    ['https://api.openai.com/v1', 'responses', '/v1/responses', '/v1/responses'],
    ['https://api.openai.com/v1', 'responses', '/responses', '/v1/responses'],
    ['http://localhost:8080', 'chat', '/v1/chat/completions', '/v1/chat/completions'],
    ['https://openrouter.ai/api/v1', 'chat', '/v1/chat/completions', '/api/v1/chat/completions'],
    ['https://chatgpt.com/backend-api/codex', 'responses', '/v1/responses', '/backend-api/codex/responses'],
    ['https://api.openai.com/v1', 'chat', '/v1', '/v1'],
    ['https://api.openai.com/v1', 'chat', '/v1beta/x', '/v1/v1beta/x'],
  ] as const)('at %s (%s) makes of %s %s', (base, wire, url, path) => {
    expect(upstreamPath(new URL(base), wire, url)).toBe(path)
  })
})
