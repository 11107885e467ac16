/** Tab completion: slash commands and their arguments, and mentions of files and other things. */
import { hasUnsafe } from '@cairn/core'
import type { ChatParts } from './chat.ts'
import { formWords, type SlashCommand } from './slash/slash-command.ts'

/** What the end of a line may become, and that end. */
export type Completion = readonly [found: readonly string[], end: string]

/** What completions are taken from. */
export interface CompletionSources {
  readonly commands: readonly SlashCommand[]
  /** What a command offers beside its forms. */
  readonly chat: ChatParts
  /** Paths of the workspace's files, with `/`. */
  readonly files: () => Promise<readonly string[]>
}

/** Mentions that are not paths. */
const KEYWORDS: readonly string[] = ['@git', '@git:branch', '@session', '@memory']
/** Completions offered at once; more would not help. */
const MOST_OFFERED = 100
const SLASH = /^\s*\/([a-z]*)$/i
const BEHIND_SLASH = /^\s*\/([a-z]+)\s+(?:[^]*\s)?(\S*)$/i
const MENTION = /(?:^|[\s(])(@(?:"[^"]*|[^\s"]*))$/

/**
 * The completions of the end of a line, and that end: names of commands for `/…`, mentions for `@…`, and behind a known
 * command its first words and what it completes itself. None for other text. Files are listed only for a mention.
 * Rejects as the sources do.
 */
export const completionOf = async (line: string, sources: CompletionSources): Promise<Completion> => {
  const [, name] = SLASH.exec(line) ?? []
  if (name !== undefined)
    return among(
      sources.commands.map((command) => `/${command.name} `),
      `/${name}`,
    )
  const [, mention] = MENTION.exec(line) ?? []
  if (mention !== undefined) return mentionsFor(mention, await sources.files())
  const [, called, word = ''] = BEHIND_SLASH.exec(line) ?? []
  const command = sources.commands.find((each) => each.name === called?.toLowerCase())
  if (command === undefined) return [[], line]
  const isFirst = new RegExp(`^\\s*/${command.name}\\s+\\S*$`, 'i').test(line)
  const words = isFirst ? formWords(command.forms).map((each) => `${each} `) : []
  return among([...words, ...((await command.complete?.(sources.chat)) ?? [])], word)
}

/** The completions that start with a text, ignoring case, at most 100. */
const among = (all: readonly string[], start: string): Completion => [
  all.filter((each) => each.toLowerCase().startsWith(start.toLowerCase())).slice(0, MOST_OFFERED),
  start,
]

/**
 * The keywords, and the files and folders of the next level, that continue a mention (with its `@`), as mentions; exact
 * case. Names with unsafe characters or quotes are skipped. At most `MOST_OFFERED` files and folders.
 */
const mentionsFor = (mention: string, files: readonly string[]): Completion => {
  const start = mention.replace(/^@"?/, '')
  const depth = start.split('/').length
  const next = new Set<string>()
  for (const path of files) {
    if (!path.startsWith(start) || hasUnsafe(path) || path.includes('"')) continue
    const parts = path.split('/')
    next.add(parts.length > depth ? `${parts.slice(0, depth).join('/')}/` : path)
    if (next.size === MOST_OFFERED) break
  }
  const keywords = mention.startsWith('@"') ? [] : KEYWORDS.filter((keyword) => keyword.startsWith(mention))
  return [[...keywords, ...[...next].map((path) => asMention(path, mention))], mention]
}

/** A path as a mention: in quotes if it has blanks or the user opened one; a folder's quotes stay open. */
const asMention = (path: string, typed: string): string => {
  if (!typed.startsWith('@"') && !/\s/.test(path)) return `@${path}`
  return path.endsWith('/') ? `@"${path}` : `@"${path}"`
}
