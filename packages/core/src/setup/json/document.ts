/** Parses a settings file as its agent would, or says why the agent could not. */
import { positionText, refused } from '../outcome.ts'
import type { Refusal } from '../outcome.ts'
import type { JsonTarget } from '../target.ts'
import { isFault, parseDocument } from './parse.ts'
import type { SpliceInput } from './splice.ts'

/**
 * The parsed document of a settings file, or why it must be left alone: it is unreadable, not an object, or has a key
 * that the agent rejects. An empty text has no `root`. `name` is the agent's, for the sentence.
 */
export const readDocument = (text: string, { dialect }: JsonTarget, name: string): SpliceInput | Refusal => {
  const parsed = parseDocument(text, dialect)
  if (isFault(parsed))
    return refused(`${name} can't read it, as ${parsed.reason} (${positionText(text, parsed.offset)})`)
  const { root } = parsed
  if (root !== undefined && root.kind !== 'object')
    return refused(`it holds ${root.kind === 'array' ? 'a list' : 'a single value'} where ${name} expects an object`)
  const { rootKeys } = dialect
  const unknown = root?.members.find(({ key }) => rootKeys?.includes(key) === false)
  if (unknown !== undefined)
    return refused(`${name} can't read it, as it does not know the key ${JSON.stringify(unknown.key)}`)
  return { ...parsed, text }
}

/** Whether a result is a {@link Refusal}. */
export const isRefusal = (value: object): value is Refusal => 'kind' in value && value.kind === 'refused'
