/** The blocks of a reply, in order, with calls of tools whose arguments come in pieces. */
import { isJsonObject, parseJson } from '../../json.ts'
import type { ContentBlock, ToolCallBlock } from '../../messages.ts'
import { ModelError, type ModelEvent } from '../../ports/language-model.ts'
import { GrowingText } from './growing-text.ts'

/** A call whose arguments are still coming. */
export interface OpenCall {
  readonly id: string
  readonly name: string
  /** The arguments so far: JSON that may be cut. */
  readonly arguments: GrowingText
}

/** A tool call of which only id and name are known; add the pieces of its arguments to `arguments` as they come. */
export const openCall = (id: string, name: string): OpenCall => ({ id, name, arguments: new GrowingText() })

type Emit = (event: ModelEvent) => void

/**
 * Gives blocks as they become whole. A call without readable arguments waits for the end of the reply: was it cut at the
 * longest reply, the call is not whole and must not be run; otherwise the model wrote it so.
 */
export class ReplyBlocks {
  #held: ContentBlock[] = []
  #doubtful: ToolCallBlock | undefined

  /**
   * Gives a whole block to `emit`, at once or, while a call before it is in doubt, at the end of the reply; the order
   * stays.
   */
  add(block: ContentBlock, emit: Emit): void {
    if (this.#doubtful === undefined) emit({ type: 'block', block })
    else this.#held.push(block)
  }

  /**
   * Ends a call, and gives it as `add` does. Without any arguments its input is `{}`; arguments that are no object are
   * kept as text. A call without readable arguments waits for the end of the reply, with all blocks behind it, unless
   * `isWhole`: the API itself says that nothing of the call is missing.
   */
  addCall({ id, name, arguments: pieces }: OpenCall, emit: Emit, { isWhole = false } = {}): void {
    const text = pieces.toString()
    const value = parseJson(text)?.value
    const input = text.trim() === '' ? {} : isJsonObject(value) ? value : text
    const block: ToolCallBlock = { type: 'tool_call', id, name, input }
    if (!isWhole && !isJsonObject(value)) this.#doubtful ??= block
    this.add(block, emit)
  }

  /**
   * To be called when the reply has ended: gives the blocks that waited. `isAtLimit`: the reply reached the longest
   * length allowed.
   * @throws ModelError `cut-off` when that was within a call
   */
  end(isAtLimit: boolean, emit: Emit): void {
    if (isAtLimit && this.#doubtful !== undefined) throw cutWithinCall(this.#doubtful.name, true)
    for (const block of this.#held) emit({ type: 'block', block })
    this.#held = []
    this.#doubtful = undefined
  }
}

/**
 * Makes (does not throw) the `cut-off` error for a reply that ended within a call of a tool; `isAtLimit`: because of
 * the longest reply allowed.
 */
export const cutWithinCall = (name: string, isAtLimit: boolean): ModelError =>
  isAtLimit
    ? new ModelError(
        'cut-off',
        `The reply reached its longest length within a call of ${name}, which can't be run: allow a longer reply.`,
        { isAtOutputLimit: true },
      )
    : new ModelError('cut-off', `The reply broke off within a call of ${name}, which can't be run: ask again.`)

/**
 * Makes (does not throw) the `refused` error for a reply in which the model, or a filter, declines; with the reason
 * that was given. Of that reason at most `LONGEST_REASON` characters are shown.
 */
export const refused = (model: string, why: string | undefined): ModelError => {
  const reason = (why ?? '').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').replace(/[\s.]+$/, '')
  const shown = reason === '' ? '' : ` (${reason.slice(0, LONGEST_REASON).toWellFormed()})`
  return new ModelError('refused', `${model} declined to answer${shown}: ask in another way, or another model.`)
}

/** Characters of a reason that are shown. */
const LONGEST_REASON = 200
