/** The models that a session used, in order: a fold over its log. The same model, provider and mode again is no new use. */
import type { LogEntry } from '../session-log.ts'

export interface ModelUse {
  /** The first entry of it. */
  readonly seq: number
  /** Of the first and the last entry of it, ms; null where the log has no time. */
  readonly at: number | null
  readonly lastAt: number | null
  readonly model: string
  readonly provider: string | null
  readonly mode: string | null
  /** Entries of it: replies, and notes of the log that the model was chosen. */
  readonly entries: number
}

export interface ModelUses {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** In the order of the log. */
  result(): readonly ModelUse[]
}

/** What an agent's program puts where no model answered. */
const NO_MODEL = '<synthetic>'

/** None yet. Subagents' models are left out. */
export const createModelUses = (): ModelUses => {
  const uses: { -readonly [Name in keyof ModelUse]: ModelUse[Name] }[] = []
  return {
    step: (entry) => {
      if (entry.kind !== 'model' && (entry.kind !== 'message' || entry.subagent !== undefined)) return
      const { model, at, seq } = entry
      if (model === undefined || model === '' || model === NO_MODEL) return
      const last = uses.at(-1)
      // A message does not name who served it, and not every one its mode: then it is that of before.
      const isSameModel = last?.model === model
      const provider = (entry.kind === 'model' ? entry.provider : undefined) ?? (isSameModel ? last.provider : null)
      const mode = entry.mode ?? (entry.kind === 'message' && last !== undefined ? last.mode : null)
      if (isSameModel && last.provider === provider && last.mode === mode) {
        last.entries += 1
        last.lastAt = at ?? last.lastAt
      } else uses.push({ seq, at, lastAt: at, model, provider, mode, entries: 1 })
    },
    result: () => uses.map((use) => ({ ...use })),
  }
}

/** The models of a whole log. */
export const modelUses = (entries: readonly LogEntry[]): readonly ModelUse[] => {
  const uses = createModelUses()
  for (const entry of entries) uses.step(entry)
  return uses.result()
}
