/**
 * A session's log as text for the editor, made entry by entry, so that a session that goes on is not made anew. What was
 * said is indented: only lines of Cairn's own begin at the margin, so nothing in a transcript can pass for a speaker.
 */
import { messageOrigin, userAuthoredText } from '@cairn/core'
import type { LogEntry, MessageEntry } from '@cairn/core'
import { clockText, timeText } from '../text/format.ts'
import { neutraliseLine, shorten } from '../text/neutralise.ts'
import { blockText } from './block-text.ts'
import { markerText } from './markers.ts'

/** Lines from 0, both included. */
export interface Fold {
  readonly kind: 'message' | 'tool'
  readonly from: number
  readonly to: number
}

/** A place to jump to: what a person said, and where the context changed. */
export interface Landmark {
  readonly kind: 'said' | 'marker'
  readonly label: string
  readonly from: number
  readonly to: number
}

export interface Transcript {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The parts of the text, in order. */
  readonly parts: readonly string[]
  folds(): readonly Fold[]
  landmarks(): readonly Landmark[]
}

/** Editors refuse documents far larger than this, in characters. */
const LONGEST_TEXT = 20_000_000
const LONGEST_LABEL = 80

interface OpenMessage {
  readonly speaker: string
  readonly from: number
  readonly landmark: string | undefined
}

const lineBreaks = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

const indented = (text: string, indent: string): string => `${indent}${text.replaceAll('\n', `\n${indent}`)}`

const originNames = { summary: 'summary', meta: 'by the program', none: undefined } as const

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

export const createTranscript = (longest = LONGEST_TEXT): Transcript => {
  const parts: string[] = []
  const folds: Fold[] = []
  const landmarks: Landmark[] = []
  let lines = 0
  let characters = 0
  let day = ''
  let open: OpenMessage | undefined
  let isFull = false

  const add = (text: string): void => {
    parts.push(`${text}\n`)
    lines += lineBreaks(text) + 1
    characters += text.length + 1
  }

  /** The folds of a message that is still being told belong to the answer, too. */
  const openParts = (): { readonly fold: Fold; readonly landmark: Landmark | undefined } | undefined => {
    if (open === undefined || lines - 1 <= open.from) return undefined
    const range = { from: open.from, to: lines - 1 }
    return {
      fold: { kind: 'message', ...range },
      landmark: open.landmark === undefined ? undefined : { kind: 'said', label: open.landmark, ...range },
    }
  }

  const closeMessage = (): void => {
    const ended = openParts()
    if (ended !== undefined) {
      folds.push(ended.fold)
      if (ended.landmark !== undefined) landmarks.push(ended.landmark)
    }
    open = undefined
  }

  const tellDay = (at: number | null): void => {
    const newDay = at === null ? day : timeText(at).slice(0, 10)
    if (newDay === day) return
    day = newDay
    add(`\n── ${day} ──`)
  }

  const addMessage = (entry: MessageEntry): void => {
    const blocks = entry.content.map(blockText).filter((block) => block !== undefined)
    const [first] = blocks
    if (first === undefined) return
    // Some agents write a line for each block of one reply: it stands under one head.
    const speaker = `${entry.responseId ?? entry.id} ${entry.role} ${entry.subagent ?? ''}`
    if (open?.speaker !== speaker) {
      closeMessage()
      tellDay(entry.at)
      add('')
      const words = entry.subagent === undefined && first.head === undefined ? userAuthoredText(entry) : undefined
      open = {
        speaker,
        from: lines,
        landmark: words === undefined ? undefined : shorten(neutraliseLine(words.slice(0, 500)), LONGEST_LABEL),
      }
      add(headOf(entry))
    }
    const indent = entry.subagent === undefined ? '  ' : '    '
    for (const { head, body } of blocks) {
      if (head === undefined) {
        add(indented(body, indent))
        continue
      }
      const from = lines
      add(`${indent}${head}`)
      if (body === '') continue
      add(indented(body, `${indent}  `))
      folds.push({ kind: 'tool', from, to: lines - 1 })
    }
  }

  return {
    step: (entry) => {
      if (isFull) return
      if (characters > longest) {
        isFull = true
        closeMessage()
        add('\n── The rest is too long for an editor: "cairn session export" writes all of it to a file ──')
        return
      }
      if (entry.kind === 'message') {
        addMessage(entry)
        return
      }
      const marker = markerText(entry)
      if (marker === undefined) return
      closeMessage()
      tellDay(entry.at)
      if (entry.kind !== 'title' && entry.kind !== 'model')
        landmarks.push({ kind: 'marker', label: shorten(marker, LONGEST_LABEL), from: lines + 1, to: lines + 1 })
      add(`\n── ${marker} ──`)
    },
    parts,
    folds: () => {
      const last = openParts()?.fold
      return last === undefined ? folds : [...folds, last]
    },
    landmarks: () => {
      const last = openParts()?.landmark
      return last === undefined ? landmarks : [...landmarks, last]
    },
  }
}
