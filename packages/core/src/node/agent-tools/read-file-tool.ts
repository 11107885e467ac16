/** `read_file`: a file's lines with their numbers, or an image. */
import type { AgentTool, ToolContext, ToolOutcome } from '../../agent/agent-tool.ts'
import { imageSize } from '../../agent/tools/image-size.ts'
import { plainText } from '../../agent/tools/line-ends.ts'
import { linePart, LINE_CHARACTERS, MOST_BYTES, MOST_LINES } from '../../agent/tools/numbered-lines.ts'
import { optionalNumber, refused, textOf } from '../../agent/tools/tool-input.ts'
import { attachmentType, contentType } from '../../sources/mentions/attachment.ts'
import { fileText, lossyText } from './file-text.ts'
import { readRegular } from './open-regular.ts'
import { failure, pathFacts, sizeText, textOutcome, type ToolParts } from './tool-parts.ts'
import type { FoundPath } from './workspace-paths.ts'

/** What providers take of an image: bytes before base64, and the longer side. */
const LARGEST_IMAGE = 3_750_000
const LONGEST_SIDE = 8_000

interface Range {
  readonly start: number
  readonly end: number
}

/**
 * The tool `read_file`: numbered lines of a text, or an image. It only reads, and notes what the model has seen, so
 * that an edit can tell whether the file has changed since. Refuses lines that end before they begin.
 */
export const readFileTool = (parts: ToolParts): AgentTool => ({
  definition: {
    name: 'read_file',
    description: `Reads a text file, each line behind its number and a tab, or an image (PNG, JPEG, GIF, WebP). At most ${MOST_LINES} lines or ${MOST_BYTES / 1_000} kB at once: give start_line and end_line for more, or for a part.`,
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the workspace, with “/” between names.' },
        start_line: { type: 'integer', minimum: 1, description: 'First line, from 1. Default: 1.' },
        end_line: { type: 'integer', minimum: 1, description: 'Last line, included. Default: as many as fit.' },
      },
      required: ['path'],
    },
  },
  /**
   * Checks the call: lines from 1, ends included, by default all; an end before the start is refused. Reads when it is
   * run.
   */
  prepare: async (input, context) => {
    const path = textOf(input, 'path')
    const start = optionalNumber(input, 'start_line', { least: 1, most: Infinity })
    const end = optionalNumber(input, 'end_line', { least: 1, most: Infinity })
    if (start !== undefined && end !== undefined && end < start)
      throw refused(`end_line ${end} is before start_line ${start}.`)
    const found = await parts.paths.locate(path)
    const range = start === undefined && end === undefined ? '' : `:${start ?? 1}-${end ?? ''}`
    return {
      effect: 'none',
      title: `read ${found.shown}${range}`,
      ...pathFacts(found),
      run: () => Promise.resolve(readFound(parts, found, { start: start ?? 1, end: end ?? Infinity }, context)),
    }
  },
})

/**
 * Reads a range of a text file or a whole image. The whole text, not only the range, is noted as seen by the session;
 * an image is not. What can't be read is a failure. Bytes that are no UTF-8 are shown as U+FFFD, with a note.
 */
const readFound = ({ seen }: ToolParts, found: FoundPath, range: Range, { sessionId }: ToolContext): ToolOutcome => {
  const file = readRegular(found.real)
  if ('problem' in file) return failure(`${found.shown} ${file.problem}${hintFor(file.problem)}.`)
  const type = imageType(found.real, file.content)
  if (type !== undefined) return imageOutcome(found.shown, type, file.content)
  const read = lossyText(file.content)
  if ('problem' in read) return failure(`${found.shown} ${read.problem}.`)
  seen.note(sessionId, found.real, file.content)
  const text = rangeText(found.shown, plainText(read.text).text, range)
  return read.isLossy
    ? textOutcome(
        `${text}\n(Not UTF-8: bytes that are no text are shown as \uFFFD. It can’t be changed with edit_file.)`,
      )
    : textOutcome(text)
}

const hintFor = (problem: string): string => (problem === 'is a folder' ? '; list_files shows what is in it' : '')

/**
 * A range of lines (from 1, both ends included), each with its number, then notes on what was not shown and where to go
 * on. `end` may lie behind the last line; where `start` does, or the file is empty, only a note.
 */
const rangeText = (shown: string, text: string, { start, end }: Range): string => {
  const part = linePart(text, start, end)
  if (part.total === 0) return `(${shown} is empty.)`
  if (start > part.total) return `(${shown} has ${part.total} lines, so there is no line ${start}.)`
  const notes: string[] = []
  if (part.last < Math.min(end, part.total))
    notes.push(`Lines ${start} to ${part.last} of ${part.total}; go on with start_line ${part.last + 1}.`)
  else if (part.last < part.total || start > 1) notes.push(`Lines ${start} to ${part.last} of ${part.total}.`)
  if (part.cutLines > 0)
    notes.push(`Lines of more than ${LINE_CHARACTERS} characters are cut; search_files or a command shows the rest.`)
  return notes.length === 0 ? part.text : `${part.text}\n(${notes.join(' ')})`
}

const isText = (content: Buffer): boolean => 'text' in fileText(content)

/**
 * The media type of an image by its first bytes; undefined for all else. A text that only begins like an image counts
 * as one only where its name ends like an image's.
 */
const imageType = (path: string, content: Buffer): string | undefined => {
  const type = contentType(content)
  if (type?.startsWith('image/') !== true) return undefined
  return attachmentType(path)?.startsWith('image/') === true || !isText(content) ? type : undefined
}

/**
 * An image as the outcome. A failure for a file of more than `LARGEST_IMAGE` bytes, and for more pixels a side than
 * providers take.
 */
const imageOutcome = (shown: string, type: string, content: Buffer): ToolOutcome => {
  if (content.length > LARGEST_IMAGE)
    return failure(
      `${shown} has ${sizeText(content.length)}, and no provider takes an image of more than ${sizeText(LARGEST_IMAGE)}; make it smaller with a command.`,
    )
  const size = imageSize(content, type)
  if (size !== undefined && Math.max(size.width, size.height) > LONGEST_SIDE)
    return failure(
      `${shown} has ${size.width} × ${size.height} pixels, and no provider takes more than ${LONGEST_SIDE} a side; make it smaller with a command.`,
    )
  const pixels = size === undefined ? '' : `, ${size.width} × ${size.height} pixels`
  const image = { type: 'image', mediaType: type, data: content.toString('base64') } as const
  return { content: [{ type: 'text', text: `${shown} (${type}${pixels}):` }, image] }
}
