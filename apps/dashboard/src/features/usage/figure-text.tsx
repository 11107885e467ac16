/** A figure on the page: its text, with its notes on hover and focus, and a mark where it is incomplete. */
import { WithNotes } from '../../components/with-notes.tsx'
import type { Figure } from './figure.ts'

interface FigureTextProps {
  readonly figure: Figure
  /** A total, from which the keyboard gets to the figures of the rows. */
  readonly isTotal?: boolean
}

/** A {@link Figure} as text. Only a total shows its estimate beside it. */
export const FigureText = ({ figure, isTotal = false }: FigureTextProps) => (
  <WithNotes notes={figure.notes} isMarked={figure.isIncomplete} isStop={isTotal || figure.isIncomplete}>
    {figure.text}
    {isTotal && figure.estimate !== undefined && (
      <>
        {' '}
        <span className="text-[max(0.6em,0.75rem)] font-normal whitespace-nowrap text-muted">+ {figure.estimate}</span>
      </>
    )}
  </WithNotes>
)
