/**
 * Opens the model that a command calls for a session: the named one, else the session's setting, else the session's
 * last model, else the setting of its project or the global one.
 */
import { CairnError, sessionModel } from '@cairn/core'
import type { Engine, LogEntry, SessionSummary } from '@cairn/core'
import type { SettingValue, StoredSettingName } from '@cairn/core/state'
import type { Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { openLanguageModel, servedBy, type ModelChoice, type OpenedModel } from './open-model.ts'

/**
 * Returns the model with which a session continues; nothing is sent. The first of: the one named, the session's own
 * setting, the session's last model, the setting of its project or of all. `provider` and `baseUrl` hold for whichever
 * it is, before those set with it; who served the last model is not remembered, its name says it.
 * @param entries the session's log
 * @throws CairnError as `openLanguageModel` for that one (no other is tried), and `usage` if there is none of them
 */
export const openSessionModel = async (
  { session, entries }: { readonly session: SessionSummary; readonly entries: readonly LogEntry[] },
  engine: Pick<Engine, 'store' | 'settings'>,
  { model, provider, baseUrl }: Partial<ModelChoice>,
  context: Context,
): Promise<OpenedModel> => {
  if (model !== undefined) return openLanguageModel({ model, provider, baseUrl }, context)
  const { id: sessionId, workspace } = session
  const set = await modelSet({ workspace: workspace ?? undefined, sessionId }, engine)
  if (set?.from === 'session')
    return openLanguageModel(await servedBy(set.choice, { provider, baseUrl }, context.now()), context)
  const last = sessionModel(entries, await engine.store.usage.requests(session.id)).model ?? ''
  // Agents write a name in angle brackets for replies that no model gave.
  if (last === '' || last.startsWith('<')) {
    if (set !== undefined)
      return openLanguageModel(await servedBy(set.choice, { provider, baseUrl }, context.now()), context)
    throw new CairnError(
      'usage',
      'The session names no model that it used: name one with --model, or set one: cairn config set model <name>.',
    )
  }
  try {
    return await openLanguageModel({ model: last, provider, baseUrl }, context)
  } catch (error) {
    if (!CairnError.is(error) || (error.code !== 'usage' && error.code !== 'unsupported')) throw error
    const why = `The session's last model is ${neutraliseLine(last)}. ${error.message}`
    throw new CairnError(error.code, `${why} Or name another model with --model.`, { cause: error })
  }
}

/**
 * The model that is set for a session, its project or all, the nearest first, with the provider and address if they are
 * set in the same scope; undefined if none is. @param subject without a session: for the project or all
 */
export const modelSet = async (
  subject: { readonly workspace: string | undefined; readonly sessionId?: string },
  { settings }: Pick<Engine, 'settings'>,
): Promise<{ readonly from: SettingValue['from']; readonly choice: ModelChoice } | undefined> => {
  const list = await settings.list(subject)
  const named = (name: StoredSettingName): SettingValue | undefined =>
    list.settings.find((setting) => setting.name === name)
  const model = named('model')
  if (typeof model?.value !== 'string') return undefined
  // Who serves a model is set where the model is.
  const beside = (name: StoredSettingName): string | undefined => {
    const setting = named(name)
    return setting?.from === model.from && typeof setting.value === 'string' ? setting.value : undefined
  }
  return { from: model.from, choice: { model: model.value, provider: beside('provider'), baseUrl: beside('baseUrl') } }
}
