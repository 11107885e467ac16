/**
 * Repeated file contents: the newest successful read of a file stays whole, older ones become a short notice that names
 * the file. A failed read replaces nothing; a part of a file is only replaced by the same part or the whole; a mention
 * and an edit's final content keep their tags.
 */
import {
  assertMessages,
  blocksOf,
  charactersOf,
  viewOf,
  withBlocks,
  withPartTexts,
  withText,
  type LooseMessage,
  type BlockPosition,
} from '../../messages/loose.ts'
import { findFileContents, type FileContent, type FileContentKind, type FileContentOptions } from './file-contents.ts'
import { coversLines, lineRangeOf, type LineRange } from './line-range.ts'
import { duplicateNotice } from './notices.ts'

export interface DeduplicateOptions extends FileContentOptions {
  /** Places that stay as they are (pinned by the user, say); they still count as a file's content. */
  readonly isProtected?: (position: BlockPosition) => boolean
  /** Contents that would save fewer characters stay. Default: all are replaced. */
  readonly minimumSaved?: number
}

/** A content that gives way to a newer one. */
export interface DuplicateRead extends BlockPosition {
  /** As its call or tag writes it. */
  readonly path: string
  readonly kind: FileContentKind
  /** Where the newer content is. It is never replaced itself. */
  readonly by: BlockPosition
  /** Characters; of several files in one result the first bears all. Negative where the notice is longer. */
  readonly savedCharacters: number
}

/** The text that a whole block has afterwards: what an edit of the session log holds. */
export interface BlockReplacement extends BlockPosition {
  readonly text: string
}

export interface DuplicateReads {
  /** In order of their place; one for each file. */
  readonly duplicates: readonly DuplicateRead[]
  /** In order of their place; one for each block. */
  readonly replacements: readonly BlockReplacement[]
  /** By `message`: its changed blocks in the message's own form. */
  readonly blocks: ReadonlyMap<number, ReadonlyMap<number, unknown>>
}

export interface DeduplicateResult<M> {
  /** Messages without a duplicate are the ones that came in. */
  readonly messages: readonly M[]
  readonly replaced: readonly DuplicateRead[]
  readonly savedCharacters: number
  /** Before, over all text: messages, reasoning, tool results and the calls' inputs. */
  readonly totalCharacters: number
  /** Saved of total, 0 to 1: what the 30 % rule looks at. */
  readonly savedShare: number
}

/**
 * Replaces older contents of files that are there again with notices. Messages without any come back as they are; those
 * given are not changed. Doing it again changes nothing.
 * @throws CairnError `invalid-input` for what is not an array of messages.
 */
export const deduplicateFileReads = <M extends LooseMessage>(
  messages: readonly M[],
  options: DeduplicateOptions = {},
): DeduplicateResult<M> => {
  assertMessages(messages, 'deduplicateFileReads')
  const { duplicates, blocks } = findDuplicateReads(messages, options)
  const savedCharacters = duplicates.reduce((sum, duplicate) => sum + duplicate.savedCharacters, 0)
  const totalCharacters = totalCharactersOf(messages)
  return {
    messages: messages.map((message, index) => {
      const changed = blocks.get(index)
      if (changed === undefined) return message
      return withBlocks(
        message,
        blocksOf(message).map((block, position) => changed.get(position) ?? block),
      )
    }),
    replaced: duplicates,
    savedCharacters,
    totalCharacters,
    savedShare: totalCharacters === 0 ? 0 : savedCharacters / totalCharacters,
  }
}

/**
 * Characters (UTF-16 units) that the model reads in messages: texts, reasoning, files, tool results, and the names and
 * input values of calls. Images count 0.
 */
export const totalCharactersOf = (messages: readonly LooseMessage[]): number =>
  messages.reduce(
    (sum, message) => sum + blocksOf(message).reduce<number>((own, block) => own + charactersOf(block), 0),
    0,
  )

/**
 * Finds what {@link deduplicateFileReads} would replace, with the texts that it would put there: for a
 * policy that turns them into edits of the log, all or some of them.
 *
 * @throws CairnError `invalid-input` for what is not an array of messages.
 */
export const findDuplicateReads = (
  messages: readonly LooseMessage[],
  options: DeduplicateOptions = {},
): DuplicateReads => {
  assertMessages(messages, 'findDuplicateReads')
  const superseded = supersededContents(findFileContents(messages, options), options)
  const blocks = new Map<number, Map<number, unknown>>()
  const replacements: BlockReplacement[] = []
  for (const own of groupByBlock(superseded)) {
    const { message, block } = own.position
    const loose = messages[message]
    if (loose === undefined) continue
    const changed = replacedBlock(blocksOf(loose)[block], own.contents)
    const inMessage = blocks.get(message) ?? new Map<number, unknown>()
    inMessage.set(block, changed)
    blocks.set(message, inMessage)
    replacements.push({ message, block, text: textOf(changed) })
  }
  const duplicates = superseded.flatMap(({ content, by }) =>
    content.files.map(({ path }, index) => ({
      ...content.position,
      path,
      kind: content.kind,
      by: by[index] ?? content.position,
      savedCharacters: index === 0 ? savedBy(content) : 0,
    })),
  )
  return { duplicates, replacements, blocks }
}

