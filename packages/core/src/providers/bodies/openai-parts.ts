/** What the bodies of both of OpenAI's APIs are made of. */
import type { JsonValue } from '../../json.ts'

const LONGEST_ID = 64

/**
 * The id of a call as OpenAI's API takes it: of one of over `LONGEST_ID` characters, the end. The same id always gives
 * the same.
 */
export const callIdOf = (id: string): string => (id.length > LONGEST_ID ? id.slice(-LONGEST_ID) : id)

/** A call's arguments as JSON text. Text is passed on as it is: it was kept because it could not be parsed. */
export const argumentsText = (input: JsonValue): string => (typeof input === 'string' ? input : JSON.stringify(input))
