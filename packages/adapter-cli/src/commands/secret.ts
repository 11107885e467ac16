/** `cairn secret`: stores provider keys where no other user can read them. */
import { CairnError, redact } from '@cairn/core'
import { PROVIDERS, providerKeys, secretNameOf } from '@cairn/core/providers'
import type { SecretsLock, SetResult } from '@cairn/core/node/secrets'
import type { CommonOptions, Context, Define } from '../command.ts'
import { openSecrets } from '../models/open-secrets.ts'
import { didYouMean } from '../options/close-matches.ts'
import { oneOf } from '../options/option-values.ts'
import { givenText } from '../options/standard-input.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** The options of `secret set`. */
interface SetSecretOptions extends CommonOptions {
  readonly file?: boolean
  readonly lock?: SecretsLock
}

const LOCKS = ['passphrase', 'key-file'] as const

const HELP = `
A key is looked up in the environment first (ANTHROPIC_API_KEY), then here. It
is kept in the system's keyring (macOS Keychain, Windows Credential Manager,
Secret Service on Linux desktops) or, if there is none, in an encrypted file in
the data folder. No command ever prints it.

Examples:
  cairn secret set anthropic
  cairn secret list
  cairn secret delete anthropic`

const SET_HELP = `
The key is typed or pasted without being shown, or read from standard input.
Never give it as an argument: other users and the shell history can see those.
A new file is locked with a key file next to your settings; --lock passphrase
asks for a passphrase on every use instead (or set CAIRN_SECRETS_PASSPHRASE).

Examples:
  cairn secret set anthropic
  cairn secret set openai < openai-key.txt
  cairn secret set google --lock passphrase`

/** Declares `cairn secret`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description('Keep provider keys safe: set, list by name, delete; never shown.').addHelpText('after', HELP)
  command
    .command('set')
    .description('Store the key of a provider, replacing an old one.')
    .argument(
      '<name>',
      Object.keys(PROVIDERS)
        .filter((name) => secretNameOf(name) === name)
        .join(', '),
    )
    .option('--file', 'use the encrypted file even if there is a keyring')
    .option('--lock <with>', `lock the file with: ${LOCKS.join(', ')}`, oneOf('--lock', LOCKS))
    .allowExcessArguments()
    .addHelpText('after', SET_HELP)
    .action((name: string, options: SetSecretOptions, { args }: { readonly args: readonly string[] }) =>
      runSet(name, args.length, options, context),
    )
  command
    .command('list', { isDefault: true })
    .description('List which keys are stored, and where.')
    .addHelpText('after', HELP)
    .action((options: CommonOptions) => runList(options, context))
  command
    .command('delete')
    .description('Delete a key.')
    .argument('<name>', 'as secret list shows it')
    .addHelpText('after', '\nExamples:\n  cairn secret delete anthropic\n  cairn secret delete openai --json')
    .action((name: string, options: CommonOptions) => runDelete(name, options, context))
}

/**
 * Stores a key: `{name, keptIn, file, keyringProblem}` as JSON. Rejects with `usage` for an unknown provider, for a key
 * given as an argument and for text that is not a key. The key is read from standard input, or asked for without
 * showing it. A key in the environment comes before it, which is said.
 */
const runSet = async (given: string, count: number, options: SetSecretOptions, context: Context): Promise<void> => {
  const name = secretNameOf(given)
  if (name === undefined) throw unknownName(given)
  if (count > 1)
    throw new CairnError(
      'usage',
      `A key is not given as an argument, where other users and the shell's history see it: run cairn secret set ${name}, and paste it then.`,
    )
  const { surroundings, terminal } = context
  const title = PROVIDERS[name]?.title ?? name
  const value = assertKey(await readValue(title, context))
  const secrets = await openSecrets(context)
  const { file: inFile, lock } = options
  const result = await secrets.set(name, value, { inFile: inFile === true, lock })
  const { keyringProblem } = result
  if (keyringProblem !== undefined)
    terminal.note(`${sentenceStart(secrets.keyringTitle)} can't be used: ${keyringProblem}.`)
  const other = otherProviderOf(value, name)
  if (other !== undefined) terminal.note(`This looks like a key of ${other}, not of ${title}; it is kept all the same.`)
  const found = providerKeys(surroundings.variables, []).find((key) => key.name === name)?.found
  if (found?.from === 'environment')
    terminal.note(`${found.variable} is set in the environment, and comes before the stored key.`)
  if (options.json === true)
    return context.json({
      name,
      keptIn: result.keptIn,
      file: result.file ?? null,
      keyringProblem: keyringProblem ?? null,
    })
  await terminal.line(`The key of ${title} is kept in ${locationText(result, secrets.keyringTitle)}.`)
}

