/**
 * A unified diff as lines for a terminal: removed lines red, added lines green, long lines cut, and a count of omitted
 * lines.
 */
import { counted } from '../../terminal/format.ts'
import { neutralise } from '../../terminal/neutralise.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { shortenEnd } from '../../terminal/text-width.ts'

const INDENT = '  '

/**
 * Returns the lines of a diff, cut to the width, without unsafe characters: at most `most`, then a line with the number
 * of further ones (a single further one is shown instead). `isPlain` uses "removed" and "added" instead of symbols.
 * File headings are left out, because the call's title names the file.
 */
export const diffLines = (
  diff: string,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
  { most, isPlain }: { readonly most: number; readonly isPlain: boolean },
): readonly string[] => {
  const lines = neutralise(diff).replace(/\n+$/, '').replaceAll('\t', '    ').split('\n')
  const first = lines.findIndex((line) => line.startsWith('@@'))
  const body = first === -1 ? lines : lines.slice(first)
  const shown = body.length > most + 1 ? body.slice(0, most) : body
  const rest = body.length - shown.length
  const painted = shown.map((line) => {
    const text = shortenEnd(`${INDENT}${isPlain ? inWords(line) : line}`, width)
    if (line.startsWith('+')) return style('green', text)
    if (line.startsWith('-')) return style('red', text)
    return line.startsWith('@@') ? style('cyan', text) : style('dim', text)
  })
  return rest === 0
    ? painted
    : [...painted, style('dim', `${INDENT}${isPlain ? '' : '… '}${counted(rest, 'more line')}`)]
}

/**
 * Returns a line of a unified diff with a word instead of its sign; a line that begins a part tells where it is now.
 */
const inWords = (line: string): string => {
  if (line.startsWith('+')) return `added: ${line.slice(1)}`
  if (line.startsWith('-')) return `removed: ${line.slice(1)}`
  const [, number] = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line) ?? []
  return number === undefined ? `same: ${line.slice(1)}` : `at line ${number}:`
}
