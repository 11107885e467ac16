/** `cairn config`: shows the settings in effect with their sources, and changes them. */
import { resolve } from 'node:path'
import { CairnError, withoutPassword } from '@cairn/core'
import { STORED_SETTINGS, isStoredSetting } from '@cairn/core/state'
import { userConfigPath, workspaceConfigPath, workspaceFolder } from '@cairn/core/node'
import type { Command } from 'commander'
import type { Context, Define } from '../command.ts'
import { removeConfigValue, writeConfigValue } from '../config/config-file.ts'
import { SETTING_KEYS, assertOfWorkspace, parseSetting, settingPath, shownKey, unknownKey } from '../config/settings.ts'
import type { Origin, Settings } from '../config/settings.ts'
import { planKey } from '../config/plan-settings.ts'
import { shownSettings } from '../config/shown-settings.ts'
import { jsonText } from '../output/json-output.ts'
import { textWidth } from '../terminal/text-width.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import type { ConfigImportOptions } from './config-import.ts'
import type { ScopeOptions } from './config-stored.ts'

const HELP_WIDTH = 80

const KEYS_HELP = `
Settings:
${Object.entries(SETTING_KEYS)
  .map(([key, what]) => wrapAfter(`  ${shownKey(key).padEnd(20)} `, what, HELP_WIDTH).join('\n'))
  .join('\n')}

Flags override the environment, which overrides the workspace's file
(.cairn/config.json), which overrides the user's file.

Settings in the store can be set for all projects, for a project or for a
session; the most specific one applies (* is for agents built on Cairn):
${Object.entries(STORED_SETTINGS)
  .map(([key, { what, isUsed }]) =>
    wrapAfter(`  ${`${key}${isUsed ? '' : ' *'}`.padEnd(28)} `, what, HELP_WIDTH).join('\n'),
  )
  .join('\n')}

Examples:
  cairn config list
  cairn config set timezone Europe/Berlin
  cairn config set prices.my-model 3,15,0.3       input, output, cache read
  cairn config set subscriptions.anthropic Max,100,2026-01-31
  cairn config set discounts.openai 15
  cairn config set store file:.cairn/team.db --workspace
  cairn config set model claude-haiku-4-5 --workspace
  cairn config set language German --session 0ccf1a04
  cairn config unset language --session 0ccf1a04`

const SESSION = "a session's settings (default: the project's current one)"

const IMPORT_HELP = `
Reads Cline's global state, workspace state, secrets or task history as JSON, or
CLIO's config.json. Existing settings are kept, and the file is not changed.
Provider keys go where cairn secret keeps them, stars of tasks to their
sessions; what has no counterpart is kept separately and listed.

Examples:
  cairn config import --from globalState.json --dry-run
  cairn config import --from globalState.json
  cairn config import --from workspaceState.json --workspace
  cairn config get imported.cline`

/** Declares `cairn config`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description('Show the settings in force, and where each comes from.').addHelpText('after', KEYS_HELP)
  const list = command.command('list', { isDefault: true })
  list
    .description('List all settings.')
    .option('--session [id]', SESSION)
    .action((options: ScopeOptions) => runList(options, context))
  const get = command.command('get')
  get
    .description('Show one setting.')
    .argument('<key>')
    .option('--session [id]', SESSION)
    .action((key: string, options: ScopeOptions) => runGet(key, options, context))
  defineSet(command.command('set'), context)
  defineUnset(command.command('unset'), context)
  defineImport(command.command('import'), context)
  for (const each of [list, get]) each.addHelpText('after', KEYS_HELP)
}

/** Adds the options that say where a setting is changed. */
const withScope = (command: Command): Command =>
  command
    .option('--user', "in the user's file, or for all projects (default)")
    .option('--workspace [folder]', "in the workspace's file (.cairn/config.json), or for the project")
    .option('--session [id]', `for a session (default: the project's current one)`)

/** Declares all of `config set`: description, help, arguments, options, and the action that changes the setting. */
const defineSet = (set: Command, context: Context): void => {
  withScope(
    set
      .description("Change a setting, by default in the user's file or for all projects.")
      .argument('<key>')
      .argument('<value>'),
  )
    .addHelpText('after', KEYS_HELP)
    .action((key: string, value: string, options: ScopeOptions) => runSet(key, value, options, context))
}

