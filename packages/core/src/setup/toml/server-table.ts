/**
 * Cairn's table in a TOML file, `[mcp_servers.cairn]`: appended as text, and removed again. The file is parsed before
 * and after, to verify that everything else stays the same.
 */
import { parse } from 'smol-toml'
import { applyEdit, lineBreakOf, spliceOf } from '../edit.ts'
import type { Edit } from '../edit.ts'
import { refused } from '../outcome.ts'
import type { Outcome, Refusal } from '../outcome.ts'
import { ownServerScript } from '../program.ts'
import { SERVER_NAME } from '../target.ts'
import type { TomlTarget } from '../target.ts'

const SERVERS = 'mcp_servers'

type Table = Readonly<Record<string, unknown>>

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** The table of a text, or why it is invalid. Integers are bigints; only the first line of the reason is given. */
const readToml = (text: string): Table | string => {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (error) {
    const [first = 'it is not valid'] = (error instanceof Error ? error.message : String(error)).split('\n')
    return first.replace(/^Invalid TOML document: /, '')
  }
}

/**
 * The text of a TOML settings file with Cairn's table, or why it must be left alone; an empty text means a missing
 * file. Writes nothing. Another program's server of that name is kept; one that starts `cairn` by its name alone stays
 * as it is. A refusal for a table of Cairn's in a form that setup can't renew.
 */
export const ensureToml = (text: string, target: TomlTarget, name: string): Outcome | Refusal => {
  const before = readToml(text)
  if (typeof before === 'string') return refused(`it can't be read as TOML: ${before}`)
  const servers = before[SERVERS]
  if (servers !== undefined && !isTable(servers)) return refused(`"${SERVERS}" is not a table, as ${name} expects it`)
  const server = servers?.[SERVER_NAME]
  /** The outcome with this text; without splices nothing was changed. */
  const done = (splices: Outcome['splices'], after: string, kept: Outcome['kept'] = []): Outcome => ({
    kind: 'done',
    text: after,
    splices,
    kept,
  })
  if (server !== undefined) {
    const words = serverWords(server)
    const script = ownServerScript(words)
    if (script === undefined) return done([], text, ['server'])
    if (script === 0 || isCurrent(words, target)) return done([], text)
  }
  const edit = server === undefined ? additionTo(text, target) : renewal(text, target)
  if (edit === undefined)
    return refused(`the entry for cairn in it has a form that setup can't renew; correct its command and args by hand`)
  const after = applyEdit(text, edit)
  const fault = faultOf(before, after)
  return fault === undefined ? done([spliceOf(text, edit)], after) : refused(fault)
}

/** The words that start a server. Empty for what is no table; a word that is no text is ''. */
const serverWords = (server: unknown): readonly string[] => {
  if (!isTable(server)) return []
  const { command, args } = server
  return [command, ...(Array.isArray(args) ? (args as readonly unknown[]) : [])].map((word) =>
    typeof word === 'string' ? word : '',
  )
}

/** Arguments that someone added after `mcp` stay. */
const isCurrent = ([command, ...args]: readonly string[], target: TomlTarget): boolean =>
  command === target.command && target.args.every((word, index) => args[index] === word)

/** A text in TOML. */
const tomlText = (value: string): string => JSON.stringify(value).replaceAll('\u007f', String.raw`\u007f`)
const tomlList = (values: readonly string[]): string => `[${values.map(tomlText).join(', ')}]`

/** The edit that appends Cairn's table. A blank line stands before it unless the file is empty. */
const additionTo = (text: string, { command, args, variables }: TomlTarget): Edit => {
  const eol = lineBreakOf(text)
  const hasLastBreak = text.endsWith('\n')
  const isEmpty = text.replace('\ufeff', '') === ''
  const lines = [
    `[${SERVERS}.${SERVER_NAME}]`,
    `command = ${tomlText(command)}`,
    `args = ${tomlList(args)}`,
    ...(variables.length > 0 ? [`env_vars = ${tomlList(variables)}`] : []),
  ]
  const before = isEmpty ? '' : hasLastBreak ? eol : eol + eol
  const after = isEmpty || hasLastBreak ? eol : ''
  return { start: text.length, end: text.length, text: before + lines.join(eol) + after }
}

const HEADER = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:cairn|"cairn"|'cairn')[ \t]*(\.[^\]]*)?\][ \t]*(?:#.*)?\r?$/
const ANY_HEADER = /^[ \t]*\[/

interface Line {
  readonly text: string
  readonly start: number
  /** After its line break. */
  readonly end: number
}

/** The lines of a text with their offsets, without a byte order mark; carriage returns stay. */
const linesOf = (text: string): readonly Line[] => {
  const lines: Line[] = []
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length;) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next + 1
    lines.push({ text: text.slice(start, end).replace(/\n$/, ''), start, end })
    start = end
  }
  return lines
}

