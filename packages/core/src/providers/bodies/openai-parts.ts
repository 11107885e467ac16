/** What the bodies of both of OpenAI's APIs are made of. */
import type { JsonValue } from '../../json.ts'

const LONGEST_ID = 64

/** The id of a call; other providers' may be longer than what is taken. */
export const callIdOf = (id: string): string => (id.length > LONGEST_ID ? id.slice(-LONGEST_ID) : id)

/** Arguments are text: as the model wrote them, where that was kept. */
export const argumentsText = (input: JsonValue): string => (typeof input === 'string' ? input : JSON.stringify(input))
