/** A content block as text: messages stand open; inputs and results of tools stand below a line that they fold into. */
import { textOfBlock, textOfJson } from '@cairn/core'
import type { ContentBlock, ImageBlock, JsonValue, ToolResultBlock } from '@cairn/core'
import { bytesText, counted } from '../text/format.ts'
import { neutralise, neutraliseLine, shorten } from '../text/neutralise.ts'

/** A block as text. */
export interface BlockText {
  /** The line that stays visible when the rest is folded; undefined when nothing can be folded. */
  readonly head: string | undefined
  /** Lines, without the last line's end; '' for none. */
  readonly body: string
}

/** Longest text of a block, in characters: the editor keeps several copies of open documents in memory. */
export const LONGEST_BLOCK = 50_000
/** Longest line, in characters. The editor does not colour or wrap lines as long as those of minified files. */
const LONGEST_LINE = 5_000
const LONGEST_HEAD = 140

/**
 * Returns a text with lines that are too long broken. Not a regular expression: that took nine tenths of the time of a
 * long session.
 */
const breakLongLines = (text: string): string => {
  if (text.length <= LONGEST_LINE) return text
  return text
    .split('\n')
    .map((line) => {
      if (line.length <= LONGEST_LINE) return line
      const pieces: string[] = []
      for (let at = 0; at < line.length; at += LONGEST_LINE) pieces.push(line.slice(at, at + LONGEST_LINE))
      return pieces.join('↩\n')
    })
    .join('\n')
}

/** Returns a text without the line breaks at its end. */
const withoutLastBreaks = (text: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

/** Returns a text as a block's body: safe to show, with long lines broken, and cut with a note if it is too long. */
const bodyOf = (text: string): string => {
  const left = text.length - LONGEST_BLOCK
  const shown = withoutLastBreaks(breakLongLines(neutralise(left > 0 ? shorten(text, LONGEST_BLOCK) : text)))
  return left > 0
    ? `${shown}\n[${left.toLocaleString('en-US')} more ${left === 1 ? 'character' : 'characters'}; "cairn session show --full" has all of it]`
    : shown
}

/** Returns the beginning of a text on one short line. */
const headOf = (text: string): string => shorten(neutraliseLine(text.slice(0, 4 * LONGEST_HEAD)), LONGEST_HEAD)

/** Returns how many lines a text has, in words. */
const linesOf = (text: string): string =>
  counted(text.trim() === '' ? 0 : withoutLastBreaks(text).split('\n').length, 'line')

/** Returns a tool's arguments as text. */
const inputText = (input: JsonValue): string =>
  typeof input === 'string' ? input : JSON.stringify(input, undefined, 2)

/** Base64 has four characters for three bytes. */
const BYTES_PER_CHARACTER = 0.75

/**
 * Returns a block as text that is safe to show; undefined for one without text. `head` is the line that stays visible
 * when it is folded, undefined if there is none.
 */
export const blockText = (block: ContentBlock): BlockText | undefined => {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? undefined : { head: undefined, body: bodyOf(block.text) }
    case 'thinking':
      return block.text.trim() === '' ? undefined : { head: `… ${headOf(block.text)}`, body: bodyOf(block.text) }
    case 'tool_call':
      return { head: `→ ${headOf(`${block.name} ${textOfJson(block.input)}`)}`, body: bodyOf(inputText(block.input)) }
    case 'tool_result':
      return resultText(block)
    case 'image':
      return { head: undefined, body: imageText(block) }
    case 'file':
      return fileText(block)
    case 'other': {
      const body = bodyOf(JSON.stringify(block.value, undefined, 2))
      return { head: `· ${headOf(textOfJson(block.value))}`, body }
    }
  }
}

/** Returns a tool's result; its head has its size and first line, and whether it is an error. */
const resultText = ({ content, isError }: ToolResultBlock): BlockText => {
  const text = content.map(textOfBlock).join('\n')
  const first = headOf(text.trimStart().split('\n', 1)[0] ?? '')
  return {
    head: `← ${isError === true ? 'error, ' : ''}${linesOf(text)}${first === '' ? '' : `: ${first}`}`,
    body: bodyOf(text),
  }
}

/** Returns an image's type and size. */
const imageText = ({ mediaType, data }: ImageBlock): string =>
  `▣ image (${neutraliseLine(mediaType)}${data === undefined ? '' : `, ${bytesText(Math.floor(data.length * BYTES_PER_CHARACTER))}`})`

/** Returns a file's path as the head and its content as the body; without content, the path is the body. */
const fileText = ({ path, text }: Extract<ContentBlock, { readonly type: 'file' }>): BlockText => {
  const head = `▤ ${headOf(path)}`
  const body = text === undefined ? '' : bodyOf(text)
  return body === '' ? { head: undefined, body: head } : { head, body }
}
