/**
 * Every place of a conversation that holds a file's content: results of reading calls, mentions, edits'
 * final contents, attachments, and calls that write a whole file. Structured calls come first; texts are
 * searched only where no call says what they are, so that a file's content is never taken for markup.
 */
import { blocksOf, viewOf, type BlockView, type LooseMessage, type BlockPosition } from '../../messages/loose.ts'
import { findPairs } from '../../messages/pairs.ts'
import { fileWritten, filesRead, type FilePart } from './file-calls.ts'
import { normalFilePath } from './file-path.ts'
import { fileTextsIn, isToolHeader, readHeaderOf } from './file-texts.ts'
import { isFileContent } from './notices.ts'

/** How a file's content came into a message. */
export type FileContentKind = 'tool-result' | 'text-result' | 'mention' | 'final-content' | 'attachment' | 'write-call'

/** Which characters of a block a content is; `part` is the text part of a tool result's content. */
type Region =
  | { readonly of: 'block' }
  | { readonly of: 'text'; readonly part: number; readonly start: number; readonly end: number }

export interface FileContent {
  readonly position: BlockPosition
  readonly kind: FileContentKind
  /** More than one when a call reads several files into one result. */
  readonly files: readonly (FilePart & { readonly key: string })[]
  /** Characters. */
  readonly size: number
  /** What a notice would replace; a call keeps its input. */
  readonly region?: Region
}

export interface FileContentOptions {
  /** The working folder, absolute: with it a relative and an absolute path can be the same file. */
  readonly cwd?: string
  /** Texts that are further notices, and so no file's content. */
  readonly isNotice?: (text: string) => boolean
}

/** In order: later ones are newer. One pass over the text. */
export const findFileContents = (
  messages: readonly LooseMessage[],
  options: FileContentOptions = {},
): readonly FileContent[] => {
  const found: FileContent[] = []
  const callOf = callsByResult(messages)
  const isContent = (text: string): boolean => isFileContent(text) && options.isNotice?.(text) !== true
  const add = (
    position: BlockPosition,
    kind: FileContentKind,
    parts: readonly FilePart[],
    size: number,
    region?: Region,
  ): void => {
    const files = parts.map((file) => ({ ...file, key: normalFilePath(file.path, options.cwd) }))
    if (files.length === 0 || files.some(({ key }) => key === '')) return
    found.push({ position, kind, files, size, ...(region === undefined ? {} : { region }) })
  }

  /** Files in one text, or between a header here and the text after it. Returns whether `next` was used. */
  const addTexts = (position: BlockPosition, part: number, text: string, next?: TextAt): boolean => {
    const header = readHeaderOf(text)
    if (header !== undefined) {
      const files = [{ path: header.path, part: '' }]
      const isHere = text.slice(header.end).trim() !== ''
      if (isHere) {
        const content = text.slice(header.end)
        const region: Region = { of: 'text', part, start: header.end, end: text.length }
        if (isContent(content)) add(position, 'text-result', files, content.length, region)
        return false
      }
      if (next === undefined || isToolHeader(next.text)) return false
      const region: Region = { of: 'text', part: next.part, start: 0, end: next.text.length }
      if (isContent(next.text)) add(next.position, 'text-result', files, next.text.length, region)
      return true
    }
    for (const { kind, path, part: filePart, start, end } of fileTextsIn(text)) {
      if (!isContent(text.slice(start, end))) continue
      add(position, kind, [{ path, part: filePart }], end - start, { of: 'text', part, start, end })
    }
    return false
  }

  const addResult = (position: BlockPosition, view: BlockView & { readonly kind: 'result' }): void => {
    if (view.isError) return
    const call = callOf.get(positionKey(position))
    const text = view.texts.map((item) => item.text).join('\n')
    if (call !== undefined) {
      const read = filesRead(call.view)
      if (read.length > 0) {
        const size = view.texts.reduce((sum, item) => sum + item.text.length, 0)
        if (isContent(text) || (view.hasOther && size === 0)) add(position, 'tool-result', read, size, { of: 'block' })
        return
      }
      const written = fileWritten(call.view)
      if (written !== undefined && (text === '' || isContent(text))) add(call.position, 'write-call', [written], 0)
    }
    addAll(view.texts.map((item) => ({ position, part: item.part, text: item.text })))
  }

  const addAll = (texts: readonly TextAt[]): void => {
    let isUsed = false
    for (const [index, { position, part, text }] of texts.entries()) {
      if (isUsed) isUsed = false
      else isUsed = addTexts(position, part, text, texts[index + 1])
    }
  }

  for (const [message, loose] of messages.entries()) {
    // What the assistant says of files is no file.
    if (loose.role === 'assistant') continue
    let texts: TextAt[] = []
    for (const [block, value] of blocksOf(loose).entries()) {
      const position = { message, block }
      const view = viewOf(value)
      if (view.kind === 'text') {
        texts.push({ position, part: 0, text: view.text })
        continue
      }
      addAll(texts)
      texts = []
      if (view.kind === 'result') addResult(position, view)
      else if (view.kind === 'file' && isContent(view.text)) {
        add(position, 'attachment', [{ path: view.path, part: '' }], view.text.length, { of: 'block' })
      }
    }
    addAll(texts)
  }
  return found
}

interface TextAt {
  readonly position: BlockPosition
  readonly part: number
  readonly text: string
}

interface CallAt {
  readonly position: BlockPosition
  readonly view: BlockView & { readonly kind: 'call' }
}

const callsByResult = (messages: readonly LooseMessage[]): ReadonlyMap<string, CallAt> => {
  const calls = new Map<string, CallAt>()
  for (const { message, block, results } of findPairs(messages).calls) {
    const loose = messages[message]
    const view = loose === undefined ? undefined : viewOf(blocksOf(loose)[block])
    if (view?.kind !== 'call') continue
    for (const result of results) calls.set(positionKey(result), { position: { message, block }, view })
  }
  return calls
}

const positionKey = ({ message, block }: BlockPosition): string => `${message}:${block}`
