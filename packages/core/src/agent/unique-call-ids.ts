/**
 * Gives each call of a conversation a unique id. Some servers restart their numbering with each reply; observers, and a
 * provider to which the session moves, could not tell the calls apart.
 */
import type { ToolCallBlock } from '../messages.ts'
import type { LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts'

/**
 * Wraps a model so that a call in a reply gets a new id (`<id>_2` and so on) if an earlier call, in a reply or in a
 * request's messages, already has it. One wrapper serves one conversation: it remembers all ids.
 */
export const withUniqueCallIds = (model: LanguageModel): LanguageModel => {
  const taken = new Set<string>()
  const { provider } = model
  const countTokens = model.countTokens?.bind(model)
  return {
    provider,
    stream: (request) => uniqueCalls(model, request, taken),
    ...(countTokens === undefined ? {} : { countTokens }),
  }
}

/**
 * The model's events with every call's id made unique within the conversation: one that is taken gets `_2` and so on
 * appended. A retry frees the ids of the attempt before it. `taken`: ids that are used already; new ones are added.
 */
async function* uniqueCalls(
  model: LanguageModel,
  request: ModelRequest,
  taken: Set<string>,
): AsyncGenerator<ModelEvent> {
  for (const { content } of request.messages)
    for (const block of content) if (block.type === 'tool_call') taken.add(block.id)
  const attempt = new AttemptIds(taken)
  for await (const event of model.stream(request)) {
    if (event.type === 'retry') attempt.restart()
    if (event.type === 'tool-call-progress') yield { ...event, id: attempt.idOf(event.id) }
    else if (event.type === 'block' && event.block.type === 'tool_call')
      yield { ...event, block: attempt.closed(event.block) }
    else yield event
  }
}

/** The ids of one attempt at a reply. */
class AttemptIds {
  readonly #taken: Set<string>
  /** Calls whose arguments are still arriving, by the model's id. */
  readonly #open = new Map<string, string>()
  readonly #own: string[] = []

  constructor(taken: Set<string>) {
    this.#taken = taken
  }

  /**
   * The unique id for an id of the model's (`_2` and so on behind a taken one); the same for later events of that call.
   */
  idOf(given: string): string {
    const known = this.#open.get(given)
    if (known !== undefined) return known
    let id = given
    for (let number = 2; this.#taken.has(id); number += 1) id = `${given}_${number}`
    this.#open.set(given, id)
    return id
  }

  /**
   * Marks the call as complete, and its id as taken: the same id again means another call. Returns the block with its
   * unique id.
   */
  closed(block: ToolCallBlock): ToolCallBlock {
    const id = this.idOf(block.id)
    this.#open.delete(block.id)
    this.#taken.add(id)
    this.#own.push(id)
    return id === block.id ? block : { ...block, id }
  }

  /** Discards what has arrived so far in this attempt; its ids are free again. */
  restart(): void {
    for (const id of this.#own.splice(0)) this.#taken.delete(id)
    this.#open.clear()
  }
}