/** Declares the arguments and options of `config unset`. */
const defineUnset = (unset: Command, context: Context): void => {
  withScope(unset.description('Remove a setting from where `config set` would put it.').argument('<key>'))
    .addHelpText('after', KEYS_HELP)
    .action((key: string, options: ScopeOptions) => runUnset(key, options, context))
}

/** Declares the options of `config import`. */
const defineImport = (command: Command, context: Context): void => {
  command
    .description('Import the settings of Cline or CLIO.')
    .requiredOption('--from <file>', 'the file to read them from')
    .option('--workspace [folder]', 'for the project (default: for all projects)')
    .option('--dry-run', 'only show what it would do')
    .addHelpText('after', IMPORT_HELP)
    .action(async (options: ConfigImportOptions) =>
      (await import('./config-import.ts')).runConfigImport(options, context),
    )
}

/**
 * Returns where a setting's value comes from: `flag`, `environment <variable>`, `workspace file <path>`, `user file
 * <path>` or `default`.
 */
const originText = (origin: Origin): string => {
  switch (origin.from) {
    case 'flag':
      return 'flag'
    case 'environment':
      return `environment ${origin.name}`
    case 'workspace':
    case 'user':
      return `${origin.from} file ${origin.file}`
    case 'default':
      return 'default'
  }
}

/** A value on one line: text as it is, anything else as JSON. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))

/**
 * Prints every setting with its value and origin: `{settings: [{key, value, origin}], stored, unusable}` as JSON;
 * `stored`, the settings in the store, is null if there is no readable store. As text those with a default are left out
 * of `stored`.
 */
const runList = async (options: ScopeOptions, context: Context): Promise<void> => {
  const { commonOptions, noteUnusable, originJson, readStored, storedOrigin, storedText } =
    await import('./config-stored.ts')
  const settings = await context.settings(commonOptions(options))
  const stored = await readStored(options, context)
  if (options.json === true) {
    return context.json({
      settings: shownSettings(settings),
      stored: stored?.settings.map(({ name, value, from }) => ({ key: name, value, origin: originJson(from) })) ?? null,
      unusable: stored?.unusable ?? [],
    })
  }
  for (const { key, value, origin } of shownSettings(settings))
    await printSetting(`${key} = ${asText(value)}`, originText(origin), context)
  if (stored === undefined) return
  for (const { name, value, from } of stored.settings)
    if (from !== 'default')
      await printSetting(`${name} = ${storedText(value)}`, `store, ${storedOrigin(from)}`, context)
  noteUnusable(stored, context)
}

/**
 * Prints a setting and, in brackets, where its value comes from: on one line where that fits, otherwise both wrapped
 * and the origin below.
 */
const printSetting = async (value: string, from: string, { terminal }: Context): Promise<void> => {
  const origin = `(${from})`
  if (textWidth(`${value}  ${origin}`) <= terminal.width) {
    await terminal.line(`${value}  ${terminal.style('dim', origin)}`)
    return
  }
  for (const line of wrapLine(value, terminal.width)) await terminal.line(line)
  for (const line of wrapAfter('  ', origin, terminal.width)) await terminal.line(terminal.style('dim', line))
}

const ASIDE = /^imported\.(cline|clio)$/

/**
 * Prints one setting: `{key, value, origin}` as JSON; of `imported.cline` and `imported.clio` `{key, value}`. Rejects
 * with `usage` for an unknown key, with `not-found` for a price or a plan that is not set.
 */
const runGet = async (key: string, given: ScopeOptions, context: Context): Promise<void> => {
  const { commonOptions, getStored } = await import('./config-stored.ts')
  if (isStoredSetting(key)) return getStored(key, given, context)
  const options = commonOptions(given)
  const system = ASIDE.exec(key)?.[1]
  if (system === 'cline' || system === 'clio')
    return (await import('./config-import.ts')).printAside(system, options, context)
  const settings = await context.settings(options)
  const found = shownSettings(settings).find((each) => each.key === key)
  if (found !== undefined)
    return options.json === true ? context.json(found) : context.terminal.line(asText(found.value))
  const plans = planKey(key)
  if (plans !== undefined) return printPlans(key, plans, settings, context, options.json === true)
  if (!key.startsWith('prices.')) throw unknownKey(key)
  const model = key.slice('prices.'.length)
  const price = Object.hasOwn(settings.prices.value, model) ? settings.prices.value[model] : undefined
  if (price === undefined) throw new CairnError('not-found', `No price is set for '${model}'.`)
  return options.json === true
    ? context.json({ key, value: price, origin: settings.prices.origin })
    : context.terminal.line(asText(price))
}

