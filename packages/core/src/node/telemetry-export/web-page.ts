/** Whether an address is a collector's: web servers answer any request well, and exporters do not look at the answer. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'

/** Node tells there of every response that this process gets. */
const RESPONSES = 'http.client.response.finish'

export interface WebPageWatch {
  /** Whether a request to the address was answered well, and with a web page. */
  readonly wasAnswered: boolean
  /** Has to be called, or the watch goes on for as long as the process. */
  end(): void
}

/**
 * Looks at the answers to all requests to an address (`http:` or `https:`) from now on, whoever makes them. `end` stops
 * looking; what was seen stays.
 */
export const watchForWebPage = (address: string): WebPageWatch => {
  const { host, pathname } = new URL(address)
  let wasAnswered = false
  const look = (message: unknown): void => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage }
    const isOurs = request.getHeader('host') === host && request.path.split('?')[0] === pathname
    if (isOurs && isGood(response) && /^text\/html\b/i.test(response.headers['content-type'] ?? '')) wasAnswered = true
  }
  subscribe(RESPONSES, look)
  return {
    get wasAnswered() {
      return wasAnswered
    },
    end: () => void unsubscribe(RESPONSES, look),
  }
}

const isGood = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300
