'use client'
/** Which policy, preset and window the session is looked at under. */
import type { ReactNode } from 'react'
import { useId } from 'react'
import { POLICIES, PRESETS, WINDOW_NAMES } from './choice.ts'
import type { ReplayChoice, WindowName } from './choice.ts'

const POLICY_NAMES = {
  'cache-aware': 'cache-aware (Cairn’s own)',
  cline: 'cline',
  clio: 'clio',
  recorded: 'recorded: as its agent did',
  none: 'none: append only',
} as const
const PRESET_NAMES = { safe: 'safe', quality: 'quality', lean: 'lean' } as const
const WINDOWS: Readonly<Record<WindowName, string>> = {
  model: 'the model’s own',
  '64k': '64K',
  '128k': '128K',
  '200k': '200K',
  '1m': '1M',
}

interface PickerProps<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  readonly texts: Readonly<Record<Name, string>>
  readonly value: Name
  readonly choose: (name: Name) => void
}

/** A select under its label; `choose` is called with the chosen name. `texts` are what a reader sees of the names. */
const Picker = <Name extends string>({ label, names, texts, value, choose }: PickerProps<Name>): ReactNode => {
  const id = useId()
  return (
    <div className="flex min-w-0 items-center gap-2">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const found = names.find((name) => name === event.target.value)
          if (found !== undefined) choose(found)
        }}
        className="min-w-0 rounded-lg border border-line bg-panel px-2 py-1.5 text-sm text-ink"
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {texts[name]}
          </option>
        ))}
      </select>
    </div>
  )
}

/**
 * The fields for policy, preset and window; `change` is called with the whole new choice. The preset is shown for
 * `cache-aware` alone.
 */
export const ReplayControls = ({
  choice,
  change,
}: {
  readonly choice: ReplayChoice
  readonly change: (next: ReplayChoice) => void
}) => (
  <div role="group" aria-label="What is replayed" className="flex flex-wrap gap-x-4 gap-y-2 px-4 pt-3 sm:px-5">
    <Picker
      label="Policy"
      names={POLICIES}
      texts={POLICY_NAMES}
      value={choice.policy}
      choose={(policy) => change({ ...choice, policy })}
    />
    {choice.policy === 'cache-aware' && (
      <Picker
        label="Preset"
        names={PRESETS}
        texts={PRESET_NAMES}
        value={choice.preset}
        choose={(preset) => change({ ...choice, preset })}
      />
    )}
    <Picker
      label="Window"
      names={WINDOW_NAMES}
      texts={WINDOWS}
      value={choice.window}
      choose={(window) => change({ ...choice, window })}
    />
  </div>
)
