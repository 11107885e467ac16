/** The models that a session's main conversation used, in their order. */
import type { ModelUse } from '@cairn/core'
import { StoreText } from '../../components/store-text.tsx'
import { timeText } from '../../components/time-text.tsx'
import { counted } from '../usage/figure.ts'

interface ModelsUsedProps {
  /** The newest, in the order of the log. */
  readonly models: readonly ModelUse[]
  /** How many came before these. */
  readonly older: number
  readonly timeZone: string | undefined
}

/** Returns a model's name, with its provider and mode in brackets as far as they are known. */
const nameOf = ({ model, provider, mode }: ModelUse): string => {
  const more = [provider, mode].filter((each) => each !== null).join(', ')
  return more === '' ? model : `${model} (${more})`
}

/** A line of models with arrows between them; nothing where the log names none. */
export const ModelsUsed = ({ models, older, timeZone }: ModelsUsedProps) =>
  models.length > 0 && (
    <div className="border-t border-line px-4 py-3 text-sm sm:px-5">
      <h2 className="text-xs text-muted">Models in order</h2>
      <ol className="mt-1 flex flex-wrap gap-x-2 gap-y-1">
        {older > 0 && <li className="text-muted">{counted(older, 'change')} before →</li>}
        {models.map((use, index) => (
          <li key={use.seq} className="min-w-0 [overflow-wrap:anywhere]" title={`from ${timeText(use.at, timeZone)}`}>
            <StoreText text={nameOf(use)} />
            {index < models.length - 1 && (
              <span aria-hidden="true" className="ml-2 text-muted">
                →
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
