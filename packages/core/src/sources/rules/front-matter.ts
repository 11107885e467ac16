/** The front matter of rules files: YAML, or what agents take for it. */
import { parse } from 'yaml'
import { isJsonObject } from '../../json.ts'

/** The front matter of a file and the text behind it. */
export interface FrontMatter {
  /** Values by their key; empty where there is no front matter. */
  readonly values: Readonly<Record<string, unknown>>
  /** What stands behind it; the whole text where it is broken. */
  readonly text: string
  /** What is wrong with it, completing "its front matter …". */
  readonly problem?: string
}

const BLOCK = /^---[ \t]*\n([^]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/
/** A key and a plain value: `globs: *.ts, *.tsx` is common, but not valid YAML. */
const PLAIN_LINE = /^([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)$/
const LONGEST = 20_000

/**
 * Splits a text (with line ends `\n`) into its YAML front matter and the rest. No values if it has none; if it is
 * broken or too long, `problem` says so and `text` is the whole text. Never throws.
 */
export const frontMatterOf = (text: string): FrontMatter => {
  if (!/^---[ \t]*\n/.test(text)) return { values: {}, text }
  const [whole, block] = BLOCK.exec(text) ?? []
  if (whole === undefined || block === undefined) return { values: {}, text, problem: 'has no end' }
  if (block.length > LONGEST) return { values: {}, text, problem: 'is too long' }
  const values = yamlValues(block) ?? plainValues(block)
  return values === undefined
    ? { values: {}, text, problem: 'is no valid YAML' }
    : { values, text: text.slice(whole.length) }
}

/** Parses YAML; no values for an empty block, undefined if it is invalid or not a mapping. */
const yamlValues = (block: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = parse(block, { maxAliasCount: 20, logLevel: 'error' })
    if (value === null || value === undefined) return {}
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads lines of `key: value` and lists of `- item`; undefined if any other line is among them. A line without a value
 * begins a list.
 */
const plainValues = (block: string): Readonly<Record<string, unknown>> | undefined => {
  const values = new Map<string, unknown>()
  let list: string[] | undefined
  for (const line of block.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const item = /^\s*-\s+(.+)$/.exec(line)?.[1]
    if (item !== undefined && list !== undefined) {
      if (!isPlain(item)) return undefined
      list.push(unquoted(item))
      continue
    }
    const [, key, value = ''] = PLAIN_LINE.exec(line) ?? []
    if (key === undefined || !isPlain(value)) return undefined
    list = value.trim() === '' ? [] : undefined
    values.set(key, list ?? plainValue(unquoted(value)))
  }
  return Object.fromEntries(values)
}

/** Whether a value stands for itself: it starts no quote, list or other YAML form that it does not close. */
const isPlain = (value: string): boolean =>
  !/^[[{&!|>%@`]/.test(value) && (!/^["']/.test(value) || /^(["'])(?:(?!\1).)*\1\s*$/.test(value))

const unquoted = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, '$2')
const plainValue = (value: string): unknown => (value === 'true' ? true : value === 'false' ? false : value)

/**
 * Returns the texts of a list, or the parts of a text separated by commas (not those within braces), trimmed and
 * without empty ones. Values that are no text are skipped.
 */
export const textsOf = (value: unknown): readonly string[] => {
  const given = Array.isArray(value) ? value : [value]
  return given.flatMap((one: unknown) =>
    typeof one === 'string'
      ? one
          .split(/,(?![^{}]*\})/)
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : [],
  )
}
