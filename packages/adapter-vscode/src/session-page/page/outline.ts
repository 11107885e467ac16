/** The list of turns beside the conversation: what each cost, and where it begins. One stop of the keyboard; arrow keys go from turn to turn. */
import { counted } from '../../text/format.ts'
import { button, element } from '../../webview/page/dom.ts'
import type { OutlineRow, OutlineView } from '../outline-rows.ts'

/** The outline beside the conversation. */
export interface OutlineList {
  readonly element: HTMLElement
  update(outline: OutlineView): void
  /** The entry at the upper edge of the conversation: its turn is marked. */
  mark(seq: number): void
}

/**
 * Returns the rows with the most expensive turns first, equal ones in the order of the log; each turn keeps its
 * subagents below it, in their order. The given rows stay as they are.
 */
const byCost = (rows: readonly OutlineRow[]): readonly OutlineRow[] => {
  const groups: OutlineRow[][] = []
  for (const row of rows) {
    if (row.isSubagent) groups.at(-1)?.push(row)
    else groups.push([row])
  }
  return groups.toSorted((left, right) => (right[0]?.weight ?? 0) - (left[0]?.weight ?? 0)).flat()
}

/**
 * Returns the element of a row: number and text with the cost, below it tokens, context, duration and errors, and for a
 * turn a bar of its share of the highest cost. A click goes to its entry; a row without one does nothing.
 */
const rowElement = (row: OutlineRow, goTo: (seq: number) => void): HTMLElement => {
  const { seq, turn, isSubagent, text, cost, tokens, context, took, errors, about } = row
  const made = button(
    '',
    () => {
      if (seq !== null) goTo(seq)
    },
    {
      class: `row-button${isSubagent ? ' subagent' : ''}`,
      title: about,
      tabindex: '-1',
      'aria-disabled': seq === null ? 'true' : undefined,
    },
  )
  made.append(
    element(
      'span',
      { class: 'line' },
      element('span', { class: 'words' }, isSubagent ? '↳ ' : `${turn} `),
      element('span', { class: 'name' }, text),
      element('span', {}, ` ${cost}`),
    ),
    element(
      'span',
      { class: 'line words' },
      [`${tokens} tokens`, ...(context === '' ? [] : [`context ${context}`]), ...(took === '' ? [] : [took])].join(
        ' · ',
      ),
      ...(errors === 0 ? [] : [element('span', { class: 'error-words' }, ` · ${counted(errors, 'error')}`)]),
    ),
  )
  if (!isSubagent) {
    const bar = element('span', { class: 'bar', 'aria-hidden': 'true' })
    bar.style.width = `${Math.round(row.weight * 100)}%`
    made.append(bar)
  }
  const item = element('li', {}, made)
  if (seq !== null && !isSubagent) item.dataset['turn'] = String(seq)
  return item
}

/** Moves the focus from row to row by arrow keys, Home and End; only the focused row is in the tab order. */
const moveInList = (event: KeyboardEvent, list: HTMLElement): void => {
  const rows = [...list.querySelectorAll<HTMLButtonElement>('button')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  const row = next === undefined ? undefined : rows[next]
  if (row === undefined || at === -1) return
  event.preventDefault()
  for (const other of rows) other.tabIndex = -1
  row.tabIndex = 0
  row.focus()
}

/** Returns the row of the turn that contains an entry; undefined before the first turn. */
const rowOf = (list: HTMLElement, seq: number): HTMLElement | undefined => {
  let found: HTMLElement | undefined
  for (const item of list.querySelectorAll<HTMLElement>('li[data-turn]')) {
    const begins = Number(item.dataset['turn'])
    if (begins <= seq && begins >= Number(found?.dataset['turn'] ?? 0)) found = item
  }
  return found?.querySelector('button') ?? undefined
}

/**
 * Returns an empty outline. `goTo` scrolls the conversation to an entry. `mark` shows the turn that contains an entry;
 * while the keyboard is in the list nothing scrolls.
 */
export const createOutline = (goTo: (seq: number) => void): OutlineList => {
  const list = element('ol', { class: 'turns', 'aria-label': 'Turns of the session' })
  const total = element('p', { class: 'total' }, 'Reading…')
  const order = button('Most expensive first', () => turnOrder(), { class: 'quiet', 'aria-pressed': 'false' })
  let shown: OutlineView | undefined
  let isByCost = false
  let current: number | undefined

  const draw = (): void => {
    if (shown === undefined) return
    const hadFocus = list.contains(document.activeElement)
    const rows = isByCost ? byCost(shown.rows) : shown.rows
    list.replaceChildren(...rows.map((row) => rowElement(row, goTo)))
    const first = list.querySelector('button')
    if (first !== null) first.tabIndex = 0
    if (hadFocus) first?.focus()
    markCurrent()
  }
  const turnOrder = (): void => {
    isByCost = !isByCost
    order.setAttribute('aria-pressed', String(isByCost))
    draw()
  }
  const markCurrent = (): void => {
    if (current === undefined) return
    for (const row of list.querySelectorAll('[aria-current]')) row.removeAttribute('aria-current')
    const row = rowOf(list, current)
    if (row === undefined) return
    row.setAttribute('aria-current', 'location')
    // Who is in the list with the keyboard stays where they are.
    if (!list.contains(document.activeElement)) row.scrollIntoView({ block: 'nearest' })
  }
  list.addEventListener('keydown', (event) => moveInList(event, list))
  return {
    element: element(
      'nav',
      { class: 'outline', 'aria-label': 'Outline' },
      element('div', { class: 'outline-head' }, total, order),
      list,
    ),
    update: (outline) => {
      shown = outline
      total.textContent = `${counted(outline.turns, 'turn')} · ${outline.cost} · ${outline.tokens} tokens`
      draw()
    },
    mark: (seq) => {
      if (seq === current) return
      current = seq
      markCurrent()
    },
  }
}
