/** The numbers of one step of a chart, beside it: under the pointer, or when the keyboard has come to it. */
import { Swatch } from './swatch.tsx'

/** One class of what is drawn. */
interface HintLine {
  readonly name: string
  readonly color: string
  readonly text: string
}

/** The numbers of a step. */
export interface HintContent {
  readonly title: string
  readonly lines: readonly HintLine[]
  /** Below the lines: their sum, or the line that matters most. */
  readonly foot: { readonly name: string; readonly text: string }
  /** What else happened there. */
  readonly remarks?: readonly string[]
}

/** Returns a hint's content on one line for screen readers: title, foot, a part for each class, remarks. */
export const hintText = ({ title, lines, foot, remarks = [] }: HintContent): string =>
  [title, `${foot.name}: ${foot.text}`, ...lines.map(({ name, text }) => `${name}: ${text}`), ...remarks].join('; ')

/** A box with the title, a line for each class from the top of the bar down (the last given first), and the foot. */
export const ChartHint = ({ title, lines, foot, remarks = [] }: HintContent) => (
  <div data-hint="" className="rounded-lg border border-line bg-panel px-3 py-2 text-xs shadow-lg">
    <p className="font-semibold">{title}</p>
    <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 tabular-nums">
      {lines.toReversed().map(({ name, color, text }) => (
        <div key={name} className="contents">
          <dt className="contents">
            <Swatch color={color} />
            <span className="[overflow-wrap:anywhere] text-muted">{name}</span>
          </dt>
          <dd className="text-right">{text}</dd>
        </div>
      ))}
      <div className="col-span-3 flex items-baseline justify-between gap-x-2 border-t border-line pt-1">
        <dt className="min-w-0 [overflow-wrap:anywhere] text-muted">{foot.name}</dt>
        <dd className="font-semibold">{foot.text}</dd>
      </div>
    </dl>
    {remarks.map((remark) => (
      <p key={remark} className="mt-1.5 text-danger">
        {remark}
      </p>
    ))}
  </div>
)
