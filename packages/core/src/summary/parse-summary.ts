/** Reads a stored summary. The schema is loaded when it is first needed: few commands read one. */
import { CairnError } from '../errors.ts'
import { err, ok, type Result } from '../result.ts'
import type { ThreadSummary } from './thread-summary.ts'

/**
 * A summary from its JSON text, or from the value that the text stands for. Damaged input is an `invalid-input` that says
 * in one sentence what is wrong; nothing of it is guessed.
 */
export const parseThreadSummary = async (json: unknown): Promise<Result<ThreadSummary, CairnError>> => {
  const value = typeof json === 'string' ? parsed(json) : json
  if (value === undefined) return err(damaged('it is no JSON'))
  const { checkSummary } = await import('./summary-schema.ts')
  const checked = checkSummary(value)
  return 'summary' in checked ? ok(checked.summary) : err(damaged(checked.problem))
}

/** The error for a stored summary that can't be read. */
const damaged = (problem: string): CairnError =>
  new CairnError(
    'invalid-input',
    `The stored thread summary is damaged (${problem}); the messages that it stands for are still in the log, so that it can be rebuilt.`,
  )

/** The value of a JSON text; undefined for what is no JSON. */
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
