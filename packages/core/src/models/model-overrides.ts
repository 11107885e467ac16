/** The user's own facts of models: for a model of theirs, a proxy with another window, or a mistake of ours. */
import { z } from 'zod'
import { CairnError } from '../errors.ts'

const LARGEST_WINDOW = 1_000_000_000
const A_YEAR_IN_SECONDS = 31_536_000
const tokens = z.int().positive().max(LARGEST_WINDOW)

const override = z.strictObject({
  contextWindow: tokens.exactOptional(),
  maxInputTokens: tokens.exactOptional(),
  maxOutputTokens: tokens.exactOptional(),
  minimumCacheableTokens: z.int().nonnegative().max(LARGEST_WINDOW).exactOptional(),
  cache: z.enum(['anthropic', 'automatic', 'none']).exactOptional(),
  cacheLifetimeSeconds: z.number().nonnegative().max(A_YEAR_IN_SECONDS).exactOptional(),
  charsPerToken: z.number().min(0.5).max(20).exactOptional(),
  thinkingSignature: z.enum(['bound-to-turn', 'bound-to-conversation']).exactOptional(),
})
const overrides = z.record(z.string(), override)

/** Facts that the user sets of one model; what is left out stays as it is known. */
export type ModelOverride = Readonly<z.infer<typeof override>>

/** By the model's name as the agent writes it, or its last part; case does not matter. */
export type ModelOverrides = Readonly<Record<string, ModelOverride>>

/**
 * Checks a table from a file.
 * @throws CairnError `invalid-input`, which names the model, the field and what was expected.
 */
export const parseModelOverrides = (value: unknown): ModelOverrides => {
  const parsed = overrides.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const [model, field] = issue?.path ?? []
  const where =
    model === undefined
      ? 'The table of model facts'
      : field === undefined
        ? `The facts of the model '${String(model)}'`
        : `The fact '${String(field)}' of the model '${String(model)}'`
  throw new CairnError('invalid-input', `${where} can't be used: ${reasonOf(issue)}.`)
}

/**
 * zod's reason as the second half of a sentence. Its full stop is left out; without one it says that it is not valid.
 */
const reasonOf = (issue: z.core.$ZodIssue | undefined): string => {
  const message = (issue?.message ?? 'it is not valid').replace(/\.$/, '')
  return message.slice(0, 1).toLowerCase() + message.slice(1)
}
