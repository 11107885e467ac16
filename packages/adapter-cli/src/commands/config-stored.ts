/** The stored settings for `cairn config`: global, of a project, and of a session. */
import { existsSync } from 'node:fs'
import { CairnError, messageOf, redact } from '@cairn/core'
import type { Engine, StateScope } from '@cairn/core'
import { STORED_SETTINGS } from '@cairn/core/state'
import type { SettingList, SettingValue, StateSubject, StoredSettingName } from '@cairn/core/state'
import type { CommonOptions, Context } from '../command.ts'
import { projectOf } from '../options/project-option.ts'
import { jsonText } from '../output/json-output.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { sessionNamed } from './session-named.ts'

/** The scope in which a setting is read or changed. */
export interface ScopeOptions extends Omit<CommonOptions, 'workspace'> {
  readonly user?: boolean
  readonly workspace?: string | true
  /** Without an id the project's current one. */
  readonly session?: string | true
}

/** Returns the options that an engine is opened with: `--workspace` only if it has a value. */
export const commonOptions = ({ workspace, ...options }: ScopeOptions): CommonOptions => ({
  ...options,
  ...(typeof workspace === 'string' ? { workspace } : {}),
})

/** Does nothing if at most one scope is given. @throws CairnError `usage` for more, with their names */
export const assertOneScope = ({ user, workspace, session }: ScopeOptions): void => {
  const named = [
    user === true ? '--user' : '',
    workspace === undefined ? '' : '--workspace',
    session === undefined ? '' : '--session',
  ]
  const given = named.filter((name) => name !== '')
  if (given.length > 1) throw new CairnError('usage', `Give either ${given.join(' or ')}, not both.`)
}

/** The session that `--session` names; the project's current one where it has no id. Rejects if there is none. */
const sessionOf = async (options: ScopeOptions, engine: Engine, context: Context) =>
  sessionNamed(options.session === true ? undefined : options.session, engine, commonOptions(options), context)

/**
 * Returns the scope that the options name: a session's, a project's, or else the global one. Rejects for an unknown
 * session.
 */
export const scopeOf = async (options: ScopeOptions, engine: Engine, context: Context): Promise<StateScope> => {
  if (options.session !== undefined)
    return { tier: 'session', sessionId: (await sessionOf(options, engine, context)).id }
  if (options.workspace === undefined) return { tier: 'global' }
  return { tier: 'workspace', workspace: await projectOf(commonOptions(options), engine, context) }
}

/** Whose settings apply: the project's, or with `--session` a session's in its own project. */
const subjectOf = async (options: ScopeOptions, engine: Engine, context: Context): Promise<StateSubject> => {
  if (options.session === undefined) return { workspace: await projectOf(commonOptions(options), engine, context) }
  const { id, workspace } = await sessionOf(options, engine, context)
  return { sessionId: id, workspace: workspace ?? undefined }
}

const ORIGINS: Readonly<Record<SettingValue['from'], string>> = {
  session: 'the session',
  workspace: 'the project',
  global: 'all projects',
  default: 'not set',
}

/** Returns where a value comes from, in a few words that follow "set". */
export const storedOrigin = (from: SettingValue['from']): string => ORIGINS[from]

/** Returns a scope in words: "for session <id>", "for the project /code/app" or "for all projects". */
const scopeText = (scope: StateScope): string => {
  switch (scope.tier) {
    case 'session':
      return `for session ${neutraliseLine(scope.sessionId)}`
    case 'workspace':
      return `for the project ${neutraliseLine(scope.workspace)}`
    case 'global':
      return 'for all projects'
  }
}

/** A value on one line for display: a text as it is, anything else as JSON, without unsafe characters. */
export const storedText = (value: unknown): string =>
  neutraliseLine(typeof value === 'string' ? value : jsonText(value))

/**
 * The stored settings; undefined if there is no store yet (listing creates none), or if it can't be read, which is
 * reported on standard error. With `--session` it rejects where the store can't be read or the session is not found.
 */
