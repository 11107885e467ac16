/**
 * The models that a session used, in order: a fold over its log. Consecutive entries with the same model, provider and
 * mode are one use.
 */
import type { LogEntry } from '../session-log.ts'

export interface ModelUse {
  /** The number of its first entry. */
  readonly seq: number
  /** Times of its first and last entry, ms; null if the log has no time. */
  readonly at: number | null
  readonly lastAt: number | null
  readonly model: string
  readonly provider: string | null
  readonly mode: string | null
  /** Number of entries: replies, and log entries that say the model was chosen. */
  readonly entries: number
}

export interface ModelUses {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** In the order of the log. */
  result(): readonly ModelUse[]
}

/** The placeholder of an agent's program when no model answered. */
const NO_MODEL = '<synthetic>'

/**
 * Creates a fold that lists the models a session used, each consecutive use once, in order. Subagents' models are
 * excluded.
 */
export const createModelUses = (): ModelUses => {
  const uses: ModelUse[] = []
  return {
    step: (entry) => {
      const named = namedModel(entry)
      if (named === undefined) return
      const last = uses.at(-1)
      const use = useAfter(last, named)
      if (last !== undefined && isSameUse(last, use))
        uses[uses.length - 1] = { ...last, entries: last.entries + 1, lastAt: use.at ?? last.lastAt }
      else uses.push(use)
    },
    result: () => [...uses],
  }
}

/** An entry that names a model of the main conversation. */
type NamedModel = Pick<LogEntry, 'seq' | 'at'> & {
  readonly isReply: boolean
  readonly model: string
  readonly provider?: string
  readonly mode?: string
}

/**
 * The model that an entry names; undefined for a subagent's entry, and one that names none: an empty name and the
 * placeholder `<synthetic>` count as none.
 */
const namedModel = (entry: LogEntry): NamedModel | undefined => {
  if (entry.kind !== 'model' && (entry.kind !== 'message' || entry.subagent !== undefined)) return undefined
  const { model } = entry
  return model === undefined || model === '' || model === NO_MODEL
    ? undefined
    : { ...entry, model, isReply: entry.kind === 'message' }
}

/**
 * The use after an entry. A message never names its provider and does not always name its mode: the provider is then
 * that of the previous use if the model is the same, and a reply's mode that of the previous use; else null.
 */
const useAfter = (last: ModelUse | undefined, { seq, at, model, provider, mode, isReply }: NamedModel): ModelUse => ({
  seq,
  at,
  lastAt: at,
  model,
  provider: provider ?? (last?.model === model ? last.provider : null),
  mode: mode ?? (isReply && last !== undefined ? last.mode : null),
  entries: 1,
})

const isSameUse = (left: ModelUse, right: ModelUse): boolean =>
  left.model === right.model && left.provider === right.provider && left.mode === right.mode

/**
 * The models of a whole log, in order, each consecutive use once; empty if the log names none. Subagents' models are
 * excluded.
 */
export const modelUses = (entries: readonly LogEntry[]): readonly ModelUse[] => {
  const uses = createModelUses()
  for (const entry of entries) uses.step(entry)
  return uses.result()
}
