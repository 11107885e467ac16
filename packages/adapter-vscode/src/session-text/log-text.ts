/**
 * A session's log as text for the editor, made entry by entry, so that a growing session is not written again from its
 * start. Messages are indented: only lines of Cairn's own begin at the margin, so nothing in a log can pass for
 * a speaker.
 */
import { messageOrigin, userAuthoredText } from '@cairn/core'
import type { LogEntry, MessageEntry } from '@cairn/core'
import { clockText, timeText } from '../text/format.ts'
import { neutraliseLine, shorten } from '../text/neutralise.ts'
import { blockText } from './block-text.ts'
import type { BlockText } from './block-text.ts'
import { markerText } from './markers.ts'

/** Lines from 0, both included. */
export interface Fold {
  readonly kind: 'message' | 'tool'
  readonly from: number
  readonly to: number
}

/** Lines to jump to: a message of a person, or a change of the context. */
export interface Landmark {
  readonly kind: 'message' | 'marker'
  readonly label: string
  readonly from: number
  readonly to: number
}

/** The lines of an entry of the log. */
export interface EntryLines {
  readonly seq: number
  readonly from: number
  readonly to: number
}

/** The text of a log, built entry by entry. */
export interface LogText {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The parts of the text, in order. */
  readonly parts: readonly string[]
  /** The ranges of lines of the text so far that can be folded, in order. */
  folds(): readonly Fold[]
  /** The lines of the text so far that the outline lists, in order. */
  landmarks(): readonly Landmark[]
  /** The lines of the entries that are shown, in order. */
  readonly entries: readonly EntryLines[]
}

/** Longest text, in characters: editors refuse documents that are far larger. */
const LONGEST_TEXT = 20_000_000
const LONGEST_LABEL = 80

/** The message that may still grow. */
interface OpenMessage {
  readonly speaker: string
  readonly from: number
  readonly landmark: string | undefined
}

/** Returns how many line breaks a text has. */
const lineBreaks = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Returns a text with every line indented. */
const indented = (text: string, indent: string): string => `${indent}${text.replaceAll('\n', `\n${indent}`)}`

const originNames = { summary: 'summary', meta: 'by the program', none: undefined } as const

/**
 * Returns the heading of a message: who wrote it, and the time of day. The time is local; what is not known is left
 * out.
 */
const headOf = (entry: MessageEntry): string => {
  const who = [
    entry.role,
    entry.author,
    entry.subagent === undefined ? undefined : `subagent ${entry.subagent}`,
    originNames[messageOrigin(entry) ?? 'none'],
    entry.model,
  ]
  const names = who.filter((part) => part !== undefined).map((part) => shorten(neutraliseLine(part), LONGEST_LABEL))
  return `## ${[...names, ...(entry.at === null ? [] : [clockText(entry.at)])].join(' · ')}`
}

/** The text so far, which only grows. */
interface TextWriter {
  readonly parts: readonly string[]
  /** How many lines and characters there are. */
  readonly lines: number
  readonly characters: number
  /** Adds text, and the end of its last line. */
  add(text: string): void
  /** Adds a line for the day of a time (ms), where that is another day than before. */
  addDay(at: number | null): void
}

/** Returns an empty text, to which lines are added; `addDay` adds a line where another day begins. */
const createTextWriter = (): TextWriter => {
  const parts: string[] = []
  let lines = 0
  let characters = 0
  let day = ''
  const add = (text: string): void => {
    parts.push(`${text}\n`)
    lines += lineBreaks(text) + 1
    characters += text.length + 1
  }
  return {
    parts,
    get lines() {
      return lines
    },
    get characters() {
      return characters
    },
    add,
    addDay: (at) => {
      const newDay = at === null ? day : timeText(at).slice(0, 10)
      if (newDay === day) return
      day = newDay
      add(`\n── ${day} ──`)
    },
  }
}

/** Adds a message's blocks, and returns the folds of those that have a line to fold into. */
const addBlocks = (blocks: readonly BlockText[], indent: string, writer: TextWriter): readonly Fold[] => {
  const folds: Fold[] = []
  for (const { head, body } of blocks) {
    if (head === undefined) {
      writer.add(indented(body, indent))
      continue
    }
    const from = writer.lines
    writer.add(`${indent}${head}`)
    if (body === '') continue
    writer.add(indented(body, `${indent}  `))
    folds.push({ kind: 'tool', from, to: writer.lines - 1 })
  }
  return folds
}