export const readStored = async (options: ScopeOptions, context: Context): Promise<SettingList | undefined> => {
  const { store } = await context.settings(commonOptions(options))
  const file = store.value.startsWith('file:') ? store.value.slice('file:'.length) : undefined
  if (file !== undefined && !existsSync(file)) return undefined
  try {
    const engine = await context.readEngine(commonOptions(options))
    return await engine.settings.list(await subjectOf(options, engine, context))
  } catch (error) {
    if (options.session !== undefined || !CairnError.is(error)) throw error
    context.terminal.note(`The settings in the store are not listed: ${messageOf(error)}`)
    return undefined
  }
}

/** Reports on standard error which stored settings can't be used, and why; nothing if all can. */
export const noteUnusable = ({ unusable }: SettingList, { terminal }: Context): void => {
  for (const { name, scope, reason } of unusable)
    terminal.note(
      `${neutraliseLine(name)} ${scopeText(scope)} ${reason === 'damaged' ? 'is damaged' : 'is not understood by this version'} and counts as not set; it stays in the store until you set it again.`,
    )
}

/**
 * Prints one setting: `{key, value, origin: {from: 'store', tier}}` as JSON. If it is not set, `value` is null and
 * `origin` is `{from: 'default'}`; people are told on standard error.
 */
export const getStored = async (name: StoredSettingName, options: ScopeOptions, context: Context): Promise<void> => {
  const engine = await context.readEngine(commonOptions(options))
  const { value, from } = await engine.settings.get(name, await subjectOf(options, engine, context))
  if (options.json === true) return context.json({ key: name, value, origin: originJson(from) })
  if (value === null) context.terminal.note(`${name} is not set: ${STORED_SETTINGS[name].what}.`)
  else await context.terminal.line(storedText(value))
}

const PROVIDERS: readonly StoredSettingName[] = ['provider', 'plan.provider']

/**
 * The text to store: for a setting that names a provider its id, however it was written; any other text, and one that
 * looks like a key, as it is. Rejects with `usage` for an unknown provider.
 */
const meantText = async (name: StoredSettingName, text: string): Promise<string> => {
  // What looks like a key is refused by the settings, which don't show it.
  if (!PROVIDERS.includes(name) || redact(text).count > 0) return text
  const { providerNamed } = await import('../models/open-model.ts')
  return providerNamed(text)
}

/**
 * Changes a setting in the scope that the options name, and prints it: `{key, value, scope}` as JSON. Rejects with
 * `usage` for a value or scope that the setting does not accept.
 */
export const setStored = async (
  name: StoredSettingName,
  text: string,
  options: ScopeOptions,
  context: Context,
): Promise<void> => {
  const engine = await context.engine(commonOptions(options))
  const scope = await scopeOf(options, engine, context)
  const value = await engine.settings.set(name, scope, await meantText(name, text))
  if (options.json === true) return context.json({ key: name, value, scope })
  await context.terminal.line(`${name} = ${storedText(value)}  (${scopeText(scope)})`)
}

/**
 * Removes a setting from the scope that the options name: `{key, before, scope}` as JSON. If it was not set, `before`
 * is null, which is no failure.
 */
export const unsetStored = async (name: StoredSettingName, options: ScopeOptions, context: Context): Promise<void> => {
  const engine = await context.engine(commonOptions(options))
  const scope = await scopeOf(options, engine, context)
  const before = (await engine.settings.unset(name, scope)) ?? null
  if (options.json === true) return context.json({ key: name, before, scope })
  await context.terminal.line(
    before === null
      ? `${name} was not set ${scopeText(scope)}.`
      : `${name} is not set any more ${scopeText(scope)} (it was ${storedText(before)}).`,
  )
}

/** Returns where a value comes from, for `--json`: `{from: 'default'}`, or `{from: 'store', tier}`. */
export const originJson = (from: SettingValue['from']) =>
  from === 'default' ? { from } : { from: 'store', tier: from }
