/**
 * Counts by a provider's own counter, kept for later estimates. The session that was counted keeps the count itself,
 * which goes with the session; for all other sessions of the model its ratio moves a fifth of the way, as with every
 * request.
 */
import { isJsonObject, type JsonValue } from '../json.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import { boundedRatio, learnRatio, observedRatio, type CalibrationObservation } from '../tokens/calibration.ts'

/** The ratio that a counted request showed. */
export interface KeptCount {
  readonly charsPerToken: number
  /** When it was counted, ms. */
  readonly at: number
}

const COUNT = 'tokens.count'
const GLOBAL: StateScope = { tier: 'global' }
const ratioKey = (model: string): string => `tokens.ratio/${model}`

/**
 * Keeps a count of a session, in place of a former one, and what it says of its model, for the estimates of all
 * sessions: the model's kept ratio moves a part of the way to it. @throws as the store does
 * @param usual characters per token of the model where nothing was counted yet
 * @returns whether anything could be learned from it; false: nothing was kept
 */
export const keepCount = async (
  state: StateStorage,
  { sessionId, at, usual }: { readonly sessionId: string; readonly at: number; readonly usual: number },
  { model, ...observation }: CalibrationObservation,
): Promise<boolean> => {
  const ratio = learnRatio((await countedRatio(state, model)) ?? usual, observation)
  if (ratio === undefined) return false
  const { characters, promptTokens, attachmentTokens = 0 } = observation
  await state.set(
    { tier: 'session', sessionId },
    new Map([[COUNT, { model, at, characters, promptTokens, attachmentTokens }]]),
  )
  await state.set(GLOBAL, new Map([[ratioKey(model), ratio]]))
  return true
}

/**
 * What the newest count of a session showed; undefined where there is none, where it was of another model or later than
 * `until` (ms), and where it can't be read or no ratio comes of it. There is one count a session: an older one is not
 * looked for.
 */
export const countOfSession = async (
  state: Pick<StateStorage, 'get'>,
  sessionId: string,
  model: string,
  until = Number.POSITIVE_INFINITY,
): Promise<KeptCount | undefined> => {
  const kept: JsonValue | undefined = await state.get({ tier: 'session', sessionId }, COUNT)
  if (kept === undefined || !isJsonObject(kept) || kept.model !== model) return undefined
  const { at, characters, promptTokens, attachmentTokens } = kept
  if (![at, characters, promptTokens, attachmentTokens].every((value) => typeof value === 'number')) return undefined
  const ratio = observedRatio({
    characters: Number(characters),
    promptTokens: Number(promptTokens),
    attachmentTokens: Number(attachmentTokens),
  })
  return ratio === undefined || Number(at) > until ? undefined : { charsPerToken: boundedRatio(ratio), at: Number(at) }
}

/** Characters per token of a model as counts of whatever sessions showed; undefined where none were kept. */
export const countedRatio = async (state: Pick<StateStorage, 'get'>, model: string): Promise<number | undefined> => {
  const kept = await state.get(GLOBAL, ratioKey(model))
  return typeof kept === 'number' && Number.isFinite(kept) ? boundedRatio(kept) : undefined
}
