/** What a call writes into files, as lines that went and came. */
import type { EditView } from '@cairn/core/conversation'
import { MarkedText } from './marked-words.tsx'

type Kind = EditView['lines'][number]['kind']

const SIGNS: Readonly<Record<Kind, string>> = { added: '+', removed: '−', context: ' ', hunk: '⋯', file: '' }
const COLORS: Readonly<Record<Kind, string>> = {
  added: 'bg-(--added)',
  removed: 'bg-(--removed)',
  context: '',
  hunk: 'text-muted',
  file: 'font-semibold',
}
/** What is read to those who do not see the colour. */
const SPOKEN: Readonly<Partial<Record<Kind, string>>> = { added: 'added', removed: 'removed' }

/**
 * `+2 −1`: how many lines an edit adds and removes, with `, deleted` where it deletes files (`, 2 deleted` where its
 * lines are of several files); only `deleted` where it deletes and has no such lines.
 */
export const EditCounts = ({ lines, deletes }: Pick<EditView, 'lines' | 'deletes'>) => {
  const count = (wanted: Kind): number => lines.filter(({ kind }) => kind === wanted).length
  const [added, removed, files] = [count('added'), count('removed'), count('file')]
  const isOnlyDeleted = deletes > 0 && added + removed === 0
  return (
    <span className="shrink-0 tabular-nums">
      {!isOnlyDeleted && `+${added} −${removed}`}
      {deletes > 0 && `${isOnlyDeleted ? '' : ', '}${files > 1 ? `${deletes} ` : ''}deleted`}
    </span>
  )
}

interface EditLinesProps extends Pick<EditView, 'lines' | 'linesLeft'> {
  /** The entry that they are in. */
  readonly seq: number
}

/** The lines of an edit; in the entry that was found, with its words marked. */
export const EditLines = ({ lines, linesLeft, seq }: EditLinesProps) => (
  <div className="overflow-x-auto font-mono text-xs leading-relaxed">
    <div className="w-max min-w-full">
      {lines.map(({ kind, text }, index) => (
        // An edit's lines never change.
        <div key={index} className={`px-1 whitespace-pre ${COLORS[kind]}`} dir="ltr">
          <span aria-hidden="true" className="inline-block w-4 text-muted select-none">
            {SIGNS[kind]}
          </span>
          {SPOKEN[kind] !== undefined && <span className="sr-only">{SPOKEN[kind]}: </span>}
          <MarkedText text={text} seq={seq} />
        </div>
      ))}
    </div>
    {linesLeft > 0 && <p className="mt-1 text-muted">{linesLeft.toLocaleString('en-US')} more lines</p>}
  </div>
)
