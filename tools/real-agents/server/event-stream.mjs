// Server-sent events, the form in which all four wires stream.

/**
 * Sends events and ends the response.
 * @param {import('node:http').ServerResponse} response
 * @param {readonly {event?: string, data: unknown}[]} events `data` is sent as JSON, a string as it is
 */
export function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`)
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  response.end()
}

/**
 * Sends a value as JSON and ends the response.
 * @param {import('node:http').ServerResponse} response
 */
export function sendJson(response, body, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
