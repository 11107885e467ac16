/**
 * Every place of a conversation that holds a file's content: results of reading calls, mentions, edits'
 * final contents, attachments, and calls that write a whole file. Structured calls come first; texts are
 * searched only where no call says what they are, so that a file's content is never taken for markup.
 */
import { blocksOf, viewOf, type BlockView, type LooseMessage, type BlockPosition } from '../../messages/loose.ts'
import { findPairs } from '../../messages/pairs.ts'
import { fileWritten, filesRead, type FilePart } from './file-calls.ts'
import { normalFilePath } from './file-path.ts'
import { fileTextsIn, isToolHeader, readHeaderOf, type ReadHeader } from './file-texts.ts'
import { isFileContent } from './notices.ts'

/** How a file's content came into a message. */
export type FileContentKind = 'tool-result' | 'text-result' | 'mention' | 'final-content' | 'attachment' | 'write-call'

/** The characters of a block that hold the content; `part` is the index of a text part in a tool result. */
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

/**
 * The files' contents that messages hold, in order: later ones are newer. What the assistant writes about a file does
 * not count, but its call that writes a whole file does, once its result is no failure; nor do failed results, notices
 * and blank texts. One pass over the text.
 */
export const findFileContents = (
  messages: readonly LooseMessage[],
  options: FileContentOptions = {},
): readonly FileContent[] => {
  const finder = new FileContentFinder(callsByResult(messages), options)
  for (const [index, message] of messages.entries())
    // What the assistant writes about a file is not the file.
    if (message.role !== 'assistant') finder.addMessage(index, blocksOf(message))
  return finder.found
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

type ResultView = BlockView & { readonly kind: 'result' }

class FileContentFinder {
  readonly found: FileContent[] = []
  readonly #callOf: ReadonlyMap<string, CallAt>
  readonly #options: FileContentOptions

  constructor(callOf: ReadonlyMap<string, CallAt>, options: FileContentOptions) {
    this.#callOf = callOf
    this.#options = options
  }

  /**
   * Takes the conversation's next message, and adds the files' contents in it to `found`: of results, of texts
   * (neighbouring ones together, as one may announce the next), and of attached files that are no notice and not blank.
   */
  addMessage(message: number, blocks: readonly unknown[]): void {
    let texts: TextAt[] = []
    for (const [block, value] of blocks.entries()) {
      const position = { message, block }
      const view = viewOf(value)
      if (view.kind === 'text') {
        texts.push({ position, part: 0, text: view.text })
        continue
      }
      this.#addTexts(texts)
      texts = []
      if (view.kind === 'result') this.#addResult(position, view)
      else if (view.kind === 'file' && this.#isContent(view.text))
        this.#add(position, 'attachment', [{ path: view.path, part: '' }], view.text.length, { of: 'block' })
    }
    this.#addTexts(texts)
  }

  /**
   * Takes a tool result: by its call if it is one that reads files, otherwise by what its text looks like. Failed calls
   * have no content.
   */
  #addResult(position: BlockPosition, view: ResultView): void {
    if (view.isError) return
    const call = this.#callOf.get(positionKey(position))
    if (call !== undefined && this.#addByCall(position, view, call)) return
    this.#addTexts(view.texts.map(({ part, text }) => ({ position, part, text })))
  }

  /**
   * Adds what a call tells of its result's files; for one that wrote a whole file, that file at the call's own place.
   * True if the call only reads files: then its result's text is not to be searched.
   */
  #addByCall(position: BlockPosition, { texts, hasOther }: ResultView, call: CallAt): boolean {
    const text = texts.map((item) => item.text).join('\n')
    const read = filesRead(call.view)
    if (read.length > 0) {
      const size = texts.reduce((sum, item) => sum + item.text.length, 0)
      if (this.#isContent(text) || (hasOther && size === 0))
        this.#add(position, 'tool-result', read, size, { of: 'block' })
      return true
    }
    const written = fileWritten(call.view)
    if (written !== undefined && (text === '' || this.#isContent(text)))
      this.#add(call.position, 'write-call', [written], 0)
    return false
  }

  /**
   * Adds the files in texts that follow each other: a text that is only a header announces the next. All other texts
   * are searched for tags.
   */
  #addTexts(texts: readonly TextAt[]): void {
    let isUsed = false
    for (const [index, text] of texts.entries()) {
      if (isUsed) {
        isUsed = false
        continue
      }
      const header = readHeaderOf(text.text)
      if (header === undefined) this.#addTagged(text)
      else isUsed = this.#addAnnounced(header, text, texts[index + 1])
    }
  }

  /**
   * Adds the file that a header announces: what stands after it, else the next text, unless that has a header itself.
   * Returns whether the next text was used, so that it is not searched again.
   */
  #addAnnounced({ path, end }: ReadHeader, text: TextAt, next: TextAt | undefined): boolean {
    const files = [{ path, part: '' }]
    if (text.text.slice(end).trim() !== '') {
      this.#addText(text, end, files)
      return false
    }
    if (next === undefined || isToolHeader(next.text)) return false
    this.#addText(next, 0, files)
    return true
  }

  /** Adds a text from a character on as the content of files. */
  #addText({ position, part, text }: TextAt, start: number, files: readonly FilePart[]): void {
    const content = text.slice(start)
    if (this.#isContent(content))
      this.#add(position, 'text-result', files, content.length, { of: 'text', part, start, end: text.length })
  }

  /** Adds the files between tags; not what is a notice, a failure or blank. */
  #addTagged({ position, part, text }: TextAt): void {
    for (const { kind, path, part: filePart, start, end } of fileTextsIn(text))
      if (this.#isContent(text.slice(start, end)))
        this.#add(position, kind, [{ path, part: filePart }], end - start, { of: 'text', part, start, end })
  }

  /**
   * Adds a content with the normal paths of its files; nothing if there are none or one has a blank path. `region`: the
   * part of the block that it is.
   */
  #add(
    position: BlockPosition,
    kind: FileContentKind,
    parts: readonly FilePart[],
    size: number,
    region?: Region,
  ): void {
    const files = parts.map((file) => ({ ...file, key: normalFilePath(file.path, this.#options.cwd) }))
    if (files.length === 0 || files.some(({ key }) => key === '')) return
    this.found.push({ position, kind, files, size, ...(region === undefined ? {} : { region }) })
  }

  #isContent(text: string): boolean {
    return isFileContent(text) && this.#options.isNotice?.(text) !== true
  }
}

/** The call of each result, by the result's `positionKey`. */
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
