/** The last resort: what may not leave the view is cut until it fits, the largest blocks first. */
import { isJsonObject, type JsonValue } from '../../json.ts'
import { textOfBlock } from '../../messages.ts'
import { cutText } from '../../summary/bounded-text.ts'
import { isFixed, type Draft } from '../draft.ts'
import { frameTokens, type ViewBlock } from '../view-block.ts'
import { isThinking } from '../thinking.ts'

/** Of a view that is cut, this part of the limit is used, so that the next request need not cut again. */
const AIM = 0.75
/** No block is cut to fewer tokens than this: its notice alone takes most of them. */
const LEAST_TOKENS = 48
const CUT_HEAD = '[Cut to save space: '
const IMAGE_CUT = '[Images left out to save space]'

/** By what is given up first. */
const STAGES: readonly ((block: ViewBlock) => boolean)[] = [
  ({ source }) => source.original.type === 'tool_result',
  ({ source, kind }) =>
    source.original.type === 'tool_call' ||
    kind === 'reply' ||
    kind === 'thinking' ||
    kind === 'program' ||
    source.original.type === 'tool_result',
  () => true,
]

/**
 * Cuts the largest blocks to a common size, so that the draft has at most `limit` tokens: first results, then also
 * calls, replies and the program's notes (reasoning leaves whole), then all others. Does nothing where it fits. Fixed
 * blocks, and those that would not become smaller, stay, so it may not succeed. @returns the blocks that were cut
 * @param aim the share of the limit that is used when something has to be cut
 * @param among the blocks that may be cut; default all that are visible
 */
export const cutToFit = (
  draft: Draft,
  limit: number,
  aim: number = AIM,
  among: readonly ViewBlock[] = draft.view.blocks(),
): ReadonlySet<ViewBlock> => {
  const cut = new Set<ViewBlock>()
  for (const mayCut of STAGES) {
    if (draft.tokens <= limit) break
    const blocks = among.filter((block) => mayCut(block) && !draft.isRemoved(block) && !isFixed(block, draft.view))
    const cap = commonSize(draft, blocks, limit * aim)
    for (const block of blocks) if (draft.tokensSent(block) > cap && cutItem(draft, block, cap)) cut.add(block)
  }
  return cut
}

/**
 * The size, tokens, that no block may exceed for the draft to have `aim` tokens. Infinity where they fit already; at
 * least `LEAST_TOKENS`.
 */
const commonSize = (draft: Draft, blocks: readonly ViewBlock[], aim: number): number => {
  const sizes = blocks.map((block) => draft.tokensSent(block)).sort((left, right) => left - right)
  let remaining = aim - (draft.tokens - sizes.reduce((sum, size) => sum + size, 0))
  for (const [index, size] of sizes.entries()) {
    const share = remaining / (sizes.length - index)
    if (size > share) return Math.max(LEAST_TOKENS, Math.floor(share))
    remaining -= size
  }
  return Infinity
}

/**
 * Cuts a block to about `tokens`, and removes reasoning instead. False, with nothing changed, if it would not become
 * smaller.
 */
const cutItem = (draft: Draft, block: ViewBlock, tokens: number): boolean => {
  const { original } = block.source
  if (isThinking(original)) {
    draft.remove(block, 'cut')
    return true
  }
  const characters = Math.floor(Math.max(0, tokens - frameTokens(original)) * draft.view.charactersPerToken)
  const text =
    original.type === 'tool_call'
      ? cutArguments(original.input, characters - original.name.length)
      : cutContent(block, characters)
  const other = original.type === 'tool_call' ? original.name.length + NOTICE_FRAME : 0
  // A block that was cut before is cut from its original again: it may not become larger.
  const now = draft.tokensSent(block) - frameTokens(original)
  if (Math.ceil((text.length + other) / draft.view.charactersPerToken) >= now) return false
  draft.replace(block, 'cut', text)
  return true
}

/**
 * The text cut to `characters`, with a notice before it of how much is shown; whole, with a notice that images were
 * left out, if it is short enough; for an image only that notice. For a result that is cut the notice says to run the
 * tool again.
 */
const cutContent = ({ source: { original } }: ViewBlock, characters: number): string => {
  if (original.type === 'image') return IMAGE_CUT
  const text = textOfBlock(original)
  // What is left out then is images.
  if (text.length + IMAGE_CUT.length < characters) return `${IMAGE_CUT}\n${text}`
  const again = original.type === 'tool_result' ? '; run the tool again to see the rest' : ''
  const head = (shown: number): string => `${CUT_HEAD}${shown} of ${text.length} characters are shown${again}]\n`
  const shown = Math.max(0, Math.min(text.length, characters - head(text.length).length))
  return `${head(shown)}${cutText(text, shown)}`
}

/**
 * A call's arguments with the long ones shortened: as JSON with its keys, where that is short enough. Where it is not,
 * or the input is no object, only a notice that they were cut.
 */
const cutArguments = (input: JsonValue, characters: number): string => {
  if (isJsonObject(input)) {
    const names = Object.keys(input)
    const frame = names.join('').length + names.length * KEY_FRAME
    const share = Math.max(0, Math.floor((characters - frame) / Math.max(1, names.length) / ESCAPES))
    const text = JSON.stringify(
      Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name, value === undefined ? null : shortValue(value, share)]),
      ),
    )
    if (text.length <= characters) return text
  }
  return `${CUT_HEAD}the arguments of this call]`
}

/** Characters of JSON about a key and its value, and about a notice in the place of arguments. */
const KEY_FRAME = 6
const NOTICE_FRAME = 13
/** A text becomes longer by so much in JSON. */
const ESCAPES = 1.1

/** The value if its JSON has at most `characters` characters, otherwise a text cut to that. */
const shortValue = (value: JsonValue, characters: number): JsonValue => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= characters ? value : cutText(text, characters)
}
