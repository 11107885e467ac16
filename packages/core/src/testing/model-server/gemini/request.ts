/** A generateContent request taken apart: its contents, and segments in the order in which prefixes are made of them. */
import { listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import type { Segment } from '../tokens.ts'

interface Part {
  readonly value: JsonObject
  readonly path: string
}

export interface Content {
  readonly role: string
  readonly parts: readonly Part[]
  readonly path: string
}

/** What is asked: a count may have the whole request in a field of its own. Else the body itself. */
export const requestOf = (body: JsonObject): JsonObject =>
  body.generateContentRequest === undefined ? body : objectOf(body.generateContentRequest)

/** The contents of a request, in order; one without a role is the user's. */
export const contentsOf = (body: JsonObject): Content[] =>
  listOf(requestOf(body).contents).map((content, index) => {
    const path = `contents[${index}]`
    return {
      role: textOf(objectOf(content).role) || 'user',
      parts: listOf(objectOf(content).parts).map((part, at) => ({
        value: objectOf(part),
        path: `${path}.parts[${at}]`,
      })),
      path,
    }
  })

/** The functions that a request declares, of all its tools, in order. */
export const declarationsOf = (body: JsonObject): JsonObject[] =>
  listOf(requestOf(body).tools).flatMap((tool) => listOf(objectOf(tool).functionDeclarations).map(objectOf))

/** Everything that the model reads, in its order: functions, system prompt, schema of the reply, contents. */
export const segmentsOf = (body: JsonObject): Segment[] => {
  const { systemInstruction, generationConfig } = requestOf(body)
  return [
    ...declarationsOf(body).map((declaration) => ({ text: `tool:${JSON.stringify(declaration)}` })),
    ...(systemInstruction === undefined ? [] : [{ text: `system:${JSON.stringify(systemInstruction)}` }]),
    { text: JSON.stringify(objectOf(generationConfig).responseJsonSchema ?? null) },
    ...contentsOf(body).flatMap(({ role, parts }) =>
      parts.map(({ value }) => ({ text: `${role}:${JSON.stringify(value)}` })),
    ),
  ]
}
