/** A few words in place of what can't be shown, with what to do next. */

interface NoticeAction {
  readonly label: string
  readonly run: () => void
}

interface NoticeProps {
  readonly title: string
  readonly text: string
  /** Shown as typed: a command. */
  readonly command?: string
  readonly action?: NoticeAction
  /** A second way out, beside the first. */
  readonly other?: NoticeAction
  readonly isAlert?: boolean
}

/**
 * A titled notice, with a command to run or buttons where they are given. `isAlert` has screen readers say it at once.
 */
export const Notice = ({ title, text, command, action, other, isAlert = false }: NoticeProps) => (
  <div role={isAlert ? 'alert' : 'status'} className="rounded-xl border border-line bg-panel px-6 py-10 text-center">
    <h2 className="text-lg font-semibold">{title}</h2>
    <p className="mx-auto mt-2 max-w-prose break-words text-sm text-muted">{text}</p>
    {command !== undefined && (
      <code className="mt-4 inline-block rounded-md bg-sunken px-3 py-1.5 font-mono text-sm">{command}</code>
    )}
    {(action !== undefined || other !== undefined) && (
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        {[action, other].map(
          (one) =>
            one !== undefined && (
              <button
                key={one.label}
                type="button"
                onClick={one.run}
                className="rounded-md border border-line bg-panel px-3 py-1.5 text-sm font-medium hover:bg-sunken"
              >
                {one.label}
              </button>
            ),
        )}
      </div>
    )}
  </div>
)
