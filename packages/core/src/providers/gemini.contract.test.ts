import { describe, expect, it } from '@jest/globals'
import { runLanguageModelContract } from '../testing/index.ts'
import { createGeminiModel } from './gemini.ts'

runLanguageModelContract(
  { describe, it, expect },
  {
    name: 'gemini',
    wire: 'gemini',
    create: (url, key, times) => createGeminiModel({ baseUrl: url, apiKey: key, ...times }),
    capabilities: {
      tools: true,
      'parallel-tools': true,
      'tool-input-pieces': 'calls come whole',
      'forced-tool': true,
      'cache-breakpoints': 'the API finds what it has kept by itself',
      images: true,
      'structured-output': true,
      'retry-after': true,
      'overflow-counts': true,
      thinking: true,
      'signed-thinking': true,
      'automatic-cache': true,
      'count-tokens': true,
      pause: 'the API does not pause replies',
      'early-usage': 'the usage comes with the last chunk',
    },
  },
)
