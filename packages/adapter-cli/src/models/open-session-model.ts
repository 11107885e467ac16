/** Opens the model that a command asks about a session: the one that is named, else the one that the session used last. */
import { CairnError, sessionModel } from '@cairn/core'
import type { Engine, LogEntry, SessionSummary } from '@cairn/core'
import type { Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { openLanguageModel, type ModelChoice, type OpenedModel } from './open-model.ts'

/**
 * The model, ready to be asked; nothing is sent.
 * @param entries the session's log
 * @throws CairnError as `openLanguageModel`, and `usage` where the session names no model.
 */
export const openSessionModel = async (
  { session, entries }: { readonly session: SessionSummary; readonly entries: readonly LogEntry[] },
  engine: Pick<Engine, 'store'>,
  { model, provider, baseUrl }: Partial<ModelChoice>,
  context: Context,
): Promise<OpenedModel> => {
  if (model !== undefined) return openLanguageModel({ model, provider, baseUrl }, context)
  const last = sessionModel(entries, await engine.store.usage.requests(session.id)).model ?? ''
  // Agents write a name in angle brackets for replies that no model gave.
  if (last === '' || last.startsWith('<'))
    throw new CairnError('usage', 'The session names no model that it used: name one with --model.')
  try {
    return await openLanguageModel({ model: last, provider, baseUrl }, context)
  } catch (error) {
    if (!CairnError.is(error) || (error.code !== 'usage' && error.code !== 'unsupported')) throw error
    const why = `The session's last model is ${neutraliseLine(last)}. ${error.message}`
    throw new CairnError(error.code, `${why} Or name another model with --model.`, { cause: error })
  }
}
