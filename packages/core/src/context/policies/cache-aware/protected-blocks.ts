/**
 * Which blocks a rewrite leaves alone, and which of the others it can evict. What no policy may touch is in
 * `context/draft.ts`.
 */
import type { ViewBlock } from '../../view-block.ts'
import type { ContextView } from '../../view.ts'
import type { CacheAwareSettings } from './settings.ts'

/** Why a long output was cut when it came. */
export const LONG_OUTPUT = 'long-output'
/** Why an edit's call is shown without the text that it replaced. */
export const OLD_TEXT = 'old-text'
/** Reasons for which a part of a block replaces it: the part can be evicted like any block. */
const PARTS = new Set([LONG_OUTPUT, OLD_TEXT, 'window', 'cut'])
/** Blocks with fewer tokens are not evicted. */
export const SMALL = 80

/** Whether a block is neither evicted nor shrunk while the rest can be made to fit: pinned, of the newest requests, or the system's. */
export const isProtected = (
  block: ViewBlock,
  view: ContextView,
  settings: Pick<CacheAwareSettings, 'protectedRequests'>,
): boolean =>
  block.source.pin === 'pinned' || block.request > view.requests - settings.protectedRequests || block.kind === 'system'

/**
 * Whether a block is of a kind that may be evicted when it is no longer needed: tool results, calls and the program's
 * notes that are shown in full or in part.
 */
export const canEvict = (block: ViewBlock): boolean => {
  if (block.source.replacement !== undefined && !PARTS.has(block.source.why ?? '')) return false
  const { type } = block.source.original
  return type === 'tool_result' || type === 'tool_call' || block.kind === 'program'
}
