/** `cairn profile`: a few lines about the user, for the sessions of all projects. */
import type { ProfileView } from '@cairn/core'
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { secretsIn, secretsText } from '../output/replaced-secrets-text.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapAfter } from '../terminal/wrap.ts'
import { asUsage } from '../options/wrong-usage.ts'

const HELP = `
A short profile of you, given to the sessions of all projects. Only you write
it; "off" keeps it but gives it to nobody. It has up to 50 lines of at most 500
characters.

Examples:
  cairn profile set language "Answers in German, code in English"
  cairn profile show
  cairn profile remove language
  cairn profile off`

/** Declares `cairn profile`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description('What sessions are told about you, in all projects.').addHelpText('after', HELP)
  command
    .command('show', { isDefault: true })
    .description('Show the profile.')
    .addHelpText('after', '\nExamples:\n  cairn profile show\n  cairn profile show --json')
    .action((options: CommonOptions) => runShow(options, context))
  command
    .command('set')
    .description('Set a line of the profile.')
    .argument('<key>', 'a short name: language, tone, editor, …')
    .argument('<text...>', 'what sessions are told')
    .addHelpText(
      'after',
      '\nExamples:\n  cairn profile set tone "Short answers, no praise"\n  cairn profile set editor Helix',
    )
    .action((key: string, text: readonly string[], options: CommonOptions) =>
      runSet(key, text.join(' '), options, context),
    )
  command
    .command('remove')
    .description('Remove a line of the profile.')
    .argument('<key>', 'its name')
    .addHelpText('after', '\nExamples:\n  cairn profile remove tone\n  cairn profile remove tone --json')
    .action((key: string, options: CommonOptions) => runRemove(key, options, context))
  for (const [name, enabled, description] of [
    ['on', true, 'Give it to sessions again.'],
    ['off', false, 'Keep it, and give it to no session.'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .addHelpText('after', `\nExamples:\n  cairn profile ${name}\n  cairn profile ${name} --json`)
      .action((options: CommonOptions) => runSwitch(enabled, options, context))
  }
}

/**
 * Prints a profile: its lines and their number as text, or `{enabled, items}` with `--json`. The number stands last,
 * with when the profile was changed and whether it is on.
 */
const print = async (view: ProfileView, options: CommonOptions, context: Context): Promise<void> => {
  if (options.json === true) return context.json(view)
  const { terminal } = context
  for (const { key, text } of view.items) {
    const name = `${neutraliseLine(key)}  `
    for (const [index, line] of wrapAfter(name, neutraliseLine(text), terminal.width).entries()) {
      await terminal.line(index === 0 ? terminal.style('bold', name) + line.slice(name.length) : line)
    }
  }
  const newest = view.items.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0)
  const changed = newest === 0 ? '' : `, last changed ${formatTime(newest)}`
  await terminal.line(
    `Total: ${counted(view.items.length, 'line')}${changed}; ${view.enabled ? 'on' : 'off: given to no session'}`,
  )
}

/** Prints the profile; an empty one is no failure. */
const runShow = async (options: CommonOptions, context: Context): Promise<void> => {
  const engine = await context.readEngine(options)
  await print(await engine.profile.show(), options, context)
}

/**
 * Writes a line of the profile: `{enabled, items, redactions}` as JSON. Secrets in it are replaced and counted. Rejects
 * with `usage` for a blank text.
 */
const runSet = async (key: string, text: string, options: CommonOptions, context: Context): Promise<void> => {
  if (text.trim() === '')
    throw new CairnError('usage', 'What should sessions be told? Give a text; "cairn profile remove" removes a line.')
  const engine = await context.engine(options)
  const view = await asUsage(engine.profile.set(key, text))
  const redactions = secretsIn([key, text])
  if (options.json === true) return context.json({ ...view, redactions })
  if (redactions > 0) await context.terminal.line(`Written.${secretsText(redactions)}`)
  await print(view, options, context)
}

/** Removes a line of the profile. Rejects with `not-found` if there is none with this key. Prints what is left. */
const runRemove = async (key: string, options: CommonOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const { items } = await engine.profile.show()
  const names = items.map((item) => item.key)
  if (!names.includes(key))
    throw new CairnError(
      'not-found',
      `The profile has no '${neutraliseLine(key)}'${names.length === 0 ? '' : `; it has ${names.map(neutraliseLine).join(', ')}`}.`,
    )
  await print(await asUsage(engine.profile.set(key, '')), options, context)
}

/** Switches the profile on or off, and prints it; its lines stay. */
const runSwitch = async (enabled: boolean, options: CommonOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  await print(await engine.profile.enable(enabled), options, context)
}
