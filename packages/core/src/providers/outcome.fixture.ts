/** What the tests of providers share. */
import { ModelError, type LanguageModel, type ModelEvent, type ModelRequest } from '../ports/language-model.ts'

/** The events of a reply, and the error that it ended with. */
export interface Outcome {
  readonly events: readonly ModelEvent[]
  readonly error?: ModelError
}

/** Reads a reply to its end. */
export const outcomeOf = async (model: LanguageModel, request: ModelRequest): Promise<Outcome> => {
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream(request)) events.push(event)
  } catch (error) {
    if (!ModelError.is(error)) throw error
    return { events, error }
  }
  return { events }
}

/** The whole blocks of a reply. */
export const blocksIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'block' ? [event.block] : []))
