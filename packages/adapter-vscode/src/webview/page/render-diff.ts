/** A unified diff as an element. */
import type { DiffLine } from '../unified-diff.ts'
import { element } from './dom.ts'

const DIFF_WORDS: Readonly<Partial<Record<DiffLine['kind'], string>>> = { added: 'added: ', removed: 'removed: ' }
const DIFF_SIGNS: Readonly<Record<DiffLine['kind'], string>> = {
  added: '+',
  removed: '−',
  context: ' ',
  hunk: '',
  file: '',
}

/**
 * Returns a new `pre` with one element for each line of a diff. Added and removed lines have their sign, and a word for
 * screen readers, so that nothing depends on colours; context lines a blank, lines of the kinds `hunk` and `file` none.
 */
export const renderDiff = (lines: readonly DiffLine[]): HTMLElement =>
  element(
    'pre',
    { class: 'diff', tabindex: '0', role: 'region', 'aria-label': 'Changes', dir: 'ltr' },
    ...lines.map(({ kind, text }) =>
      element(
        'div',
        { class: kind },
        element('span', { class: 'sign', 'aria-hidden': 'true' }, DIFF_SIGNS[kind]),
        ...(DIFF_WORDS[kind] === undefined ? [] : [element('span', { class: 'spoken' }, DIFF_WORDS[kind])]),
        // An empty line is still a line.
        text === '' ? '\u00a0' : text,
      ),
    ),
  )
