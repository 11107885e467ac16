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

/**
 * One number for a block: made of its entry's number and its index in that entry, below {@link BLOCKS_PER_ENTRY};
 * {@link partsOfBlockKey} takes it apart.
 */
export const blockKey = (seq: number, block: number): BlockKey => seq * BLOCKS_PER_ENTRY + block
/** The entry's number and the block's index that {@link blockKey} put into a key; of another number they mean nothing. */
export const partsOfBlockKey = (key: BlockKey): { readonly seq: number; readonly block: number } => ({
  seq: Math.floor(key / BLOCKS_PER_ENTRY),
  block: key % BLOCKS_PER_ENTRY,
})

export interface Reference {
  readonly name: number
  /** The block that had the name last. */
  readonly source: BlockKey
}

export interface Anchor {
  /** Its lines, each as the line of the log that contains it. */
  readonly lines: readonly number[]
  /** Of an anchor that is part of a line: its text, which any line may contain. */
  readonly part?: string
  /** The block with most of the lines; the newest of several. */
  readonly source: BlockKey
}

export interface TurnNeeds {
  readonly references: readonly Reference[]
  readonly anchors: readonly Anchor[]
}

/** The names and lines of a block, as numbers; each name once, lines as often as they occur. */
export interface BlockFacts {
  readonly names: Int32Array
  readonly lines: Int32Array
}

export interface Needs {
  readonly turns: readonly TurnNeeds[]
  readonly names: Interner
  readonly lines: Interner
  /** Finds names and lines by a part of them. */
  readonly nameIndex: SubstringIndex
  readonly lineIndex: SubstringIndex
  /** The names and lines of a block of the log; undefined for a block that is not in the trajectory. */
  of(key: BlockKey): BlockFacts | undefined
}

/** A reference counts when its name was last seen more than this many messages before. */
const REFERENCE_DISTANCE = 20
/** The share of an anchor's lines that must be visible. */
export const ANCHOR_SHARE = 0.8

/** Tells names in code from words of a natural language: an underscore, slash, digit, dot, or a capital within. */
const CODE_LIKE = /[_/\d.]|[a-z][A-Z]/

/** Arguments with text to be written, or words for people: they refer to nothing that was seen. */
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

/**
 * For every turn of a session, the names that its calls used and that were last seen more than 20 messages before, each
 * once, and the anchors of its edits, texts that had been in the context before. Takes a time that grows with the
 * session's text.
 */
export const needsOf = (trajectory: Trajectory): Needs => {
  const finder = new NeedsFinder()
  const turns = trajectory.turns.map(({ before, reply }): TurnNeeds => {
    for (const entry of before) if (entry.kind === 'message') finder.take(entry)
    const calls = reply.flatMap(({ content }) => content.filter((block) => block.type === 'tool_call'))
    const references = calls.flatMap((call) => finder.referencesOf(call))
    return {
      references: [...new Map(references.map((reference) => [reference.name, reference])).values()],
      anchors: calls.flatMap(anchorTexts).flatMap((text) => finder.anchorOf(text) ?? []),
    }
  })
  const { names, lines, lineIndex, blocks } = finder
  return { turns, names, lines, nameIndex: createSubstringIndex(names), lineIndex, of: (key) => blocks.get(key) }
}

/** Keeps where the names and lines of a session were seen last. */
class NeedsFinder {
  readonly names = createInterner()
  readonly lines = createInterner()
  readonly lineIndex = createSubstringIndex(this.lines)
  readonly blocks = new Map<BlockKey, BlockFacts>()
  /** By name: the number of the message and the block that had it last. */
  readonly #nameSeen: number[] = []
  readonly #nameSource: BlockKey[] = []
  /** By line: the block that had it last. */
  readonly #lineSource: BlockKey[] = []
  #message = -1
  #lastRole: string | undefined

