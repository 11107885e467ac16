/** A text in parts: what a person or model wrote as it is, what a program put between tags under what that means. */
import { StoreText } from '../../components/store-text.tsx'
import type { TaggedText } from '@cairn/core/conversation'
import { FormattedText, type TextFormat } from './formatted-text.tsx'
import { MarkedText, useHasMark } from './marked-words.tsx'

interface TaggedPartsProps extends Pick<TaggedText, 'parts'> {
  readonly seq: number
  /** Of what stands between no tags. */
  readonly format: TextFormat
}

/** Longer parts are out of the way until they are opened. */
const SHORT = 160

/**
 * Draws parts in their order: one with a label is a chip if it is short, else a fold, which is open if it holds a
 * marked word.
 */
export const TaggedParts = ({ parts, seq, format }: TaggedPartsProps) => {
  const hasMark = useHasMark(seq)
  return parts.map(({ text, label }, index) => {
    // Parts keep their order.
    if (label === undefined) return <FormattedText key={index} text={text} seq={seq} format={format} />
    const name = (
      <span className="font-medium text-ink">
        <StoreText text={label} />
      </span>
    )
    return text.length <= SHORT && !text.includes('\n') ? (
      <span
        key={index}
        data-tag=""
        className="my-1 block rounded-lg border border-dashed border-line px-2.5 py-1 text-xs text-muted"
      >
        {name} <MarkedText text={text} seq={seq} />
      </span>
    ) : (
      <details
        key={index}
        data-tag=""
        open={hasMark(text) || undefined}
        className="my-1 rounded-lg border border-dashed border-line text-xs text-muted"
      >
        <summary className="cursor-pointer rounded-lg px-2.5 py-1">
          {name} <span className="tabular-nums">({text.length.toLocaleString('en-US')} characters)</span>
        </summary>
        <div className="px-2.5 pb-2 whitespace-pre-wrap">
          <MarkedText text={text} seq={seq} />
        </div>
      </details>
    )
  })
}
