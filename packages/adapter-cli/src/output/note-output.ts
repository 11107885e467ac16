/** A note that was found, as people read it. */
import { snippetFor } from '@cairn/core'
import type { Marker, Note } from '@cairn/core'
import { formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapAfter } from '../terminal/wrap.ts'

/** Returns a note as lines, safe to print: key and time, its project if given, and the snippet for a query. */
export const noteLines = (
  note: Note,
  marker: Marker,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
  project?: string,
): readonly string[] => [
  ...wrapAfter(
    '',
    `${neutraliseLine(note.key)} · note${project === undefined ? '' : ` · project ${neutraliseLine(project)}`} · changed ${formatTime(note.updatedAt)}`,
    width,
  ).map((line) => style('dim', line)),
  ...wrapAfter('  ', neutraliseLine(snippetFor(note.text, marker).text), width).map((line) =>
    marker.mark(line, (hit) => style('bold', hit)),
  ),
]