  /** Takes the next message: its names and lines, and where each was last seen. In the order of the log. */
  take(entry: MessageEntry): void {
    if (entry.role !== this.#lastRole || entry.role === 'user') this.#message += 1
    this.#lastRole = entry.role
    for (const [index, block] of entry.content.entries()) {
      const key = blockKey(entry.seq, index)
      const facts = factsOf(block, this.names, this.lines)
      this.blocks.set(key, facts)
      for (const name of facts.names) {
        this.#nameSeen[name] = this.#message
        this.#nameSource[name] = key
      }
      for (const line of facts.lines) this.#lineSource[line] = key
    }
  }

  /**
   * The names in a call's arguments that were seen last more than `REFERENCE_DISTANCE` messages before. Only names that
   * look like code; texts to be written and words for people are left out.
   */
  referencesOf(call: ToolCallBlock): readonly Reference[] {
    const found: Reference[] = []
    for (const asked of namesIn(askingText(call))) {
      // `./src/...` is a folder with an ellipsis: what is left of it ends with a slash, and is found nowhere else.
      const text = asked.replace(/\/+$/, '')
      if (!CODE_LIKE.test(text)) continue
      const name = this.names.find(text)
      if (name === undefined) continue
      const seen = this.#nameSeen[name]
      const source = this.#nameSource[name]
      // The reply that is about to come is the message after the last one.
      if (seen !== undefined && source !== undefined && this.#message + 1 - seen > REFERENCE_DISTANCE)
        found.push({ name, source })
    }
    return found
  }

  /**
   * The lines of the log that an edit's text was taken from; undefined when fewer than `ANCHOR_SHARE` of them are
   * known. Of several sources the one with the most lines, then the newest.
   */
  anchorOf(text: string): Anchor | undefined {
    const wanted = linesIn(text)
    const known = wanted.flatMap((line) => this.#knownLine(line, wanted.length === 1) ?? [])
    if (wanted.length === 0 || known.length < ANCHOR_SHARE * wanted.length) return undefined
    const votes = new Map<BlockKey, number>()
    for (const line of known) {
      const source = this.#lineSource[line]
      if (source !== undefined) votes.set(source, (votes.get(source) ?? 0) + 1)
    }
    const best = [...votes].sort(([a, x], [b, y]) => y - x || b - a)[0]
    if (best === undefined) return undefined
    const [part] = wanted
    return { lines: known, source: best[0], ...(wanted.length > 1 || part === undefined ? {} : { part }) }
  }

  /** A line of the log that equals the text, or contains it: an anchor of one line may begin and end within a line. */
  #knownLine(text: string, isPart: boolean): number | undefined {
    return this.lines.find(text) ?? (isPart ? this.lineIndex.newest(text) : undefined)
  }
}

/**
 * The names and lines of a block, as the numbers that the interners have or make for them; `names` and `lines` are
 * changed by that.
 */
export const factsOf = (block: ContentBlock, names: Interner, lines: Interner): BlockFacts => {
  const text = textIn(block)
  return {
    names: Int32Array.from(namesIn(text), (name) => names.id(name)),
    lines: Int32Array.from(linesIn(text), (line) => lines.id(line)),
  }
}

/**
 * Texts that an edit looks for in a file, by the names that agents' tools give them. Those of white space only are left
 * out.
 */
const anchorTexts = ({ input }: ToolCallBlock): readonly string[] => {
  const given = objectOf(input)
  const edits = [given, ...arrayOf(given.edits).map((edit) => objectOf(edit))]
  return edits.flatMap((edit) => {
    const text =
      stringOf(edit.old_string) ?? stringOf(edit.old_str) ?? stringOf(edit.oldText) ?? stringOf(edit.old_text)
    return text === undefined || text.trim() === '' ? [] : [text]
  })
}

/** The arguments of a call that may refer to something; arguments that are no object count as a whole. */
const askingText = ({ input }: ToolCallBlock): string => {
  if (typeof input === 'string') return input
  return textOfJson(Object.fromEntries(Object.entries(objectOf(input)).filter(([key]) => !WRITTEN.has(key))))
}
