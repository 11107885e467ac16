import { runLanguageModelContract } from './language-model.ts'
import { createReferenceModel, type Mistake } from './language-model/reference.fixture.ts'
import type { LanguageModelSubject } from './language-model/subject.ts'

const subject = (mistake?: Mistake): LanguageModelSubject => ({
  name: mistake === undefined ? 'the reference' : `one that ${mistake}`,
  wire: 'anthropic',
  create: (url, key, times) => createReferenceModel({ url, key, mistake, ...times }),
  capabilities: {
    thinking: true,
    'signed-thinking': true,
    tools: true,
    'parallel-tools': true,
    'tool-input-pieces': true,
    'forced-tool': true,
    'cache-breakpoints': true,
    'automatic-cache': 'the request marks what to cache',
    'count-tokens': true,
    images: true,
    'structured-output': true,
    pause: true,
    'early-usage': true,
    'retry-after': true,
    'overflow-counts': true,
  },
})

runLanguageModelContract({ describe, it, expect }, subject())
