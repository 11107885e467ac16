/** What the bodies of both of OpenAI's APIs are made of. */
import { isJsonObject, type JsonValue } from '../../json.ts'
import type { OtherBlock } from '../../messages.ts'

const LONGEST_ID = 64

/** The id of a call; other providers' may be longer than what is taken. */
export const callIdOf = (id: string): string => (id.length > LONGEST_ID ? id.slice(-LONGEST_ID) : id)

/** Arguments are text: as the model wrote them, where that was kept. */
export const argumentsText = (input: JsonValue): string => (typeof input === 'string' ? input : JSON.stringify(input))

const LONGEST_VALUE = 2000

/** A block of another API as a text that says what it was, with its long values cut. */
export const otherText = ({ value }: OtherBlock): string => {
  const { type, ...rest } = isJsonObject(value) ? value : { type: undefined, value }
  const text = JSON.stringify(rest, (_key, inner: unknown) =>
    typeof inner === 'string' && inner.length > LONGEST_VALUE ? `(${inner.length} characters left out)` : inner,
  )
  return `[${typeof type === 'string' ? type : 'a block without a type'}: ${text}]`
}
