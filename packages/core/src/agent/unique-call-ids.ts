/**
 * Gives each call of a conversation an id of its own. Some servers number the calls of each reply anew; whoever watches,
 * and a provider that the session is moved to, could not tell them apart.
 */
import type { ToolCallBlock } from '../messages.ts'
import type { LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts'

/** The model, with another id for a call whose id an earlier one has: of its requests, or of what is sent to it. */
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
  /** Of calls whose arguments still come, by the id that the model gives them. */
  readonly #open = new Map<string, string>()
  readonly #own: string[] = []

  constructor(taken: Set<string>) {
    this.#taken = taken
  }

  idOf(given: string): string {
    const known = this.#open.get(given)
    if (known !== undefined) return known
    let id = given
    for (let number = 2; this.#taken.has(id); number += 1) id = `${given}_${number}`
    this.#open.set(given, id)
    return id
  }

  /** The call is whole: the same id again is another one. */
  closed(block: ToolCallBlock): ToolCallBlock {
    const id = this.idOf(block.id)
    this.#open.delete(block.id)
    this.#taken.add(id)
    this.#own.push(id)
    return id === block.id ? block : { ...block, id }
  }

  /** What came so far is void. */
  restart(): void {
    for (const id of this.#own.splice(0)) this.#taken.delete(id)
    this.#open.clear()
  }
}