/** Providers whose keys have a form that nobody else's have, by the name of its placeholder. */
const KEY_FORMS: Readonly<Record<string, string>> = {
  'anthropic-key': 'anthropic',
  'openrouter-key': 'openrouter',
  'google-api-key': 'google',
}

/** Returns the provider that a key belongs to by its form, if that is another one than `name`; undefined otherwise. */
const otherProviderOf = (value: string, name: string): string | undefined => {
  const form = /^\[redacted:([\w-]+)\]$/.exec(redact(value).text)?.[1] ?? ''
  const provider = KEY_FORMS[form]
  return provider === undefined || provider === name ? undefined : PROVIDERS[provider]?.title
}

/** Returns a text with its first letter in upper case. */
const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns where a key is stored, in words. */
const locationText = ({ file }: Pick<SetResult, 'file'>, keyringTitle: string): string =>
  file === undefined ? keyringTitle : `the encrypted file ${file}`

/**
 * Returns what was typed on the terminal, unseen, or all of standard input where nobody can be asked. Rejects with
 * `invalid-input` if nothing was typed.
 */
const readValue = async (title: string, { terminal }: Context): Promise<string> => {
  if (!terminal.canAsk) return givenText('-')
  const text = await terminal.askHidden(`Key of ${title} (not shown): `)
  if (text === undefined || text.trim() === '')
    throw new CairnError('invalid-input', 'No key was given, and nothing was kept.')
  return text
}

/** Characters of a key; none is longer. */
const LONGEST_KEY = 8192

/**
 * Returns the key without surrounding blanks.
 * @throws CairnError `usage` for text that is not a key, without repeating it
 */
const assertKey = (text: string): string => {
  const value = text.trim()
  if (value.length > LONGEST_KEY) throw noKey(`it has more than ${LONGEST_KEY} characters`)
  if (!/^[\x21-\x7e]+$/.test(value)) throw noKey('it holds a space, a line break or a character that no key has')
  if (/^(?:export|bearer|[A-Z_]{3,}=)|^["']/i.test(value))
    throw noKey('give it alone, without the name of a variable and without quotes')
  return value
}

/** Returns (does not throw) the error for text that is not a key. */
const noKey = (why: string): CairnError => new CairnError('usage', `That is not a key: ${why}; nothing was kept.`)

/** Longer words that are no names are not repeated: somebody may have given the key. */
const LONGEST_NAME = 30

/** Returns (does not throw) the error for a name that no provider has; what may be a secret is not repeated. */
const unknownName = (given: string): CairnError => {
  const names = Object.keys(PROVIDERS).filter((name) => secretNameOf(name) === name)
  const isShown = given.length <= LONGEST_NAME && redact(given).count === 0
  const what = isShown ? `There is no provider '${neutraliseLine(given)}'` : 'That is not the name of a provider'
  return new CairnError(
    'usage',
    `${what}, and nothing was kept.${isShown ? didYouMean(given, names) : ''} There are ${names.join(', ')}.`,
  )
}

/**
 * Prints which keys are stored, never the keys: `{secrets: [{name, keptIn, file}], total: {secrets}}` as JSON. No key
 * is no failure.
 */
const runList = async (options: CommonOptions, context: Context): Promise<void> => {
  const secrets = await openSecrets(context)
  const list = (await secrets.list()).map(({ name, keptIn }) => ({
    name,
    keptIn,
    file: keptIn === 'file' ? secrets.file : null,
  }))
  if (options.json === true) return context.json({ secrets: list, total: { secrets: list.length } })
  const { terminal } = context
  if (list.length === 0) await terminal.line('No keys are kept. To keep one: cairn secret set anthropic')
  const width = Math.max(...list.map(({ name }) => name.length), 0)
  for (const { name, file } of list)
    await terminal.line(
      `${neutraliseLine(name).padEnd(width)}  ${locationText(file === null ? {} : { file }, secrets.keyringTitle)}`,
    )
  await terminal.line(terminal.style('bold', `Total  ${counted(list.length, 'key')}`))
}

/**
 * Deletes a key without asking: `{name, deleted: true}` as JSON. Rejects with `not-found` if none of that name is kept.
 */
const runDelete = async (given: string, options: CommonOptions, context: Context): Promise<void> => {
  const name = secretNameOf(given) ?? given
  const secrets = await openSecrets(context)
  if (!(await secrets.delete(name)))
    throw new CairnError('not-found', 'No key of that name is kept; cairn secret list shows which are.')
  if (options.json === true) return context.json({ name, deleted: true })
  await context.terminal.line(`The key of ${PROVIDERS[name]?.title ?? neutraliseLine(name)} is deleted.`)
}
