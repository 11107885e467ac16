/**
 * A parser for settings files: JSON with those extensions (comments, trailing commas) that the file's agent accepts. It
 * keeps offsets and comments, and uses its own stack, so that deep nesting is safe.
 */
import type { ArrayNode, Comment, Item, JsonNode, Member, ObjectNode, ScalarNode } from './tree.ts'

/** What a reader accepts beyond strict JSON. */
export interface JsonDialect {
  readonly comments: boolean
  readonly trailingCommas: boolean
  /** Whether a byte order mark may precede the document. */
  readonly byteOrderMark: boolean
  /** A reader that rejects a file with a duplicate key in one of its own objects. */
  readonly refusesRepeatedKeys?: boolean
  /** Maximum nesting of containers that a reader accepts. */
  readonly levels?: number
  /** The only keys that a reader accepts in the outermost object. */
  readonly rootKeys?: readonly string[]
}

export interface ParsedDocument {
  /** Undefined for a text with only whitespace and comments. */
  readonly root: JsonNode | undefined
  readonly comments: readonly Comment[]
}

/** Why a text is not a document of its dialect, and where. */
export interface JsonFault {
  readonly reason: string
  readonly offset: number
}

class Fault extends Error {
  readonly offset: number
  constructor(reason: string, offset: number) {
    super(reason)
    this.offset = offset
  }
}

interface OpenContainer {
  readonly kind: 'object' | 'array'
  readonly start: number
  readonly children: { key: string; start: number; end: number; value: JsonNode; comma: number | undefined }[]
  readonly keys: Set<string>
  /** Of the member whose value is being read. */
  key: string
  keyStart: number
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * Parses a text; offsets count from its beginning, including a byte order mark. An empty text has no `root`. For an
 * invalid text, it returns the fault with its offset; it never throws.
 */
export const parseDocument = (text: string, dialect: JsonDialect): ParsedDocument | JsonFault => {
  try {
    return new Parser(text, dialect).document()
  } catch (error) {
    if (error instanceof Fault) return { reason: error.message, offset: error.offset }
    throw error
  }
}

/** Whether {@link parseDocument} failed. */
export const isFault = (parsed: ParsedDocument | JsonFault): parsed is JsonFault => 'reason' in parsed

class Parser {
  private at = 0
  private readonly comments: Comment[] = []
  private readonly text: string
  private readonly dialect: JsonDialect

  constructor(text: string, dialect: JsonDialect) {
    this.text = text
    this.dialect = dialect
  }

  /**
   * Parses the whole text; `root` is undefined if it is blank.
   * @throws Fault naming what the dialect does not allow, and where
   */
  document(): ParsedDocument {
    if (this.text.startsWith('\ufeff')) {
      if (!this.dialect.byteOrderMark) throw new Fault('it begins with a byte order mark', 0)
      this.at = 1
    }
    this.skipBlank()
    if (this.at === this.text.length) return { root: undefined, comments: this.comments }
    const root = this.tree()
    this.skipBlank()
    if (this.at < this.text.length) throw new Fault('something follows the end of the document', this.at)
    return { root, comments: this.comments }
  }

  /** Parses one value with everything in it. @throws Fault for a value that is damaged */
  private tree(): JsonNode {
    const open: OpenContainer[] = []
    for (;;) {
      let value = this.valueOrOpening(open)
      // A value ends the containers that close right behind it.
      while (value !== undefined) {
        const parent = open.at(-1)
        if (parent === undefined) return value
        value = this.afterValue(parent, value, open)
      }
    }
  }

  /**
   * A scalar or an empty container; undefined after an opening bracket that is followed by a value.
   * @throws Fault for anything else, or nesting beyond the dialect's levels
   */
  private valueOrOpening(open: OpenContainer[]): JsonNode | undefined {
    this.skipBlank()
    const character = this.text.charAt(this.at)
    if (character !== '{' && character !== '[') return this.scalar()
    const container: OpenContainer = {
      kind: character === '{' ? 'object' : 'array',
      start: this.at,
      children: [],
      keys: new Set(),
      key: '',
      keyStart: 0,
    }
    const { levels } = this.dialect
    if (levels !== undefined && open.length === levels)
      throw new Fault(`it is nested more than ${levels} levels deep`, this.at)
    this.at += 1
    this.skipBlank()
    if (this.closes(container)) return this.closed(container)
    if (container.kind === 'object') this.memberKey(container)
    open.push(container)
    return undefined
  }

