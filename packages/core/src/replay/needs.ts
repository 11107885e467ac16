/**
 * What each request of a session needed to see: references and anchors, found once for a session and then
 * compared with what a policy left in the context. Definitions in docs/replay.md.
 */
import { arrayOf, objectOf, stringOf } from '../json.ts'
import { textOfJson, type ContentBlock, type ToolCallBlock } from '../messages.ts'
import type { MessageEntry } from '../session-log.ts'
import { createInterner, linesIn, namesIn, textIn, type Interner } from '../context/names.ts'
import { createSubstringIndex, type SubstringIndex } from './substring-index.ts'
import type { Trajectory } from './trajectory.ts'

/** A block of the log, as one number. */
export type BlockKey = number

const BLOCKS_PER_ENTRY = 4096

/** A number for a block of an entry. */
export const blockKey = (seq: number, block: number): BlockKey => seq * BLOCKS_PER_ENTRY + block
/** The entry and the block of such a number. */
export const partsOfBlockKey = (key: BlockKey): { readonly seq: number; readonly block: number } => ({
  seq: Math.floor(key / BLOCKS_PER_ENTRY),
  block: key % BLOCKS_PER_ENTRY,
})

export interface Reference {
  readonly name: number
  /** The block in which the name stood last. */
  readonly source: BlockKey
}

export interface Anchor {
  /** Its lines, each as the line of the log that holds it. */
  readonly lines: readonly number[]
  /** Of an anchor that is a part of a line: its text, which any line may hold. */
  readonly part?: string
  /** The block that holds most of them, the newest of equals. */
  readonly source: BlockKey
}

export interface TurnNeeds {
  readonly references: readonly Reference[]
  readonly anchors: readonly Anchor[]
}

/** The names and lines of a block, as numbers; a name stands once, lines may repeat. */
export interface BlockFacts {
  readonly names: Int32Array
  readonly lines: Int32Array
}

export interface Needs {
  readonly turns: readonly TurnNeeds[]
  readonly names: Interner
  readonly lines: Interner
  /** Names and lines by what stands in them. */
  readonly nameIndex: SubstringIndex
  readonly lineIndex: SubstringIndex
  /** What stands in a block of the log. */
  of(key: BlockKey): BlockFacts | undefined
}

/** A reference counts when its name was last seen more than this many messages before. */
export const REFERENCE_DISTANCE = 20
/** The share of an anchor's lines that must be visible. */
export const ANCHOR_SHARE = 0.8

/** Words of a natural language have none of these: an underscore, slash, digit or dot, or a capital within. */
const CODE_LIKE = /[_/\d.]|[a-z][A-Z]/

/** Arguments with text to be written, or words for people: they ask for nothing that was seen. */
const WRITTEN = new Set([
  'content',
  'file_text',
  'old_string',
  'new_string',
  'old_str',
  'new_str',
  'old_text',
  'new_text',
  'oldText',
  'newText',
  'edits',
  'description',
  'prompt',
  'todos',
  'plan',
  'questions',
])

/** Finds what every turn of a session needed. Linear in the session's text. */
export const needsOf = (trajectory: Trajectory): Needs => {
  const names = createInterner()
  const lines = createInterner()
  const lineIndex = createSubstringIndex(lines)
  const blocks = new Map<BlockKey, BlockFacts>()
  const nameSeen: number[] = []
  const nameSource: BlockKey[] = []
  const lineSource: BlockKey[] = []
  let message = -1
  let lastRole: string | undefined

  const take = (entry: MessageEntry): void => {
    if (entry.role !== lastRole || entry.role === 'user') message += 1
    lastRole = entry.role
    for (const [index, block] of entry.content.entries()) {
      const key = blockKey(entry.seq, index)
      const facts = factsOf(block, names, lines)
      blocks.set(key, facts)
      for (const name of facts.names) {
        nameSeen[name] = message
        nameSource[name] = key
      }
      for (const line of facts.lines) lineSource[line] = key
    }
  }

  const referencesOf = (call: ToolCallBlock): Reference[] => {
    const found: Reference[] = []
    for (const asked of namesIn(askingText(call))) {
      // `./src/...` is a folder with an ellipsis: what is left of it ends with a slash, and stands so nowhere else.
      const text = asked.replace(/\/+$/, '')
      if (!CODE_LIKE.test(text)) continue
      const name = names.find(text)
      if (name === undefined) continue
      const seen = nameSeen[name]
      const source = nameSource[name]
      // The reply that is about to come is the message after the last one.
      if (seen !== undefined && source !== undefined && message + 1 - seen > REFERENCE_DISTANCE)
        found.push({ name, source })
    }
    return found
  }

  /** A line of the log that is the text, or holds it: an anchor of one line may begin and end within one. */
  const knownLine = (text: string, isPart: boolean): number | undefined =>
    lines.find(text) ?? (isPart ? lineIndex.newest(text) : undefined)

  const anchorOf = (text: string): Anchor | undefined => {
    const wanted = linesIn(text)
    const known = wanted.flatMap((line) => knownLine(line, wanted.length === 1) ?? [])
    if (wanted.length === 0 || known.length < ANCHOR_SHARE * wanted.length) return undefined
    const votes = new Map<BlockKey, number>()
    for (const line of known) {
      const source = lineSource[line]
      if (source !== undefined) votes.set(source, (votes.get(source) ?? 0) + 1)
    }
    const best = [...votes].sort(([a, x], [b, y]) => y - x || b - a)[0]
    if (best === undefined) return undefined
    const [part] = wanted
    return { lines: known, source: best[0], ...(wanted.length > 1 || part === undefined ? {} : { part }) }
  }

  const turns = trajectory.turns.map(({ before, reply }): TurnNeeds => {
    for (const entry of before) if (entry.kind === 'message') take(entry)
    const calls = reply.flatMap(({ content }) => content.filter((block) => block.type === 'tool_call'))
    const references = new Map(calls.flatMap(referencesOf).map((reference) => [reference.name, reference]))
    return {
      references: [...references.values()],
      anchors: calls.flatMap(anchorTexts).flatMap((text) => anchorOf(text) ?? []),
    }
  })
  return { turns, names, lines, nameIndex: createSubstringIndex(names), lineIndex, of: (key) => blocks.get(key) }
}

/** The names and lines of a block as numbers, new ones added to the interners. */
export const factsOf = (block: ContentBlock, names: Interner, lines: Interner): BlockFacts => {
  const text = textIn(block)
  return {
    names: Int32Array.from(namesIn(text), (name) => names.id(name)),
    lines: Int32Array.from(linesIn(text), (line) => lines.id(line)),
  }
}

/** Texts that an edit looks for in a file, by the names that agents' tools give them. */
export const anchorTexts = ({ input }: ToolCallBlock): readonly string[] => {
  const given = objectOf(input)
  const edits = [given, ...arrayOf(given.edits).map((edit) => objectOf(edit))]
  return edits.flatMap((edit) => {
    const text =
      stringOf(edit.old_string) ?? stringOf(edit.old_str) ?? stringOf(edit.oldText) ?? stringOf(edit.old_text)
    return text === undefined || text.trim() === '' ? [] : [text]
  })
}

/** A call's arguments that ask for something; arguments that are no object count whole. */
const askingText = ({ input }: ToolCallBlock): string => {
  if (typeof input === 'string') return input
  return textOfJson(Object.fromEntries(Object.entries(objectOf(input)).filter(([key]) => !WRITTEN.has(key))))
}
