/** Reads every figure of a page, with what it is a figure of. */
import type { Page } from 'playwright-core'

/** A figure's text by its table, row and column, or by its tile. */
type ShownFigures = ReadonlyMap<string, string>

export interface ShownPage {
  readonly figures: ShownFigures
  /** Keys of the rows of each table, in their order; the total has none. */
  readonly rows: ReadonlyMap<string, readonly string[]>
  /** Titles of the notices that stand in the place of figures. */
  readonly notices: readonly string[]
}

/** The name of a figure in a table; the row of totals is `Total`. */
export const figureOf = (table: string, row: string, measure: string): string => `${table} / ${row} / ${measure}`

interface Read {
  readonly figures: readonly (readonly [string, string])[]
  readonly rows: readonly (readonly [string, string])[]
  readonly notices: readonly string[]
}

/** Runs in the page. What only screen readers are told is left out. */
const read = (): Read => {
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element
    for (const hidden of copy.querySelectorAll('[hidden], .sr-only')) hidden.remove()
    return copy.textContent.replace(/\s+/g, ' ').trim()
  }
  const main = document.querySelector('main')
  if (main === null) return { figures: [], rows: [], notices: [] }
  const figures: [string, string][] = []
  const rows: [string, string][] = []
  for (const name of ['total', 'below', 'change', 'changeSentence', 'spending', 'spendingBelow', 'causeCost'])
    for (const tile of main.querySelectorAll<HTMLElement>(
      `[data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}]`,
    ))
      figures.push([`${name} / ${tile.dataset[name] ?? ''}`, textOf(tile)])
  for (const table of main.querySelectorAll<HTMLElement>('[data-table]')) {
    const name = table.dataset['table'] ?? ''
    for (const row of table.querySelectorAll<HTMLElement>('[data-key]')) rows.push([name, row.dataset['key'] ?? ''])
    for (const cell of table.querySelectorAll<HTMLElement>('[data-measure]')) {
      const row = cell.closest('tfoot') === null ? cell.closest<HTMLElement>('[data-key]')?.dataset['key'] : 'Total'
      figures.push([`${name} / ${row ?? ''} / ${cell.dataset['measure'] ?? ''}`, textOf(cell)])
    }
  }
  for (const remark of main.querySelectorAll('[data-remark]')) figures.push([`remark / ${textOf(remark)}`, ''])
  const notices = [...main.querySelectorAll('[role=status] h2, [role=alert] h2')].map(textOf)
  return { figures, rows, notices }
}

/** What the page shows; throws where a figure is there twice. */
export const shownPage = async (page: Page): Promise<ShownPage> => {
  const found = await page.evaluate(read)
  const figures = new Map<string, string>()
  for (const [name, text] of found.figures) {
    if (figures.has(name)) throw new Error(`"${name}" is on the page twice`)
    figures.set(name, text)
  }
  const rows = new Map<string, string[]>()
  for (const [table, key] of found.rows) rows.set(table, [...(rows.get(table) ?? []), key])
  return { figures, rows, notices: found.notices }
}

const DATA = /\/api\/trpc\/(?!live\.)/

/**
 * A function that goes to an address and resolves when the page has asked for all that it shows and has drawn it.
 * @param page no other function must navigate it
 */
export const createVisits = (page: Page): ((url: string) => Promise<void>) => {
  let open = new Set<object>()
  page.on('request', (request) => {
    if (DATA.test(request.url())) open.add(request)
  })
  const closed = (request: object): void => void open.delete(request)
  page.on('requestfinished', closed)
  page.on('requestfailed', closed)
  return async (url) => {
    open = new Set()
    await page.goto(url, { waitUntil: 'commit' })
    // Loading is said by a status without a title, which is there from the first byte on.
    await page.locator('main :is([data-total], [data-table], [role=status] h2, [role=alert] h2)').first().waitFor()
    for (let quiet = 0; quiet < 3;) {
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20)))')
      quiet = open.size === 0 ? quiet + 1 : 0
    }
  }
}
