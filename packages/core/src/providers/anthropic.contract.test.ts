import { describe, expect, it } from '@jest/globals'
import { runLanguageModelContract } from '../testing/index.ts'
import { createAnthropicModel } from './anthropic.ts'

runLanguageModelContract(
  { describe, it, expect },
  {
    name: 'anthropic',
    wire: 'anthropic',
    create: (url, key, times) => createAnthropicModel({ baseUrl: url, apiKey: key, ...times }),
    capabilities: {
      tools: true,
      'parallel-tools': true,
      'tool-input-pieces': true,
      'forced-tool': true,
      'cache-breakpoints': true,
      images: true,
      'structured-output': true,
      'retry-after': true,
      'overflow-counts': true,
      thinking: true,
      'signed-thinking': true,
      'automatic-cache': 'the request marks what to cache',
      'count-tokens': true,
      pause: true,
      'early-usage': true,
    },
  },
)
