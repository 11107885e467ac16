/**
 * The commands by name, and dispatch from an argument list to one of them. A command's module is loaded only when
 * called, so start-up cost does not depend on their number.
 */
import { Command, CommanderError, Option } from 'commander'
import { CairnError } from '@cairn/core'
import { didYouMean } from './options/close-matches.ts'
import type { Context, Define } from './command.ts'
import { someText } from './options/option-values.ts'

/** A command in the help, and how its module is loaded. */
interface CommandEntry {
  readonly group: string
  readonly summary: string
  readonly load: () => Promise<{ readonly define: Define }>
}

/** Headings of the help; commands are listed below theirs. */
const EVERYDAY = 'Everyday commands:'
const WORK = 'Work with the built-in agent:'
const ANALYSIS = 'Analysis:'
const AGENTS = 'For your agents:'
const STORE = 'Store and settings:'

/** All commands by name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  import: {
    group: EVERYDAY,
    summary: 'import the transcripts of coding agents',
    load: () => import('./commands/import.ts'),
  },
  usage: {
    group: EVERYDAY,
    summary: 'tokens and cost by day, model, session, project, …',
    load: () => import('./commands/usage.ts'),
  },
  session: {
    group: EVERYDAY,
    summary: 'list, show, export and delete sessions',
    load: () => import('./commands/session.ts'),
  },
  recall: {
    group: EVERYDAY,
    summary: 'search all messages of all sessions',
    load: () => import('./commands/recall.ts'),
  },
  memory: {
    group: EVERYDAY,
    summary: 'what was learnt about a project: list, add, correct, share',
    load: () => import('./commands/memory.ts'),
  },
  context: {
    group: EVERYDAY,
    summary: 'what the next request contains and why; pin and drop parts',
    load: () => import('./commands/context.ts'),
  },
  dashboard: {
    group: EVERYDAY,
    summary: 'show usage and sessions in the browser',
    load: () => import('./commands/dashboard.ts'),
  },
  doctor: {
    group: EVERYDAY,
    summary: 'show where everything is, and check that it is healthy',
    load: () => import('./commands/doctor.ts'),
  },
  run: {
    group: WORK,
    summary: 'let a model work on a task in the project, within limits',
    load: () => import('./commands/run.ts'),
  },
  chat: {
    group: WORK,
    summary: 'chat with a model that works in the project and remembers',
    load: () => import('./commands/chat.ts'),
  },
  files: {
    group: ANALYSIS,
    summary: 'files that agents edited and read, and where each was edited last',
    load: () => import('./commands/files.ts'),
  },
  graph: {
    group: ANALYSIS,
    summary: 'what is known about a file, symbol, session or commit',
    load: () => import('./commands/graph.ts'),
  },
  insights: {
    group: ANALYSIS,
    summary: 'where money is wasted, and what to do about it',
    load: () => import('./commands/insights.ts'),
  },
  replay: {
    group: ANALYSIS,
    summary: 'what a session would have cost under other policies',
    load: () => import('./commands/replay.ts'),
  },
  models: {
    group: ANALYSIS,
    summary: 'known models: context windows, prices, available keys',
    load: () => import('./commands/models.ts'),
  },
  setup: {
    group: AGENTS,
    summary: 'connect Cairn to the agents on this machine, or remove it',
    load: () => import('./commands/setup.ts'),
  },
  watch: {
    group: AGENTS,
    summary: 'follow the transcripts of agents and import them live',
    load: () => import('./commands/watch.ts'),
  },
  checkpoint: {
    group: AGENTS,
    summary: "snapshots of a folder's files: create, compare, restore, undo",
    load: () => import('./commands/checkpoint.ts'),
  },
  note: {
    group: AGENTS,
    summary: 'named texts of a project, kept between sessions',
    load: () => import('./commands/note.ts'),
  },
  profile: { group: AGENTS, summary: 'what sessions are told about you', load: () => import('./commands/profile.ts') },
  mcp: {
    group: AGENTS,
    summary: 'serve memory and recall to agents (Model Context Protocol)',
    load: () => import('./commands/mcp.ts'),
  },
  gateway: {
    group: AGENTS,
    summary: 'record and limit what agents send to their providers',
    load: () => import('./commands/gateway.ts'),
  },
  otel: {
    group: AGENTS,
    summary: 'receive what agents report about requests (OpenTelemetry)',
    load: () => import('./commands/otel.ts'),
  },
  export: {
    group: AGENTS,
    summary: 'send recorded requests to a collector (OpenTelemetry)',
    load: () => import('./commands/export.ts'),
  },
  hook: {
    group: AGENTS,
    summary: 'run by agents at their events: gives memory, imports',
    load: () => import('./commands/hook.ts'),
  },
  statusline: {
    group: AGENTS,
    summary: "one line for the agent's status bar: context, cost, cache, limits",
    load: () => import('./commands/statusline.ts'),
  },
  secret: {
    group: STORE,
    summary: 'set, list and delete provider keys',
    load: () => import('./commands/secret.ts'),
  },
  config: { group: STORE, summary: 'show and change settings', load: () => import('./commands/config.ts') },
  sync: {
    group: STORE,
    summary: "send figures to your team's store, as far as you allow",
    load: () => import('./commands/sync.ts'),
  },
  team: {
    group: STORE,
    summary: "roles of a team's store",
    load: () => import('./commands/team.ts'),
  },
  project: {
    group: STORE,
    summary: 'which folders are one project; join and split them',
    load: () => import('./commands/project.ts'),
  },
  backup: {
    group: STORE,
    summary: 'back up the store, even while it is in use',
    load: () => import('./commands/backup.ts'),
  },
  'restore-backup': {
    group: STORE,
    summary: 'replace the store by a backup; the old one is kept',
    load: () => import('./commands/restore-backup.ts'),
  },
  cleanup: {
    group: STORE,
    summary: 'remove what killed processes and deletions left behind',
    load: () => import('./commands/cleanup.ts'),
  },
  purge: { group: STORE, summary: 'remove everything from the store', load: () => import('./commands/purge.ts') },
}

/** Options with a value that may stand before the command's name. */
const COMMON_WITH_VALUE = new Set(['--store', '--workspace'])

