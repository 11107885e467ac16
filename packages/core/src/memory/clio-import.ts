/**
 * Imports what CLIO kept of a project: its long-term memory (`ltm.json`) and its notes (`memory/<key>.json`). Parsing
 * is tolerant, because versions of CLIO differ; what can't be read is reported.
 */
import { CairnError, messageOf } from '../errors.ts'
import { JSON_LEVELS, isJsonObject, isNestedDeeper } from '../json.ts'
import type { MemoryKind } from '../ports/memory-storage.ts'
import type { SharedEntry, SharedFile, SkippedLine } from './sharing-file.ts'

/** A named text of a CLIO memory file. */
export interface ClioNote {
  readonly key: string
  readonly text: string
  /** When it was written, ms. */
  readonly at: number | null
}

/** The notes of a CLIO memory file, and the skipped lines. */
export interface ClioNotes {
  readonly notes: readonly ClioNote[]
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
}

type Item = Readonly<Record<string, unknown>>

/**
 * Whether a text begins like JSON (with a brace or bracket), and is therefore CLIO's memory rather than one of our
 * memory files.
 */
export const looksLikeJson = (text: string): boolean => /^\ufeff?\s*[{[]/.test(text)

/**
 * Parses the entries of CLIO's long-term memory, whose sections stand in `patterns` or at the top. Entries without a
 * text are listed in `skipped` with their position, and sections that are not known if they stand in `patterns`.
 * @throws CairnError `invalid-input` if the text is not JSON, or not a memory of CLIO.
 */
export const parseClioMemory = (text: string): SharedFile => {
  const file = jsonOf(text)
  const patterns = isJsonObject(file) ? (isJsonObject(file['patterns']) ? file['patterns'] : file) : undefined
  if (patterns === undefined || !Object.keys(SECTIONS).some((name) => name in patterns)) {
    throw new CairnError(
      'invalid-input',
      "The file is JSON, but not CLIO's memory: it has none of its sections (discoveries, problem_solutions, …).",
    )
  }
  const entries: SharedFile['entries'][number][] = []
  const skipped: SkippedLine[] = []
  for (const [name, read] of Object.entries(SECTIONS)) {
    for (const { position, value } of itemsOf(patterns[name], name)) {
      const entry = read(typeof value === 'string' ? { text: value } : isJsonObject(value) ? value : {})
      if (entry === undefined) skipped.push({ line: 0, reason: `${position} can't be read: it has no text` })
      else entries.push({ line: 0, entry, position })
    }
  }
  for (const name of Object.keys(patterns)) {
    if (!(name in SECTIONS) && patterns !== file) skipped.push({ line: 0, reason: `${name.slice(0, 60)} is not known` })
  }
  return { entries, skipped }
}

/**
 * Parses the notes of CLIO's memory folder, given the name and text of each file (`.json`, or `.md` for progress
 * notes). Empty and damaged files are listed in `skipped` with the reason. Never throws.
 */
export const parseClioNotes = (files: readonly { readonly name: string; readonly text: string }[]): ClioNotes => {
  const notes: ClioNote[] = []
  const skipped: { file: string; reason: string }[] = []
  for (const { name, text } of files) {
    const read = name.endsWith('.md')
      ? { key: name.slice(0, -'.md'.length), text: text.trim(), at: null }
      : noteOf(name, text)
    if (read === undefined) skipped.push({ file: name, reason: 'it is not a readable note of CLIO' })
    else if (read.text === '') skipped.push({ file: name, reason: 'the note is empty' })
    else notes.push(read)
  }
  return { notes, skipped }
}

/**
 * The note in a file; undefined if that is not a JSON object. Its key is the file's name where it names none; a value
 * that is no text is kept as JSON, none as ''.
 */
const noteOf = (name: string, text: string): ClioNote | undefined => {
  let file: unknown
  try {
    file = jsonOf(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(file)) return undefined
  const content = file['content'] ?? file['value']
  const kept =
    typeof content === 'string'
      ? repairEncoding(content)
      : content === undefined || content === null
        ? ''
        : JSON.stringify(content)
  return {
    key: textIn(file, ['key']) ?? name.replace(/\.json$/, ''),
    text: kept.trim(),
    at: timeIn(file, ['timestamp', 'updated', 'created']) ?? null,
  }
}

/** The value of a JSON text; throws `invalid-input` if it is invalid or nested too deeply. */
const jsonOf = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (isNestedDeeper(value)) throw new Error(`it is nested over ${JSON_LEVELS} levels deep`)
    return value
  } catch (error) {
    throw new CairnError(
      'invalid-input',
      `The file can't be read as JSON: ${messageOf(error)}. Nothing was taken in.`,
      { cause: error },
    )
  }
}

/**
 * The items of a section with their positions: of a list its elements, of an object `{ "lib/": ["rule", ...] }` one per
 * rule. Anything else has no items.
 */
const itemsOf = (section: unknown, name: string): readonly { readonly position: string; readonly value: unknown }[] => {
  if (Array.isArray(section)) return section.flatMap((value: unknown, index) => ruleItems(value, `${name}[${index}]`))
  if (!isJsonObject(section)) return []
  return Object.entries(section).flatMap(([context, rules]) =>
    ruleItems({ context, rules }, `${name}.${context.slice(0, 60)}`),
  )
}

/**
 * The rules of an item, each as the item with a `rule` of its own, at the item's position; an item without a list of
 * rules is one item.
 */
const ruleItems = (
  value: unknown,
  position: string,
): readonly { readonly position: string; readonly value: unknown }[] => {
  if (!isJsonObject(value) || !Array.isArray(value['rules']))
    return [{ position, value: isJsonObject(value) && 'rules' in value ? { ...value, rule: value['rules'] } : value }]
  return value['rules'].map((rule: unknown) => ({ position, value: { ...value, rule } }))
}

/** CLIO's names, across versions, for when an entry was made and when it was last confirmed. */
const FIRST = ['first_seen', 'discovered_at', 'created', 'created_at', 'timestamp']
const LAST = ['last_confirmed', 'last_seen', 'last_used', 'last_updated', 'updated', 'updated_at', 'timestamp']

/**
 * An entry with what the item tells of its confidence, times, examples and confirmations (its corroborations; at least
 * one if it is verified); undefined without text. Values out of range are left out; `more` wins over what is told.
 */
const entryOf = (
  kind: MemoryKind,
  text: string | undefined,
  item: Item,
  more: Partial<SharedEntry> = {},
): SharedEntry | undefined => {
  if (text === undefined) return undefined
  const confidence = numberIn(item, 'confidence')
  const [first, last] = [timeIn(item, FIRST), timeIn(item, LAST)]
  const examples = Array.isArray(item['examples'])
    ? item['examples'].flatMap((example: unknown) =>
        typeof example === 'string' && example.trim() !== '' ? [repairEncoding(example).trim()] : [],
      )
    : []
  const corroborations = Array.isArray(item['corroborations']) ? item['corroborations'].length : 0
  const isVerified = item['verified'] === true || item['verified'] === 1
  return {
    kind,
    text,
    examples,
    ...(confidence !== undefined && confidence >= 0 && confidence <= 1 ? { confidence } : {}),
    ...(first === undefined ? {} : { firstSeenAt: first }),
    ...(last === undefined ? {} : { lastConfirmedAt: last }),
    ...(corroborations > 0 || isVerified ? { confirmations: Math.max(corroborations, 1) } : {}),
    ...more,
  }
}

const SECTIONS: Readonly<Record<string, (item: Item) => SharedEntry | undefined>> = {
  discoveries: (item) => entryOf('discovery', textIn(item, ['fact', 'discovery', 'text', 'description']), item),
  /** A problem with its solution as one entry; undefined without a solution. */
  problem_solutions: (item) => {
    const [error, solution] = [
      textIn(item, ['error', 'problem', 'error_pattern']),
      textIn(item, ['solution', 'text', 'fix']),
    ]
    // Both are kept as they were; only the arrow is ours.
    const text = error === undefined || solution === undefined ? solution : `${error} → ${solution}`
    return entryOf('solution', text, item, { applications: countIn(item, ['solved_count', 'applied_count']) })
  },
  code_patterns: (item) => entryOf('pattern', textIn(item, ['pattern', 'text', 'description']), item),
  /** A workflow by its name, its steps or both; its success rate is the confidence if it has no other. */
  workflows: (item) => {
    const steps = [item['sequence'], item['steps']].find((list) => Array.isArray(list))
    const joined = Array.isArray(steps) ? steps.filter((step: unknown) => typeof step === 'string').join(' → ') : ''
    const name = textIn(item, ['name', 'workflow', 'text', 'description'])
    const text =
      joined === '' ? name : name === undefined ? repairEncoding(joined) : `${name}: ${repairEncoding(joined)}`
    const rate = numberIn(item, 'success_rate')
    return entryOf('workflow', text, item, {
      applications: countIn(item, ['count']),
      ...(rate !== undefined && rate >= 0 && rate <= 1 && item['confidence'] === undefined ? { confidence: rate } : {}),
    })
  },
  /** A failure, with impact and prevention behind it; undefined if it does not say what failed. */
  failures: (item) => {
    const [what, impact, prevention] = [
      textIn(item, ['what', 'failure', 'text', 'description']),
      textIn(item, ['impact', 'why']),
      textIn(item, ['prevention', 'lesson']),
    ]
    const text = [
      what,
      impact === undefined ? undefined : `Impact: ${impact}`,
      prevention === undefined ? undefined : `Prevention: ${prevention}`,
    ]
    return entryOf(
      'failure',
      what === undefined
        ? undefined
        : text.flatMap((part) => (part === undefined ? [] : [part.replace(/[.\s]+$/u, '')])).join('. '),
      item,
    )
  },
  context_rules: (item) => {
    const [context, rule] = [textIn(item, ['context', 'module', 'path']), textIn(item, ['rule', 'text', 'description'])]
    return entryOf('context_rule', rule === undefined || context === undefined ? rule : `${context}: ${rule}`, item)
  },
}

/** The first of the fields with a text, trimmed and with its encoding repaired; undefined if there is none. */
const textIn = (item: Item, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = item[name]
    if (typeof value === 'string' && value.trim() !== '') return repairEncoding(value).trim()
  }
  return undefined
}

