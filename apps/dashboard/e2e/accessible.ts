/** What axe finds in a page, and whether it is wider than its window. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Loaded into the page by the debugger, which the page's policy does not bind. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules that the page breaks, each with its first element. */
export const violationsOf = async (page: Page): Promise<readonly (readonly [string, string | undefined])[]> => {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<{ readonly violations: readonly AxeViolation[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  )
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html])
}

/** Whether it has to be scrolled sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