/** Returns the beginning of a message that a person wrote, as the label of a landmark; undefined for other messages. */
const landmarkLabel = (entry: MessageEntry, [first]: readonly BlockText[]): string | undefined => {
  const words = entry.subagent === undefined && first?.head === undefined ? userAuthoredText(entry) : undefined
  return words === undefined ? undefined : shorten(neutraliseLine(words.slice(0, 500)), LONGEST_LABEL)
}

/** Fold and landmark of the message that may still grow. */
interface OpenParts {
  readonly fold: Fold
  readonly landmark: Landmark | undefined
}

/**
 * Returns fold and landmark of the message that may still grow; undefined if there is none, or it has only its heading.
 * `lines`: lines of the text so far.
 */
const partsOf = (open: OpenMessage | undefined, lines: number): OpenParts | undefined => {
  if (open === undefined || lines - 1 <= open.from) return undefined
  const range = { from: open.from, to: lines - 1 }
  return {
    fold: { kind: 'message', ...range },
    landmark: open.landmark === undefined ? undefined : { kind: 'message', label: open.landmark, ...range },
  }
}

/**
 * Returns the text of an empty log. Once it has more than `longest` characters, it ends with a notice and takes no more
 * entries. Messages in a row of one reply stand under one heading. `folds` and `landmarks` have the message that is
 * still open, too; lines count from 0. Entries that show nothing have no lines, and are not in `entries`.
 */
export const createLogText = (longest = LONGEST_TEXT): LogText => {
  const writer = createTextWriter()
  const folds: Fold[] = []
  const landmarks: Landmark[] = []
  const entries: EntryLines[] = []
  let open: OpenMessage | undefined
  let isFull = false

  const openParts = (): OpenParts | undefined => partsOf(open, writer.lines)

  const closeMessage = (): void => {
    const { fold, landmark } = openParts() ?? {}
    if (fold !== undefined) folds.push(fold)
    if (landmark !== undefined) landmarks.push(landmark)
    open = undefined
  }

  const addMessage = (entry: MessageEntry): void => {
    const blocks = entry.content.map(blockText).filter((block) => block !== undefined)
    if (blocks.length === 0) return
    // Some agents record a line for each block: what belongs to one reply stands under one head.
    const speaker = `${entry.responseId ?? entry.id} ${entry.role} ${entry.subagent ?? ''}`
    if (open?.speaker !== speaker) {
      closeMessage()
      writer.addDay(entry.at)
      writer.add('')
      open = { speaker, from: writer.lines, landmark: landmarkLabel(entry, blocks) }
      writer.add(headOf(entry))
    }
    // The first of a reply has its head, too.
    const from = open.from === writer.lines - 1 ? open.from : writer.lines
    folds.push(...addBlocks(blocks, entry.subagent === undefined ? '  ' : '    ', writer))
    entries.push({ seq: entry.seq, from, to: writer.lines - 1 })
  }

  const addMarker = (entry: Exclude<LogEntry, MessageEntry>): void => {
    const marker = markerText(entry)
    if (marker === undefined) return
    closeMessage()
    writer.addDay(entry.at)
    const line = writer.lines + 1
    if (entry.kind !== 'title' && entry.kind !== 'model')
      landmarks.push({ kind: 'marker', label: shorten(marker, LONGEST_LABEL), from: line, to: line })
    writer.add(`\n── ${marker} ──`)
    entries.push({ seq: entry.seq, from: line, to: line })
  }

  return {
    step: (entry) => {
      if (isFull) return
      isFull = writer.characters > longest
      if (isFull) {
        closeMessage()
        writer.add('\n── The rest is too long for an editor: "cairn session export" writes all of it to a file ──')
      } else if (entry.kind === 'message') addMessage(entry)
      else addMarker(entry)
    },
    parts: writer.parts,
    entries,
    folds: () => withLast(folds, openParts()?.fold),
    landmarks: () => withLast(landmarks, openParts()?.landmark),
  }
}

/** Returns the items followed by `last`, if there is one. */
const withLast = <T>(items: readonly T[], last: T | undefined): readonly T[] =>
  last === undefined ? items : [...items, last]
