/** A figure on the page: its text, with its notes on hover and a mark where it is incomplete. */
import { WithNotes } from '../../components/with-notes.tsx'
import type { Figure } from './figure.ts'

export const FigureText = ({ figure }: { readonly figure: Figure }) => (
  <WithNotes notes={figure.notes} isFocusable={figure.isIncomplete}>
    {figure.text}
  </WithNotes>
)