/** A number, also if written as text; undefined for anything else. */
const numberIn = (item: Item, name: string): number | undefined => {
  const value = item[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The largest count under these names, a whole number; 0 where there is none. */
const countIn = (item: Item, names: readonly string[]): number =>
  names.reduce((largest, name) => Math.max(largest, Math.trunc(numberIn(item, name) ?? 0)), 0)

/** Larger numbers are ms, smaller ones seconds: 100,000,000,000 s is in the year 5138. */
const SECONDS_END = 100_000_000_000

/**
 * The time in ms under the first of these names that holds one, from ms, seconds or a date's text; undefined if none
 * does.
 */
const timeIn = (item: Item, names: readonly string[]): number | undefined => {
  for (const name of names) {
    const number = numberIn(item, name)
    const value = item[name]
    const at =
      number === undefined
        ? typeof value === 'string'
          ? Date.parse(value)
          : Number.NaN
        : number < SECONDS_END
          ? number * 1000
          : number
    // Date can hold no later ones.
    if (at > 0 && at <= 8_640_000_000_000_000) return Math.trunc(at)
  }
  return undefined
}

/**
 * The text with CLIO's double encoding undone (`Ã©` is `é`): where its characters, read as bytes, are valid UTF-8. Any
 * other text comes back as it is.
 */
const repairEncoding = (text: string): string => {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    )
  } catch {
    return text
  }
}