/** The examples are written for this width. */
const HELP_WIDTH = 80

const DESCRIPTION = `Cairn is the memory of coding agents: what they saw, said, changed and spent, in one store.`

const EXAMPLES = `
Start here:
  cairn import                     import what agents recorded on this machine
  cairn usage                      what it cost, by day
  cairn usage --by model --since 30d
  cairn recall "the flaky test"    who said what, in which session
  cairn dashboard                  all of it in the browser

Every command takes --json, --store, --workspace and --help (with examples);
--incognito ignores the store, --no-ltm ignores long-term memory.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped by a budget or check.`

/**
 * Returns the command's name and the other arguments, with options that preceded the name moved behind it. `name` is
 * undefined if there is none before `--`; `rest` then has all arguments.
 */
export const splitArguments = (
  argv: readonly string[],
): { readonly name: string | undefined; readonly rest: readonly string[] } => {
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? ''
    if (argument === '--') break
    if (COMMON_WITH_VALUE.has(argument)) index++
    else if (!argument.startsWith('-'))
      return { name: argument, rest: [...argv.slice(0, index), ...argv.slice(index + 1)] }
  }
  return { name: undefined, rest: argv }
}

/** Adds the options that every command takes; one that the command already defines is left as it is. */
export const addCommonOptions = (command: Command): void => {
  const common = [
    new Option('--json', 'print one JSON document and nothing else'),
    new Option('--store <address>', 'file:<path> or postgresql://… (default: your data folder)'),
    new Option('--workspace <path|name>', 'only this project').argParser(
      someText('--workspace', "a folder or a project's name"),
    ),
    new Option('--incognito', 'neither read from the store nor write to it'),
    new Option('--no-ltm', 'without long-term memory and profile'),
    new Option('--no-color', 'no colours'),
  ]
  // A command may define one of them in its own way.
  for (const option of common) if (!command.options.some(({ long }) => long === option.long)) command.addOption(option)
}

/**
 * Sets up a command so that it throws CommanderError instead of printing errors or ending the process, with its help on
 * standard output; returns the same command.
 */
const configure = (command: Command, context: Context): Command =>
  command
    .exitOverride()
    .showHelpAfterError(false)
    .configureHelp({ helpWidth: Math.min(context.terminal.width, HELP_WIDTH) })
    // Commander's messages about wrong usage are thrown, and printed in one place.
    .configureOutput({
      writeErr: () => undefined,
      outputError: () => undefined,
      writeOut: (text) => void context.terminal.write(text),
    })

/** Prints the help of `cairn` itself, with all commands in their groups. */
const rootHelp = async (context: Context): Promise<void> => {
  const root = configure(new Command('cairn'), context)
    .description(DESCRIPTION)
    .usage('<command> [options]')
    .option('--version', 'print the version')
  for (const [name, { group, summary }] of Object.entries(COMMANDS))
    root.command(name).helpGroup(group).summary(summary).description(summary).helpOption(false)
  root.helpCommand(false)
  await context.terminal.write(`${root.helpInformation()}${EXAMPLES}\n`)
}

/**
 * Commander's error (`error: unknown option '--x'`) as our `usage` error. `name`: the command's, with that of its
 * subcommand; `takesWords`: it takes arguments, so that the error of an unknown option also names `--`.
 */
