/**
 * The memory as a file for a team's repository: Markdown with one entry per line and its other fields in a trailing
 * comment. The order of lines does not depend on time, and lines are separated by fixed marks, so that additions by two
 * people rarely conflict.
 */
import { z } from 'zod'
import type { Hasher } from '../ports/hasher.ts'
import { replaceUnsafe } from '../unsafe-characters.ts'
import { MEMORY_KINDS, type MemoryEntry, type MemoryKind } from '../ports/memory-storage.ts'

/** An entry as stored in a file; fields that the file does not mention are absent. */
export interface SharedEntry extends Partial<Omit<MemoryEntry, 'workspace' | 'kind' | 'text'>> {
  readonly kind: MemoryKind
  readonly text: string
}

/** A skipped line, 1-based, and the reason. */
export interface SkippedLine {
  /** Counts from 1; 0 for a file without lines (JSON). */
  readonly line: number
  readonly reason: string
}

/** A parsed memory file. */
export interface SharedFile {
  /** `position` locates the entry in a file without lines. */
  readonly entries: readonly { readonly line: number; readonly entry: SharedEntry; readonly position?: string }[]
  readonly skipped: readonly SkippedLine[]
  /** Lines at which a git conflict begins; the entries of both sides are in `entries`. */
  readonly conflicts?: readonly number[]
}

const TITLE = '# What is known about this project'
const HEADER = [
  TITLE,
  '',
  'Written by `cairn memory export`, taken in by `cairn memory import`: an entry a line. Texts may be edited, and a line such',
  'as `- discovery: Tests need Redis`, without a comment, is a new entry (a discovery, solution, pattern, workflow, failure or',
  'context_rule); what stands in a comment, and the marks, should stay as they are. Other lines are not taken in.',
  'With `merge=union` for this file in `.gitattributes` git never asks about it.',
  'The hundred numbered marks keep what two people add apart when git merges it; a rendered page does not show them.',
  '',
]
/** Lines of earlier headers. */
const FORMER_HEADER = [
  'Written by `cairn memory export`, taken in by `cairn memory import`: an entry a line. Texts may be edited, and a line',
  'without a comment is a new entry; what stands in a comment, and the marks, should stay as they are.',
]
const MARKS = 100
const markOf = (index: number): string => `<!-- ${String(index).padStart(2, '0')} -->`
const MARK = /^<!-- \d\d -->$/

const COMMENT_START = ' <!-- {'
const COMMENT_END = '} -->'
const ENTRY = /^[-*] (?<kind>[a-z_]+): (?<text>.*)$/u
const CONFLICT = { ours: /^<{7}(?: |$)/, base: /^\|{7}(?: |$)/, theirs: /^={7}$/, end: /^>{7}(?: |$)/ }

/**
 * The entries of a workspace as the text of a memory file. The same entries produce the same bytes, in whatever order
 * they are given. Without entries it is the header alone.
 */
export const exportMemory = (entries: readonly MemoryEntry[], hasher: Hasher): string => {
  const marked = Array.from({ length: MARKS }, (): { readonly hash: string; readonly line: string }[] => [])
  for (const entry of entries) {
    const hash = hasher.sha256(entry.id)
    marked[Number.parseInt(hash.slice(0, 8), 16) % MARKS]?.push({ hash, line: lineOf(entry) })
  }
  // Nothing is between the marks yet.
  if (entries.length === 0) return `${HEADER.join('\n').trimEnd()}\n`
  const body = marked.flatMap((lines, index) => [
    markOf(index),
    ...lines.sort((left, right) => (left.hash < right.hash ? -1 : 1)).map(({ line }) => line),
  ])
  return `${[...HEADER, ...body].join('\n')}\n`
}

/**
 * Parses such a file, also with both sides of a git conflict in it: both are taken, their common base is not. Blank
 * lines, marks and the header's lines are passed over; any other that is no entry is in `skipped` with the reason.
 * Never throws.
 */
export const parseMemoryFile = (text: string): SharedFile => {
  const entries: SharedFile['entries'][number][] = []
  const skipped: SkippedLine[] = []
  const conflicts: number[] = []
  let isBase = false
  for (const [index, given] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    const [line, content] = [index + 1, given.trimEnd()]
    if (CONFLICT.ours.test(content)) conflicts.push(line)
    else if (CONFLICT.base.test(content)) isBase = true
    else if (CONFLICT.theirs.test(content) || CONFLICT.end.test(content)) isBase = false
    else if (
      !isBase &&
      content !== '' &&
      !MARK.test(content) &&
      !HEADER.includes(content) &&
      !FORMER_HEADER.includes(content)
    ) {
      const read = entryOf(content)
      if (typeof read === 'string') skipped.push({ line, reason: read })
      else entries.push({ line, entry: read })
    }
  }
  return { entries, skipped, ...(conflicts.length === 0 ? {} : { conflicts }) }
}

/** Absent fields have their default: 0, null or none. */
const detailsSchema = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,100}$/),
  confidence: z.number().min(0).max(1),
  examples: z.array(z.string()).default([]),
  source: z.string().default('user'),
  session: z.string().nullable().default(null),
  message: z.string().nullable().default(null),
  commit: z.string().nullable().default(null),
  seen: z.iso.datetime(),
  confirmed: z.iso.datetime(),
  used: z.int().min(0).default(0),
  confirmations: z.int().min(0).default(0),
  contradictions: z.int().min(0).default(0),
})

