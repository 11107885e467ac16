/** Asks the server by bare fetch, and reads what comes. */
import type { JsonObject } from './json.ts'
import type { ModelServer } from './server.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A POST with the test key in each wire's header. */
export const post = (server: ModelServer, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      authorization: 'Bearer test-key',
      'x-goog-api-key': 'test-key',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export const ask = async (
  server: ModelServer,
  path: string,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => {
  const response = await post(server, path, body, headers)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The events of a body: the data of each, parsed where it is JSON. */
export const eventsOf = (text: string): JsonObject[] =>
  text
    .split(/\r?\n\r?\n/)
    .map((part) => /^data: (.*)$/m.exec(part.replaceAll('\r', ''))?.[1])
    .filter((data) => data !== undefined && data !== '[DONE]')
    .map((data) => JSON.parse(data ?? '') as JsonObject)

/** The value at a path: `error.message`, `content.0.text`. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value)

export const jsonOf = (answer: Answer): JsonObject => JSON.parse(answer.text) as JsonObject
