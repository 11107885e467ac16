/** A step: notices that refer to a file's newest content are corrected when that content is not in the view any more. */
import type { ContentBlock } from '../../../messages.ts'
import { findFileContents, type FileContent } from '../../steps/file-reads/file-contents.ts'
import { coversLines, lineRangeOf } from '../../steps/file-reads/line-range.ts'
import { duplicateNotice } from '../../steps/file-reads/notices.ts'
import type { Draft } from '../../draft.ts'
import type { ContextItem } from '../../item.ts'
import { visibleMessages } from '../../steps/visible-messages.ts'

/** What both notices begin with; it tells them from a file's content. */
const NOTICE_HEAD = "[Earlier content of '"
/** What follows the paths. */
const NOTICE_END = duplicateNotice([]).slice(duplicateNotice([]).indexOf(' removed '))
const GONE_END = ' left the context: read the file again to see it.]'

/** As short as the notice that it takes the place of, so that a view that fits still does. */
export const goneNotice = (paths: readonly string[]): string =>
  duplicateNotice(paths).replace(NOTICE_END, () => GONE_END)

/**
 * To be done last in a draft.
 * @param notices the texts that blocks have got in this draft, where they are notices
 */
export const updateNotices = (
  draft: Draft,
  notices: ReadonlyMap<ContextItem, string>,
  cut: ReadonlySet<ContextItem>,
): void => {
  const noticed = new Map<ContextItem, string>()
  for (const item of draft.view.items()) {
    const text = cut.has(item)
      ? undefined
      : (notices.get(item) ?? (draft.changes(item) ? undefined : item.slot.replacement))
    if (text !== undefined && text.includes(NOTICE_HEAD) && !draft.isRemoved(item)) noticed.set(item, text)
  }
  if (noticed.size === 0) return
  const placed = visibleMessages(draft.view).map(({ message, items }) => {
    const kept = items.filter((item) => !draft.isRemoved(item))
    return {
      items: kept,
      message: { role: message.role, content: kept.flatMap((item): readonly ContentBlock[] => blockOf(item, noticed)) },
    }
  })
  const states = findFileContents(placed.map(({ message }) => message)).map((content): ContentState => {
    const item = placed[content.place.message]?.items[content.place.block]
    const paths = content.files.map(({ path }) => path)
    const notice = duplicateNotice(paths)
    const gone = goneNotice(paths)
    const text = item === undefined ? undefined : noticed.get(item)
    const isUntouched = item !== undefined && !draft.changes(item) && item.slot.replacement === undefined
    return {
      content,
      item,
      notice,
      gone,
      isWhole: text === undefined ? isUntouched : !text.includes(notice) && !text.includes(gone),
    }
  })
  for (const [index, { content, item, notice, gone }] of states.entries()) {
    const text = item === undefined ? undefined : noticed.get(item)
    if (item === undefined || text === undefined || !text.includes(notice) || isCovered(content, states, index + 1))
      continue
    const mended = text.replaceAll(notice, () => gone)
    noticed.set(item, mended)
    draft.replace(item, 'superseded', mended)
  }
  // A block whose original is not a file's content was cut before it got its notice: nobody knows what that refers to.
  const known = new Set(states.map(({ item }) => item))
  for (const [item, text] of noticed) {
    if (!known.has(item) && text.includes(NOTICE_END))
      draft.replace(
        item,
        'superseded',
        text.replaceAll(NOTICE_END, () => GONE_END),
      )
  }
}

interface ContentState {
  readonly content: FileContent
  readonly item: ContextItem | undefined
  readonly notice: string
  readonly gone: string
  /** It stands in the view as it was. */
  readonly isWhole: boolean
}

const blockOf = (item: ContextItem, noticed: ReadonlyMap<ContextItem, string>): readonly ContentBlock[] =>
  noticed.has(item) ? [item.slot.original] : [item.slot.seen ?? item.slot.original]

/** Whether each file, or the part of it, stands in a newer content that is whole. */
const isCovered = ({ files }: FileContent, states: readonly ContentState[], from: number): boolean =>
  files.every(({ key, part }) =>
    states.some(
      ({ content, isWhole }, index) =>
        index >= from && isWhole && content.files.some((file) => file.key === key && covers(file.part, part)),
    ),
  )

const covers = (outer: string, inner: string): boolean => {
  if (outer === '' || outer === inner) return true
  const [outerLines, innerLines] = [lineRangeOf(outer), lineRangeOf(inner)]
  return outerLines !== undefined && innerLines !== undefined && coversLines(outerLines, innerLines)
}
