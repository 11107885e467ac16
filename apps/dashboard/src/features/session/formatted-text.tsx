/** A text of an entry in one of the ways that texts are drawn in. */
import { Suspense, lazy } from 'react'
import { MarkedText } from './marked-words.tsx'

/** As a person wrote it, as Markdown, or in the type of code. */
export type TextFormat = 'plain' | 'markdown' | 'code'

const loadMarkdown = () => import('./markdown-text.tsx')

/** Loaded beside the page: its parser is as large as a fifth of the page's own script. */
const MarkdownText = lazy(async () => ({ default: (await loadMarkdown()).MarkdownText }))

// Begun before the first reply is there, so that replies seldom have to be drawn twice.
if (typeof window !== 'undefined') void loadMarkdown()

interface FormattedTextProps {
  readonly text: string
  readonly seq: number
  readonly format: TextFormat
}

/** Draws a text; in the entry that was found, with its words marked. */
export const FormattedText = ({ text, seq, format }: FormattedTextProps) => {
  const plain = <MarkedText text={text} seq={seq} />
  if (format !== 'markdown') return plain
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap">{plain}</div>}>
      <MarkdownText text={text} seq={seq} />
    </Suspense>
  )
}
