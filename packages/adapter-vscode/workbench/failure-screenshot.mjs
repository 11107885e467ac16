// A picture of what a failed test saw.
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For `afterEach`: keeps a screenshot of a failed test in the temporary folder.
 * @param {{ passed: boolean | undefined, name: string }} test
 * @param {{ page: import('playwright-core').Page } | undefined} window
 */
export const keepScreenshotOf = async (test, window) => {
  if (test.passed === false)
    await window?.page.screenshot({ path: join(tmpdir(), `cairn-workbench-${test.name.replace(/\W+/g, '-')}.png`) })
}
