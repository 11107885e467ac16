import { describe, expect, it } from '@jest/globals'
import { runLanguageModelContract } from '../testing/index.ts'
import { createOpenAIChatModel } from './openai-chat.ts'

runLanguageModelContract(
  { describe, it, expect },
  {
    name: 'openai-chat',
    wire: 'openai-chat',
    model: 'gpt-5.6',
    create: (url, key, times) => createOpenAIChatModel({ baseUrl: `${url}/v1`, apiKey: key, ...times }),
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
      thinking: 'OpenAI does not show it on this API',
      'signed-thinking': 'OpenAI does not give it on this API',
      'automatic-cache': true,
      'count-tokens': 'the API has no counter',
      pause: 'the API does not pause replies',
      'early-usage': 'the usage comes with the last event',
    },
  },
)