  /**
   * Adds a value to its container; returns the container if it ends there, undefined if another value follows.
   * @throws Fault if neither is so
   */
  private afterValue(parent: OpenContainer, value: JsonNode, open: OpenContainer[]): JsonNode | undefined {
    const start = parent.kind === 'object' ? parent.keyStart : value.start
    const child: OpenContainer['children'][number] = {
      key: parent.key,
      start,
      end: value.end,
      value,
      comma: undefined,
    }
    parent.children.push(child)
    this.skipBlank()
    if (this.text[this.at] === ',') {
      child.comma = this.at
      this.at += 1
      this.skipBlank()
      if (this.closes(parent)) {
        if (!this.dialect.trailingCommas) throw new Fault('a comma stands before a closing bracket', child.comma)
      } else {
        if (parent.kind === 'object') this.memberKey(parent)
        return undefined
      }
    }
    if (!this.closes(parent)) throw this.unexpected(parent.kind === 'object' ? '"," or "}"' : '"," or "]"')
    open.pop()
    return this.closed(parent)
  }

  private closes({ kind }: OpenContainer): boolean {
    return this.text[this.at] === (kind === 'object' ? '}' : ']')
  }

  /** The finished object or array, after its closing bracket. */
  private closed({ kind, start, children }: OpenContainer): ObjectNode | ArrayNode {
    this.at += 1
    const end = this.at
    if (kind === 'object') return { kind, start, end, members: children satisfies Member[] }
    return { kind, start, end, items: children satisfies Item[] }
  }

  /**
   * Reads a key and its colon.
   * @throws Fault if there is none, or it is repeated and the dialect refuses that
   */
  private memberKey(container: OpenContainer): void {
    this.skipBlank()
    if (this.text[this.at] !== '"') throw this.unexpected('a key in double quotes')
    container.keyStart = this.at
    container.key = this.string()
    if (this.dialect.refusesRepeatedKeys === true && container.keys.has(container.key))
      throw new Fault(`the key ${JSON.stringify(container.key)} is there twice`, container.keyStart)
    container.keys.add(container.key)
    this.skipBlank()
    if (this.text[this.at] !== ':') throw this.unexpected('":"')
    this.at += 1
  }

  /**
   * Reads a text, number, boolean or null.
   * @throws Fault for anything else
   */
  private scalar(): ScalarNode {
    const start = this.at
    if (this.text[start] === '"') return { kind: 'scalar', start, value: this.string(), end: this.at }
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, start)) continue
      this.at += word.length
      return { kind: 'scalar', start, end: this.at, value }
    }
    NUMBER.lastIndex = start
    const [digits] = NUMBER.exec(this.text) ?? []
    if (digits === undefined) throw this.unexpected('a value')
    this.at += digits.length
    return { kind: 'scalar', start, end: this.at, value: Number(digits) }
  }

  /**
   * Reads a text, the quotes included.
   * @throws Fault if it has no end or holds what JSON does not allow
   */
  private string(): string {
    let end = this.at + 1
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1
    if (end >= this.text.length) throw new Fault('a text has no closing quote', this.at)
    const quoted = this.text.slice(this.at, end + 1)
    try {
      const value = JSON.parse(quoted) as string
      this.at += quoted.length
      return value
    } catch {
      throw new Fault('a text holds what JSON does not allow in it', this.at)
    }
  }

  /** Skips whitespace and comments. @throws Fault for a comment that the dialect does not have */
  private skipBlank(): void {
    const { text } = this
    for (;;) {
      const character = text[this.at]
      if (character === ' ' || character === '\n' || character === '\r' || character === '\t') this.at += 1
      else if (character === '/' && (text[this.at + 1] === '/' || text[this.at + 1] === '*')) this.comment()
      else return
    }
  }

  /**
   * Reads a comment and notes where it is.
   * @throws Fault if the dialect has none, or it has no end
   */
  private comment(): void {
    const { text, at: start } = this
    if (!this.dialect.comments) throw new Fault('it holds a comment', start)
    const isBlock = text[start + 1] === '*'
    if (isBlock) {
      const end = text.indexOf('*/', start + 2)
      if (end === -1) throw new Fault('a comment has no end', start)
      this.at = end + 2
    } else {
      while (this.at < text.length && text[this.at] !== '\n' && text[this.at] !== '\r') this.at += 1
    }
    this.comments.push({ start, end: this.at })
  }

  /** The fault of what stands here instead of what is wanted. */
  private unexpected(wanted: string): Fault {
    const { text, at } = this
    if (at >= text.length) return new Fault(`it ends where ${wanted} is expected`, at)
    return new Fault(`${JSON.stringify(text.charAt(at))} stands where ${wanted} is expected`, at)
  }
}
