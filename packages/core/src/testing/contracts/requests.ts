/** The contract of requests that are recorded with their messages, run over a store and on each wire. */
import { runConversations } from './requests/conversations.ts'
import { runFaults } from './requests/faults.ts'
import { runLongSessions } from './requests/long-session.ts'
import { requestTests, type RequestSuite } from './requests/workbench.ts'
import type { OpenStore, TestApi } from './test-api.ts'

/** Defines the tests of this contract with the functions in `api`; each opens a store of its own. */
export const runRequestsContract = (api: TestApi, open: OpenStore): void => {
  const suite: RequestSuite = { expect: api.expect, test: requestTests(api, open) }
  api.describe('requests', () => {
    api.describe('faults', () => runFaults(suite))
    api.describe('conversations', () => runConversations(suite))
    api.describe('a long session', () => runLongSessions(suite))
  })
}
