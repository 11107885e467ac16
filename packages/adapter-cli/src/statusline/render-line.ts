/** A status line within a number of columns: whole segments or none, colours around text and never within a cut. */
import type { StatusPiece, Tone } from '@cairn/core/hooks'
import { shortenEnd, textWidth } from '../terminal/text-width.ts'

const BETWEEN = ' · '

const CODES: Readonly<Record<Tone, string>> = { plain: '', dim: '2', good: '32', warning: '33', alarm: '31' }

/** Our blocks and dots, one column each, for which the slow text segmenter is not needed. */
const OWN = /[█░·]/g

/** The columns of pieces on a terminal. */
const widthOf = (pieces: readonly StatusPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + textWidth(text.replace(OWN, ' ')), 0)

/** A piece as the terminal shows it, coloured if wanted. */
const shown = ({ text, tone }: StatusPiece, colours: boolean): string =>
  colours && CODES[tone] !== '' ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text

/**
 * Returns the segments as one line of at most `columns` columns: the last segments are left out first; if even the
 * first is too wide, it is cut. Empty without segments.
 */
export const renderLine = (
  segments: readonly (readonly StatusPiece[])[],
  { columns, colours }: { readonly columns: number; readonly colours: boolean },
): string => {
  let width = 0
  const kept: (readonly StatusPiece[])[] = []
  for (const pieces of segments) {
    const next = width + (kept.length === 0 ? 0 : BETWEEN.length) + widthOf(pieces)
    if (next > columns) break
    kept.push(pieces)
    width = next
  }
  const [first] = segments
  if (kept.length === 0 && first !== undefined) return shortenEnd(first.map(({ text }) => text).join(''), columns)
  const between = shown({ text: BETWEEN, tone: 'dim' }, colours)
  return kept.map((pieces) => pieces.map((piece) => shown(piece, colours)).join('')).join(between)
}
