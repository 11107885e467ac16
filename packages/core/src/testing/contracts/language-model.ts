/**
 * The contract that every LanguageModel keeps, run against the model server. A provider's suite is one call:
 *
 *     runLanguageModelContract({ describe, it, expect }, {
 *       name: 'acme',
 *       wire: 'openai-chat',
 *       create: (url, key, times) => createAcmeModel({ baseUrl: `${url}/v1`, apiKey: key, ...times }),
 *       capabilities: { tools: true, thinking: 'the API does not show it', … },
 *     })
 */
import { runBodies } from './language-model/bodies.ts'
import { runCancelling } from './language-model/cancelling.ts'
import { runFailures } from './language-model/failures.ts'
import { runLongSession } from './language-model/long-session.ts'
import { runRandomFaults } from './language-model/random-faults.ts'
import { runRecorded } from './language-model/recorded.ts'
import { runReplies } from './language-model/replies.ts'
import { testsOf, type LanguageModelSubject, type Suite } from './language-model/subject.ts'
import type { TestApi } from './test-api.ts'

/** Defines the tests of this contract with the functions in `api`. What a provider lacks is shown as left out, with why. */
export const runLanguageModelContract = (api: TestApi, subject: LanguageModelSubject): void => {
  const suite: Suite = { subject, expect: api.expect, test: testsOf(api, subject) }
  api.describe(`LanguageModel: ${subject.name}`, () => {
    api.describe('replies', () => runReplies(suite))
    api.describe('recorded bodies', () => runRecorded(suite))
    api.describe('requests', () => runBodies(suite))
    api.describe('failures', () => runFailures(suite))
    api.describe('cancelling', () => runCancelling(suite))
    api.describe('random faults', () => runRandomFaults(suite))
    api.describe('a long session', () => runLongSession(suite))
  })
}
