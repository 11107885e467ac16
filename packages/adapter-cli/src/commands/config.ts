/** `cairn config`: the settings in force, where each comes from, and changing them. */
import { resolve } from 'node:path'
import { CairnError, withoutPassword } from '@cairn/core'
import { userConfigPath, workspaceConfigPath, workspaceFolder } from '@cairn/core/node'
import type { Command } from 'commander'
import type { CommonOptions, Context, Define } from '../command.ts'
import { writeConfigValue } from '../config/config-file.ts'
import { SETTING_KEYS, parseSetting, unknownKey } from '../config/settings.ts'
import type { Origin, SettingKey, Settings } from '../config/settings.ts'
import { jsonText } from '../output/json-output.ts'
import { textWidth } from '../terminal/text-width.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'

/**
 * With `--workspace`, `config set` writes the file of that folder (without a value: of the current one), else the
 * user's.
 */
interface SetOptions extends Omit<CommonOptions, 'workspace'> {
  readonly user?: boolean
  readonly workspace?: string | true
}

const HELP_WIDTH = 80

const KEYS_HELP = `
Settings:
${Object.entries(SETTING_KEYS)
  .map(([key, what]) =>
    wrapAfter(`  ${(key === 'prices' ? 'prices.<model>' : key).padEnd(20)} `, what, HELP_WIDTH).join('\n'),
  )
  .join('\n')}

A flag comes before the environment, that before the workspace's file
(.cairn/config.json), that before the user's.

Examples:
  cairn config list
  cairn config set timezone Europe/Berlin
  cairn config set prices.my-model 3,15,0.3       input, output, cache read
  cairn config set store file:.cairn/team.db --workspace`

/** Declares `cairn config`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description('The settings in force, and where each one comes from.').addHelpText('after', KEYS_HELP)
  const list = command.command('list', { isDefault: true })
  list.description('All settings.').action((options: CommonOptions) => runList(options, context))
  const get = command.command('get')
  get
    .description('One setting.')
    .argument('<key>')
    .action((key: string, options: CommonOptions) => runGet(key, options, context))
  defineSet(command.command('set'), context)
  for (const each of [list, get]) each.addHelpText('after', KEYS_HELP)
}

/** Declares the arguments and options of `config set`. */
const defineSet = (set: Command, context: Context): void => {
  set
    .description("Changes a setting, in the user's file unless told otherwise.")
    .argument('<key>')
    .argument('<value>')
    .option('--user', "in the user's file (the default)")
    .option('--workspace [folder]', "in the workspace's file, .cairn/config.json")
    .addHelpText('after', KEYS_HELP)
    .action((key: string, value: string, options: SetOptions) => runSet(key, value, options, context))
}

/** Says where a setting's value comes from: a file, a variable, a flag or the default. */
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

/** A setting's value as it may be shown: a store without its password. */
const shownValue = (settings: Settings, key: SettingKey): unknown => {
  const { value } = settings[key]
  if (key === 'store') return withoutPassword(settings.store.value)
  return key === 'trustedStores' ? settings.trustedStores.value.map(withoutPassword) : value
}

/** A value on one line: text as it is, anything else as JSON. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))

/** The names of all settings. */
const keysOf = (settings: Settings): readonly SettingKey[] => Object.keys(settings) as SettingKey[]

/** Prints every setting with its value and origin: `{settings: [{key, value, origin}]}` as JSON. */
const runList = async (options: CommonOptions, context: Context): Promise<void> => {
  const settings = await context.settings(options)
  if (options.json === true) {
    return context.json({
      settings: keysOf(settings).map((key) => ({
        key,
        value: shownValue(settings, key),
        origin: settings[key].origin,
      })),
    })
  }
  const { terminal } = context
  for (const key of keysOf(settings)) {
    const [value, origin] = [`${key} = ${asText(shownValue(settings, key))}`, `(${originText(settings[key].origin)})`]
    if (textWidth(`${value}  ${origin}`) <= terminal.width) {
      await terminal.line(`${value}  ${terminal.style('dim', origin)}`)
      continue
    }
    for (const line of wrapLine(value, terminal.width)) await terminal.line(line)
    for (const line of wrapAfter('  ', origin, terminal.width)) await terminal.line(terminal.style('dim', line))
  }
}

/** Prints the value of one setting: `{key, value, origin}` as JSON. Rejects for a name that is no setting. */
const runGet = async (key: string, options: CommonOptions, context: Context): Promise<void> => {
  const settings = await context.settings(options)
  const found = keysOf(settings).find((each) => each === key)
  if (found !== undefined) {
    const value = shownValue(settings, found)
    return options.json === true
      ? context.json({ key, value, origin: settings[found].origin })
      : context.terminal.line(asText(value))
  }
  if (!key.startsWith('prices.')) throw unknownKey(key)
  const model = key.slice('prices.'.length)
  const price = Object.hasOwn(settings.prices.value, model) ? settings.prices.value[model] : undefined
  if (price === undefined) throw new CairnError('not-found', `No price is set for '${model}'.`)
  return options.json === true
    ? context.json({ key, value: price, origin: settings.prices.origin })
    : context.terminal.line(asText(price))
}

/** Writes a setting into the user's settings file, or into that of a folder: `{key, value, file}` as JSON. */
const runSet = async (key: string, text: string, options: SetOptions, context: Context): Promise<void> => {
  const { surroundings } = context
  if (options.user === true && options.workspace !== undefined)
    throw new CairnError('usage', 'Give either --user or --workspace, not both.')
  const { path, value } = parseSetting(key, text)
  const folder =
    typeof options.workspace === 'string' ? resolve(surroundings.folder, options.workspace) : surroundings.folder
  const file =
    options.workspace === undefined ? userConfigPath(surroundings) : workspaceConfigPath(workspaceFolder(folder))
  await writeConfigValue(file, path, value)
  const masked = (each: unknown): unknown => (typeof each === 'string' ? withoutPassword(each) : each)
  const shown = Array.isArray(value) ? value.map(masked) : masked(value)
  if (options.json === true) return context.json({ key, value: shown, file })
  await context.terminal.line(`${key} = ${asText(shown)}  (${file})`)
}