/**
 * The lines of Cairn's table and its subtables, without trailing blank lines and comments. A multi-line text may
 * contain a line that looks like the header, so the last such line is used.
 */
const blockOf = (text: string): readonly Line[] => {
  const lines = linesOf(text)
  const first = lines.findLastIndex((line) => HEADER.exec(line.text)?.[1] === undefined && HEADER.test(line.text))
  if (first === -1) return []
  let end = first + 1
  while (end < lines.length) {
    const line = lines[end]?.text ?? ''
    if (ANY_HEADER.test(line) && !HEADER.test(line)) break
    end += 1
  }
  while (end > first + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1]?.text ?? '')) end -= 1
  return lines.slice(first, end)
}

/** Updates program and arguments; undefined unless each is on its own line. Comments behind them stay. */
const renewal = (text: string, { command, args }: TomlTarget): Edit | undefined => {
  const block = blockOf(text)
  const [first, last] = [block[0], block.at(-1)]
  if (first === undefined || last === undefined) return undefined
  let hasBoth = 0
  const written = block.map((line) => {
    const [, before = '', key, value = '', after = ''] =
      /^([ \t]*)(command|args)[ \t]*=[ \t]*("[^"]*"|'[^']*'|\[[^\]]*\])([ \t]*(?:#.*)?\r?)$/.exec(line.text) ?? []
    const lineBreak = text.slice(line.start + line.text.length, line.end)
    if (key === undefined) return line.text + lineBreak
    hasBoth += 1
    const fresh = key === 'command' ? tomlText(command) : renewedArguments(value, args)
    return `${before}${key} = ${fresh}${after}${lineBreak}`
  })
  return hasBoth === 2 ? { start: first.start, end: last.end, text: written.join('') } : undefined
}

/** The arguments of this installation, plus those that someone added. Those of another program's entry are not kept. */
const renewedArguments = (written: string, args: readonly string[]): string => {
  const old = readToml(`args = ${written}`)
  const words = typeof old === 'string' ? [] : serverWords({ command: '', args: old['args'] }).slice(1)
  const script = ownServerScript(words)
  return tomlList(script === undefined ? args : [...args, ...words.slice(script + 2)])
}

/**
 * The text without Cairn's table, for a file that others have changed since; a refusal if it is not TOML, or if the
 * table has a different form than setup writes.
 */
export const withdrawToml = (text: string): { readonly text: string } | Refusal => {
  const before = readToml(text)
  if (typeof before === 'string') return refused(`it can't be read as TOML: ${before}`)
  if (!hasOwnToml(text)) return { text }
  const block = blockOf(text)
  const [first, last] = [block[0], block.at(-1)]
  const byHand = refused(`the entry for cairn in it has a form that setup can't take out; take it out by hand`)
  if (first === undefined || last === undefined) return byHand
  // The blank line that setup put before it goes, too.
  const blank = /\r?\n(?=\r?\n$)/.exec(text.slice(0, first.start))
  const start = blank === null ? first.start : blank.index + blank[0].length
  const after = text.slice(0, start) + text.slice(last.end)
  return hasOwnToml(after) || faultOf(before, after) !== undefined ? byHand : { text: after }
}

/** Whether a file has a table for Cairn's server; false if it is not TOML. */
export const hasOwnToml = (text: string): boolean => {
  const table = readToml(text)
  const servers = typeof table === 'string' ? undefined : table[SERVERS]
  return isTable(servers) && ownServerScript(serverWords(servers[SERVER_NAME])) !== undefined
}

/**
 * Why a changed text is not what it should be: it is no TOML, or more than Cairn's table changed. Undefined if it is
 * right.
 */
const faultOf = (before: Table, text: string): string | undefined => {
  const after = readToml(text)
  if (typeof after === 'string') return `a table can't be added to it (${after}); write the entry by hand`
  return withoutOwn(before) === withoutOwn(after)
    ? undefined
    : 'its entry could not be changed without a change to the rest'
}

/** Everything in the file that is not Cairn's, as a text for comparison. The order of keys counts. */
const withoutOwn = (table: Table): string => {
  const servers = table[SERVERS]
  const { [SERVERS]: _, ...rest } = table
  const { [SERVER_NAME]: __, ...others } = isTable(servers) ? servers : {}
  return JSON.stringify([rest, others], (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : typeof value === 'number' ? `${value}` : value,
  )
}
