/** What a provider demands of a request's body, as rules with reasons. */
import { isJsonObject, objectOf, type JsonObject, type JsonValue, arrayOf } from '../../json.ts'
import { ModelError } from '../../ports/language-model.ts'

/** A rule that a body breaks. */
export interface WireProblem {
  /** The rule's name. */
  readonly rule: string
  /** One sentence without its full stop. */
  readonly reason: string
}

/** Gives a reason for each place where a body breaks the rule. */
export type WireRule = (body: JsonObject) => Iterable<string>

/**
 * What each rule says against a body, a problem for each reason, with the rule's name, in the order of the rules; empty
 * when none says anything.
 */
export const checkRules = (rules: Readonly<Record<string, WireRule>>, body: JsonObject): readonly WireProblem[] =>
  Object.entries(rules).flatMap(([rule, check]) => [...check(body)].map((reason) => ({ rule, reason })))

/**
 * Refuses a body that the provider would refuse, before anything is sent: does nothing without problems, else the error
 * names the first and counts the rest. @throws ModelError `bad-request`
 */
export const assertRules = (problems: readonly WireProblem[], provider: string): void => {
  const [first] = problems
  if (first === undefined) return
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  throw new ModelError('bad-request', `${provider} would refuse the request: ${first.reason}${more}; nothing was sent.`)
}

/** The objects of a list; what is no object counts as an empty one, so that indexes stay. Empty for what is no list. */
export const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] => arrayOf(value).map(objectOf)

/** Bytes of a body as it is sent: its JSON in UTF-8. */
export const bodyBytes = (body: JsonObject): number => new TextEncoder().encode(JSON.stringify(body)).length

/**
 * Every object in a value, however deep, that has this property, in the order of the text; the value itself included.
 * Lists are looked into.
 */
export function* objectsWith(name: string, value: JsonValue | undefined): Generator<JsonObject> {
  const left: (JsonValue | undefined)[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isJsonObject(next) && next[name] !== undefined) yield next
    left.push(...Object.values(next as JsonObject).reverse())
  }
}
