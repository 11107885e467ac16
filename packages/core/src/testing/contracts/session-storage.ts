/** The contract that every SessionStorage keeps. */
import { runAppendContract } from './session-append.ts'
import { runDeleteContract } from './session-delete.ts'
import { runListContract } from './session-lists.ts'
import { runTextContract } from './session-texts.ts'
import type { OpenStore, TestApi } from './test-api.ts'

/** Runs the suite; `open` gives a new, empty store each time. */
export const runSessionStorageContract = (api: TestApi, open: OpenStore): void => {
  api.describe('SessionStorage', () => {
    runAppendContract(api, open)
    runTextContract(api, open)
    runListContract(api, open)
    runDeleteContract(api, open)
  })
}
