/** A Responses request taken apart: its items, and segments in the order in which prefixes are made of them. */
import { listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import type { Segment } from '../tokens.ts'
import { segmentOf } from './billing.ts'

export interface Item {
  readonly type: string
  readonly value: JsonObject
  /** As errors name it: `input[2]`. */
  readonly path: string
}

/** The items of a request's input, in order; a text is one message of the user. */
export const itemsOf = (body: JsonObject): Item[] => {
  if (typeof body.input === 'string')
    return [{ type: 'message', value: { role: 'user', content: body.input }, path: 'input[0]' }]
  return listOf(body.input).map((item, index) => {
    const value = objectOf(item)
    return { type: textOf(value.type) || 'message', value, path: `input[${index}]` }
  })
}

/** The parts of a message's content, in order; a text is one part. */
export const partsOf = ({ value, path }: Item): Item[] =>
  typeof value.content === 'string'
    ? [{ type: '', value: { text: value.content }, path: `${path}.content` }]
    : listOf(value.content).map((part, index) => ({
        type: textOf(objectOf(part).type),
        value: objectOf(part),
        path: `${path}.content[${index}]`,
      }))

/** The parts of a function's output that is a list; empty for a text. */
export const outputParts = ({ value, path }: Item): Item[] =>
  listOf(value.output).map((part, index) => ({
    type: textOf(objectOf(part).type),
    value: objectOf(part),
    path: `${path}.output[${index}]`,
  }))

/** What an item is to the model: its ids and status are nothing to it. */
const plainItem = ({ value }: Item): JsonObject => {
  const { id: _id, status: _status, ...rest } = value
  return rest
}

/** Everything that the model reads, in its order: tools, instructions, settings, then each item, or each part of it. */
export const segmentsOf = (body: JsonObject): Segment[] => [
  ...listOf(body.tools).map((tool) => ({ text: `tool:${JSON.stringify(tool)}` })),
  ...(typeof body.instructions === 'string' ? [{ text: `instructions:${body.instructions}` }] : []),
  { text: JSON.stringify([body.reasoning ?? null, objectOf(body.text).format ?? null]) },
  ...itemsOf(body).flatMap((item) => {
    if (item.type === 'message')
      return partsOf(item).map(({ value }) => segmentOf(textOf(item.value.role), value, body))
    const parts = outputParts(item)
    if (parts.length === 0) return [segmentOf(item.type, plainItem(item), body)]
    return parts.map(({ value }) => segmentOf(textOf(item.value.call_id), value, body))
  }),
]
