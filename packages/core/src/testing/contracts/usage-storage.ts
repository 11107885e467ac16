/** The contract that every UsageStorage keeps. */
import type { OpenStore, TestApi } from './test-api.ts'
import { runUsageFailuresContract } from './usage-failures.ts'
import { runUsageMergingContract } from './usage-merging.ts'
import { runUsageMoversContract } from './usage-movers.ts'
import { runUsageOrderContract } from './usage-order.ts'
import { runUsagePartialContract } from './usage-partial.ts'
import { runUsageProvidersContract } from './usage-providers.ts'
import { runUsageSubagentsContract } from './usage-subagents.ts'
import { runUsageSumsContract } from './usage-sums.ts'
import { runUsageTimeContract } from './usage-time.ts'

/** Runs the suite; `open` gives a new, empty store each time. */
export const runUsageStorageContract = (api: TestApi, open: OpenStore): void => {
  api.describe('UsageStorage', () => {
    runUsageSumsContract(api, open)
    runUsagePartialContract(api, open)
    runUsageOrderContract(api, open)
    runUsageTimeContract(api, open)
    runUsageMergingContract(api, open)
    runUsageFailuresContract(api, open)
    runUsageMoversContract(api, open)
    runUsageProvidersContract(api, open)
    runUsageSubagentsContract(api, open)
  })
}