/** Prints a provider's plans: `{key, value, origin}` as JSON. Rejects with `not-found` where there are none. */
const printPlans = async (
  key: string,
  { setting, provider }: NonNullable<ReturnType<typeof planKey>>,
  settings: Settings,
  context: Context,
  isJson: boolean,
): Promise<void> => {
  const { value, origin } = settings[setting]
  if (!Object.hasOwn(value, provider)) throw new CairnError('not-found', `${key} is not set.`)
  const plans = value[provider]
  return isJson ? context.json({ key, value: plans, origin }) : context.terminal.line(jsonText(plans))
}

/** A settings file; `within` is the project that it must not leave. */
interface SettingsFile {
  readonly file: string
  readonly within?: string
}

/**
 * The settings file that the options name, which need not exist: the user's, or with `--workspace` that of the
 * workspace around the folder (default: the working folder).
 * @throws CairnError `usage` for a session, which has none
 */
const fileOf = (key: string, { workspace, session }: ScopeOptions, { surroundings }: Context): SettingsFile => {
  if (session !== undefined)
    throw new CairnError(
      'usage',
      `${key} lies in a settings file and can't be set for a session; use --user or --workspace.`,
    )
  if (workspace === undefined) return { file: userConfigPath(surroundings) }
  const folder = typeof workspace === 'string' ? resolve(surroundings.folder, workspace) : surroundings.folder
  const within = workspaceFolder(folder)
  return { file: workspaceConfigPath(within), within }
}

/** Returns a value without passwords of addresses, including texts in a list; any other value as it is. */
const masked = (value: unknown): unknown => {
  const text = (each: unknown): unknown => (typeof each === 'string' ? withoutPassword(each) : each)
  return Array.isArray(value) ? value.map(text) : text(value)
}

/**
 * Changes a setting in the scope that the options name, and prints it without passwords: `{key, value, file}` as JSON
 * for one in a settings file; those in the store are left to `setStored`. Rejects with `usage` for an unknown key,
 * several scopes, or a value or scope that the setting does not accept.
 */
const runSet = async (key: string, text: string, options: ScopeOptions, context: Context): Promise<void> => {
  const { assertOneScope, setStored } = await import('./config-stored.ts')
  assertOneScope(options)
  if (isStoredSetting(key)) return setStored(key, text, options, context)
  const { path, value } = parseSetting(key, text)
  if (options.workspace !== undefined) assertOfWorkspace(key)
  const { file, within } = fileOf(key, options, context)
  await writeConfigValue(file, path, value, within)
  const shown = masked(value)
  if (options.json === true) return context.json({ key, value: shown, file })
  await context.terminal.line(`${key} = ${asText(shown)}  (${file})`)
}

/**
 * Removes a setting from the scope that the options name: `{key, before, file}` as JSON for one in a settings file;
 * those in the store are left to `unsetStored`. `before` is null if it was not set, which is no failure. Rejects with
 * `usage` for an unknown key or several scopes.
 */
const runUnset = async (key: string, options: ScopeOptions, context: Context): Promise<void> => {
  const { assertOneScope, unsetStored } = await import('./config-stored.ts')
  assertOneScope(options)
  if (isStoredSetting(key)) return unsetStored(key, options, context)
  const path = settingPath(key)
  const { file, within } = fileOf(key, options, context)
  const before = masked(await removeConfigValue(file, path, within)) ?? null
  if (options.json === true) return context.json({ key, before, file })
  await context.terminal.line(
    before === null
      ? `${key} was not set in ${file}.`
      : `${key} is not set any more in ${file} (it was ${asText(before)}).`,
  )
}
