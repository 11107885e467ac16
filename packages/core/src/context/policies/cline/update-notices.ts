/** A step: notices that refer to a file's newest content are corrected when that content is not in the view any more. */
import type { ContentBlock } from '../../../messages.ts'
import { findFileContents, type FileContent } from '../../steps/file-reads/file-contents.ts'
import { coversLines, lineRangeOf } from '../../steps/file-reads/line-range.ts'
import { duplicateNotice } from '../../steps/file-reads/notices.ts'
import type { Draft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { visibleMessages } from '../../steps/visible-messages.ts'

/** What both notices begin with; it tells them from a file's content. */
const NOTICE_HEAD = "[Earlier content of '"
/** What follows the paths. */
const NOTICE_END = duplicateNotice([]).slice(duplicateNotice([]).indexOf(' removed '))
const GONE_END = ' left the context: read the file again to see it.]'

/**
 * The notice for an older content of files whose newer content left the context as well. No longer than
 * `duplicateNotice` for the same paths, so that a view that fits still does after the exchange.
 */
export const goneNotice = (paths: readonly string[]): string =>
  duplicateNotice(paths).replace(NOTICE_END, () => GONE_END)

/**
 * The visible blocks that hold a notice, with the text that they have in the draft. Blocks cut or removed in the draft
 * are not among them.
 */
const noticedBlocks = (
  draft: Draft,
  notices: ReadonlyMap<ViewBlock, string>,
  cut: ReadonlySet<ViewBlock>,
): Map<ViewBlock, string> => {
  const noticed = new Map<ViewBlock, string>()
  for (const block of draft.view.blocks()) {
    if (cut.has(block) || draft.isRemoved(block)) continue
    const text = notices.get(block) ?? (draft.changes(block) ? undefined : block.source.replacement)
    if (text?.includes(NOTICE_HEAD) === true) noticed.set(block, text)
  }
  return noticed
}

/**
 * Makes the notices of a draft true: one whose file's newer content left as well says so. To be done last in a draft.
 * @param notices the texts that blocks have got in this draft, where they are notices
 * @param cut blocks that were cut in this draft, so that their text is no whole content
 */
export const updateNotices = (
  draft: Draft,
  notices: ReadonlyMap<ViewBlock, string>,
  cut: ReadonlySet<ViewBlock>,
): void => {
  const noticed = noticedBlocks(draft, notices, cut)
  if (noticed.size === 0) return
  const visible = visibleMessages(draft.view).map(({ message, blocks }) => {
    const kept = blocks.filter((block) => !draft.isRemoved(block))
    return {
      blocks: kept,
      message: {
        role: message.role,
        content: kept.flatMap((block): readonly ContentBlock[] => blockOf(block, noticed)),
      },
    }
  })
  const states = findFileContents(visible.map(({ message }) => message)).map((content): ContentState => {
    const block = visible[content.position.message]?.blocks[content.position.block]
    const paths = content.files.map(({ path }) => path)
    const notice = duplicateNotice(paths)
    const gone = goneNotice(paths)
    const text = block === undefined ? undefined : noticed.get(block)
    const isUntouched = block !== undefined && !draft.changes(block) && block.source.replacement === undefined
    return {
      content,
      block,
      notice,
      gone,
      isWhole: text === undefined ? isUntouched : !text.includes(notice) && !text.includes(gone),
    }
  })
  for (const [index, { content, block, notice, gone }] of states.entries()) {
    const text = block === undefined ? undefined : noticed.get(block)
    if (block === undefined || text === undefined || !text.includes(notice) || isCovered(content, states, index + 1))
      continue
    const corrected = text.replaceAll(notice, () => gone)
    noticed.set(block, corrected)
    draft.replace(block, 'superseded', corrected)
  }
  // A block whose original is not a file's content was cut before it got its notice: nobody knows what that refers to.
  const known = new Set(states.map(({ block }) => block))
  for (const [block, text] of noticed) {
    if (!known.has(block) && text.includes(NOTICE_END))
      draft.replace(
        block,
        'superseded',
        text.replaceAll(NOTICE_END, () => GONE_END),
      )
  }
}

interface ContentState {
  readonly content: FileContent
  readonly block: ViewBlock | undefined
  readonly notice: string
  readonly gone: string
  /** It stands in the view as it was. */
  readonly isWhole: boolean
}

const blockOf = (block: ViewBlock, noticed: ReadonlyMap<ViewBlock, string>): readonly ContentBlock[] =>
  noticed.has(block) ? [block.source.original] : [block.source.seen ?? block.source.original]

/** Whether each file, or the part of it, stands in one of the `states` from index `from` on that is whole. */
const isCovered = ({ files }: FileContent, states: readonly ContentState[], from: number): boolean =>
  files.every(({ key, part }) =>
    states.some(
      ({ content, isWhole }, index) =>
        index >= from && isWhole && content.files.some((file) => file.key === key && covers(file.part, part)),
    ),
  )

/** Whether the part `outer` of a file contains `inner`; '' is the whole file. */
const covers = (outer: string, inner: string): boolean => {
  if (outer === '' || outer === inner) return true
  const [outerLines, innerLines] = [lineRangeOf(outer), lineRangeOf(inner)]
  return outerLines !== undefined && innerLines !== undefined && coversLines(outerLines, innerLines)
}