const asUsageError = (error: CommanderError, name: string, takesWords: boolean): CairnError => {
  const text = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.+?)\?\)/s, ' (did you mean $1?)')
    .replaceAll('\n', ' ')
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  const dashed =
    takesWords && error.code === 'commander.unknownOption'
      ? ` A text that begins with a dash stands behind --: cairn ${name} -- "-x".`
      : ''
  return new CairnError('usage', `${sentence.replace(/\.$/, '')}.${dashed} See: cairn ${name} --help`, { cause: error })
}

/** In characters; no subcommand is longer. */
const LONGEST_NAME = 20

/**
 * The error for a word that is none of a group's subcommands (`cairn secret sett`), which is repeated only if it is
 * short, as it may be a key; undefined for any other error.
 */
const asUnknownSubcommand = (
  error: CommanderError,
  command: Command,
  rest: readonly string[],
): CairnError | undefined => {
  const { name } = splitArguments(rest)
  const names = command.commands.map((each) => each.name())
  if (error.code !== 'commander.excessArguments' || name === undefined || names.length === 0 || names.includes(name))
    return undefined
  // A longer word is no misspelt name, and may be a key.
  const what = name.length > LONGEST_NAME ? 'That is no subcommand' : `There is no 'cairn ${command.name()} ${name}'`
  return new CairnError(
    'usage',
    `${what}.${didYouMean(name, names)} There are ${names.join(', ')}. See: cairn ${command.name()} --help`,
  )
}

/** The name of a command and of the subcommand that was called, whose help explains its options. */
const nameOfCommand = (command: Command, rest: readonly string[]): string => {
  const { name } = splitArguments(rest)
  return command.commands.some((each) => each.name() === name) ? `${command.name()} ${name ?? ''}` : command.name()
}

/** Whether an argument asks for help, which is printed whatever else the line says. */
const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h'

/**
 * The arguments with the subcommand's name first: options before it (`cairn --json session list`) belong to the
 * subcommand. Unchanged if none of the command's subcommands is named.
 */
const subcommandFirst = (command: Command, argv: readonly string[]): readonly string[] => {
  const { name, rest } = splitArguments(argv)
  return name !== undefined && command.commands.some((each) => each.name() === name) ? [name, ...rest] : argv
}

/** Prints the answer to a call without a command: the version, or the help. Throws `usage` for other options. */
const runWithoutCommand = (rest: readonly string[], context: Context, version: () => string): Promise<void> => {
  if (rest.includes('--version') || rest.includes('-V')) return context.terminal.line(version())
  if (rest.some(isHelp)) return rootHelp(context)
  const unknown = rest.find((argument) => argument !== '--no-color')
  if (unknown !== undefined)
    throw new CairnError('usage', `Which command? '${unknown}' alone does nothing. See: cairn --help`)
  return rootHelp(context)
}

/** Returns the command with a name. @throws CairnError `usage`, with similar names, if there is none */
const entryNamed = (name: string): CommandEntry => {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (entry === undefined) {
    throw new CairnError(
      'usage',
      `There is no command '${name}'.${didYouMean(name, Object.keys(COMMANDS))} See: cairn --help`,
    )
  }
  return entry
}

/** The error for a group that was called without a subcommand. */
const asMissingSubcommand = (command: Command): CairnError =>
  new CairnError(
    'usage',
    `'cairn ${command.name()}' needs to know what to do: ${command.commands.map((each) => each.name()).join(', ')}. See: cairn ${command.name()} --help`,
  )

/**
 * Runs what the arguments (without `node` and the script) ask for, help included; `version` returns the version to
 * print. Resolves when it is done, whatever exit code it set in `context`. Rejects with whatever failed; wrong usage is
 * a CairnError `usage`.
 */
export const run = async (argv: readonly string[], context: Context, version: () => string): Promise<void> => {
  const { name, rest } = splitArguments(argv)
  if (name === undefined) return runWithoutCommand(rest, context, version)
  if (name === 'help') {
    const { name: topic } = splitArguments(rest)
    return topic === undefined ? rootHelp(context) : run([topic, '--help'], context, version)
  }
  const { define } = await entryNamed(name).load()
  const root = configure(new Command('cairn'), context)
  const command = configure(root.command(name), context)
  define(command, context)
  for (const each of command.commands.length > 0 ? command.commands : [command])
    addCommonOptions(configure(each, context))
  try {
    const isAboutGroup = command.commands.length > 0 && splitArguments(rest).name === undefined && rest.some(isHelp)
    await root.parseAsync([name, ...(isAboutGroup ? ['--help'] : subcommandFirst(command, rest))], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help was asked for and printed.
    if (error.exitCode === 0) return
    throw error.code === 'commander.help'
      ? asMissingSubcommand(command)
      : (asUnknownSubcommand(error, command, rest) ??
          asUsageError(error, nameOfCommand(command, rest), command.registeredArguments.length > 0))
  }
}
