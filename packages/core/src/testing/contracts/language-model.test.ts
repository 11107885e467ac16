import { runLanguageModelContract } from './language-model.ts'
import { createReferenceModel, REFERENCE_CAPABILITIES } from './language-model/reference.fixture.ts'

runLanguageModelContract(
  { describe, it, expect },
  {
    name: 'the reference',
    wire: 'anthropic',
    create: (url, key, times) => createReferenceModel({ url, key, ...times }),
    capabilities: REFERENCE_CAPABILITIES,
  },
)
