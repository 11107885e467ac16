import { describe, expect, it } from '@jest/globals'
import { runLanguageModelContract } from '../testing/index.ts'
import { createOpenAIResponsesModel } from './openai-responses.ts'

runLanguageModelContract(
  { describe, it, expect },
  {
    name: 'openai-responses',
    wire: 'openai-responses',
    create: (url, key, times) => createOpenAIResponsesModel({ baseUrl: `${url}/v1`, apiKey: key, ...times }),
    capabilities: {
      tools: true,
      'parallel-tools': true,
      'tool-input-pieces': true,
      'forced-tool': true,
      'cache-breakpoints': true,
      images: true,
      'structured-output': true,
      'retry-after': true,
      'overflow-counts': 'the API does not tell how long the input was',
      thinking: true,
      'signed-thinking': true,
      'automatic-cache': true,
      'count-tokens': true,
      pause: 'the API does not pause replies',
      'early-usage': 'the usage comes with the last event',
    },
  },
)