interface Superseded {
  readonly content: FileContent
  /** By file, in the content's order. */
  readonly by: readonly BlockPosition[]
}

/** What stays of one file, newest first. */
interface KeptFile {
  whole: BlockPosition | undefined
  readonly parts: Map<string, BlockPosition>
  readonly ranges: { readonly range: LineRange; readonly position: BlockPosition }[]
}

/** Ranges of a file that are looked through; with more, only the same part is found again. */
const RANGES_KEPT = 32

/**
 * What is superseded, in the order given, and by what. From the newest back: what is not covered by what stays, stays.
 * So nothing points to what went. A content that can't be replaced, is protected or saves less than `minimumSaved`
 * characters stays.
 */
const supersededContents = (
  contents: readonly FileContent[],
  { isProtected, minimumSaved = Number.NEGATIVE_INFINITY }: DeduplicateOptions,
): readonly Superseded[] => {
  const files = new Map<string, KeptFile>()
  const superseded: Superseded[] = []
  for (const content of contents.toReversed()) {
    const by = content.files.flatMap(({ key, part }) => coveringPosition(files.get(key), part) ?? [])
    const isCovered = by.length === content.files.length
    const mayGo = content.region !== undefined && isProtected?.(content.position) !== true
    if (isCovered && mayGo && savedBy(content) >= minimumSaved) {
      superseded.push({ content, by })
      continue
    }
    for (const { key, part } of content.files) {
      const file = files.get(key) ?? { whole: undefined, parts: new Map<string, BlockPosition>(), ranges: [] }
      files.set(key, file)
      keep(file, part, content.position)
    }
  }
  return superseded.reverse()
}

/** Where this part of a file, or a larger one, is kept already; undefined if nowhere. '' is the whole file. */
const coveringPosition = (file: KeptFile | undefined, part: string): BlockPosition | undefined => {
  const same = file?.whole ?? file?.parts.get(part)
  if (file === undefined || same !== undefined || part === '') return same
  const inner = lineRangeOf(part)
  return inner === undefined ? undefined : file.ranges.find(({ range }) => coversLines(range, inner))?.position
}

/** Notes where a part is kept; the first position stays. '' is the whole file. */
const keep = (file: KeptFile, part: string, position: BlockPosition): void => {
  if (part === '') {
    file.whole ??= position
    return
  }
  if (file.parts.has(part)) return
  file.parts.set(part, position)
  const range = lineRangeOf(part)
  if (range !== undefined && file.ranges.length < RANGES_KEPT) file.ranges.push({ range, position })
}

const noticeOf = (content: FileContent): string => duplicateNotice(content.files.map(({ path }) => path))

const savedBy = (content: FileContent): number => content.size - noticeOf(content).length

interface BlockGroup {
  readonly position: BlockPosition
  readonly contents: FileContent[]
}

/** The superseded contents by the block that holds them, in order. They have to be in the order of their place. */
const groupByBlock = (superseded: readonly Superseded[]): readonly BlockGroup[] => {
  const groups: BlockGroup[] = []
  for (const { content } of superseded) {
    const last = groups.at(-1)
    const { message, block } = content.position
    if (last?.position.message === message && last.position.block === block) last.contents.push(content)
    else groups.push({ position: content.position, contents: [content] })
  }
  return groups
}

/**
 * The block with a notice in place of each of `contents`, which are in the order of their text. One that stands for the
 * whole block replaces it whole.
 */
const replacedBlock = (block: unknown, contents: readonly FileContent[]): unknown => {
  const whole = contents.find(({ region }) => region?.of === 'block')
  if (whole !== undefined) return withText(block, noticeOf(whole))
  const view = viewOf(block)
  const texts = view.kind === 'result' ? view.texts : [{ part: 0, text: view.kind === 'text' ? view.text : '' }]
  const changed = new Map(texts.map(({ part, text }) => [part, replacedText(text, part, contents)]))
  return view.kind === 'result' ? withPartTexts(block, changed) : withText(block, changed.get(0) ?? '')
}

/** The text with a notice in place of each content that lies in this part of the block. */
const replacedText = (text: string, ofPart: number, contents: readonly FileContent[]): string => {
  const pieces: string[] = []
  let at = 0
  for (const content of contents) {
    const { region } = content
    if (region?.of !== 'text' || region.part !== ofPart) continue
    pieces.push(text.slice(at, region.start), noticeOf(content))
    at = region.end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/** The text of a block, its parts joined with line breaks; '' for blocks that have none. */
const textOf = (block: unknown): string => {
  const view = viewOf(block)
  if (view.kind === 'result') return view.texts.map(({ text }) => text).join('\n')
  return view.kind === 'text' || view.kind === 'file' ? view.text : ''
}
