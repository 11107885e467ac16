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

/** Colours and widths that a page of its own kind is looked at in; all pages are in all of them elsewhere. */
export const LOOKS = [
  ['light', 400],
  ['dark', 1_280],
] as const

/** What axe finds once the page is still, and `too wide`. */
export const problemsOf = async (page: Page): Promise<readonly unknown[]> => {
  await page.waitForLoadState('networkidle')
  const isWide = await isTooWide(page)
  return [...(await violationsOf(page)), ...(isWide ? ['too wide'] : [])]
}
