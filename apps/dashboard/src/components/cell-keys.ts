/** Arrow keys go from figure to figure of a table, so that one stop of the keyboard leads to all of them. */

const FIGURE = '[data-figure]'

/** Whether an element is part of the layout. */
const isShown = (element: HTMLElement): boolean => element.getClientRects().length > 0

/** Returns the figure in a cell that has notes to show; undefined if there is none, or it is hidden. */
const figureIn = (cell: Element | undefined): HTMLElement | undefined => {
  const figure = cell?.querySelector<HTMLElement>(FIGURE) ?? undefined
  return figure !== undefined && isShown(figure) ? figure : undefined
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

/**
 * Returns the next figure in the direction of an arrow key; undefined if there is none, or the key is another one.
 * Cells without a figure are passed over.
 */
export const figureBeside = (from: HTMLElement, key: string): HTMLElement | undefined => {
  const step = STEPS[key]
  const cell = from.closest<HTMLTableCellElement>('td')
  const row = cell?.parentElement
  const table = cell?.closest('table')
  if (
    step === undefined ||
    cell === null ||
    !(row instanceof HTMLTableRowElement) ||
    table === null ||
    table === undefined
  )
    return undefined
  const [down, right] = step
  const rows = [...table.rows]
  let [at, column] = [rows.indexOf(row) + down, cell.cellIndex + right]
  while (rows[at]?.cells[column] !== undefined) {
    const figure = figureIn(rows[at]?.cells[column])
    if (figure !== undefined) return figure
    at += down
    column += right
  }
  return undefined
}