/** An entry as a line of Markdown, with its details as JSON in a comment; escaped, so that no text can end either. */
const lineOf = (entry: MemoryEntry): string => {
  const details: z.input<typeof detailsSchema> = {
    id: entry.id,
    confidence: entry.confidence,
    ...(entry.examples.length === 0 ? {} : { examples: [...entry.examples] }),
    ...(entry.source === 'user' ? {} : { source: entry.source }),
    ...(entry.sessionId === null ? {} : { session: entry.sessionId }),
    ...(entry.messageId === null ? {} : { message: entry.messageId }),
    ...(entry.commit === null ? {} : { commit: entry.commit }),
    seen: new Date(entry.firstSeenAt).toISOString(),
    confirmed: new Date(entry.lastConfirmedAt).toISOString(),
    ...(entry.applications === 0 ? {} : { used: entry.applications }),
    ...(entry.confirmations === 0 ? {} : { confirmations: entry.confirmations }),
    ...(entry.contradictions === 0 ? {} : { contradictions: entry.contradictions }),
  }
  // No `<`, no `>` and no `--`: the comment ends where it should, whatever is in it.
  const json = escapeForComment(JSON.stringify(details)).replaceAll('--', '-\\u002d')
  return `- ${entry.kind}: ${escapeText(entry.text)} <!-- ${json} -->`
}

/** For the example in a refusal: the text of a line that only lacks a kind, else a text of ours. */
const formatExample = (content: string): string => {
  const text = /^[-*] (?!.*<!--)(?<text>.{1,60})$/u.exec(content)?.groups?.['text']?.trim()
  return text === undefined || text === '' ? 'Tests need Redis' : text
}

/** The entry of a line or, as a text, the reason why there is none. Without a comment it has only kind and text. */
const entryOf = (content: string): SharedEntry | string => {
  const { kind: name, text: rest } = ENTRY.exec(content)?.groups ?? {}
  if (name === undefined || rest === undefined)
    return `it is not an entry: one looks like \`- discovery: ${formatExample(content)}\``
  const kind = MEMORY_KINDS.find((known) => known === name)
  if (kind === undefined) return `'${name.slice(0, 40)}' is not a kind of entry: use ${MEMORY_KINDS.join(', ')}`
  const start = rest.lastIndexOf(COMMENT_START)
  if (start === -1) {
    if (rest.includes('<!--')) return 'its comment is damaged'
    return rest.trim() === '' ? 'it has no text' : { kind, text: unescapeText(rest).trim() }
  }
  if (!rest.endsWith(COMMENT_END)) return 'its comment is damaged'
  const details = detailsOf(rest.slice(start + COMMENT_START.length - 1, rest.length - COMMENT_END.length + 1))
  if (details === undefined) return 'its comment is damaged'
  const text = unescapeText(rest.slice(0, start)).trim()
  return text === '' ? 'it has no text' : { kind, text, ...details }
}

/**
 * The details of an entry; undefined if they are no JSON, lack id, confidence or a time, or have a wrong value. What
 * else they leave out gets its default: 0, null, `user`, no examples.
 */
const detailsOf = (json: string): Omit<SharedEntry, 'kind' | 'text'> | undefined => {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch {
    return undefined
  }
  const { success, data } = detailsSchema.safeParse(given)
  if (!success) return undefined
  const { session, message, seen, confirmed, used, ...same } = data
  return {
    ...same,
    sessionId: session,
    messageId: message,
    firstSeenAt: Date.parse(seen),
    lastConfirmedAt: Date.parse(confirmed),
    applications: used,
  }
}

/** Escapes every UTF-16 unit of invisible characters; `write` formats its hexadecimal number. */
const escapeUnits = (text: string, write: (hexadecimal: string) => string): string =>
  replaceUnsafe(text, (found) =>
    Array.from({ length: found.length }, (_, at) => write(found.charCodeAt(at).toString(16))).join(''),
  )
const jsonEscape = (hexadecimal: string): string => `\\u${hexadecimal.padStart(4, '0')}`
/** JSON without invisible characters and without anything that could end an HTML comment. */
const escapeForComment = (json: string): string =>
  escapeUnits(json, jsonEscape).replace(/[<>]/g, (letter) => jsonEscape(letter.charCodeAt(0).toString(16)))

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '<': '<' }

/** Escapes a text onto one line without markup; {@link unescapeText} reverses it. */
const escapeText = (text: string): string =>
  escapeUnits(
    text
      .replace(/[\\<]/g, '\\$&')
      .replaceAll('\n', String.raw`\n`)
      .replaceAll('\t', String.raw`\u{9}`),
    (code) => `\\u{${code}}`,
  )

/** Reverses {@link escapeText}; anything that is not an escape stays. */
const unescapeText = (text: string): string =>
  text.replace(/\\(?:u\{(?<hex>[0-9a-f]{1,4})\}|(?<letter>[\s\S]))/gu, (found: string, ...rest: readonly unknown[]) => {
    const groups: unknown = rest.at(-1)
    if (typeof groups !== 'object' || groups === null) return found
    const { hex, letter }: { hex?: unknown; letter?: unknown } = groups
    if (typeof hex === 'string') return String.fromCharCode(Number.parseInt(hex, 16))
    return (typeof letter === 'string' ? ESCAPES[letter] : undefined) ?? found
  })
