/** Options of the commands that listen: `dashboard`, `gateway`, `mcp --http`, `otel`. */
import { CairnError } from '@cairn/core'
import { collecting, someText, wholeNumber } from './option-values.ts'

/** The address that only this machine can reach. */
export const LOOPBACK = '127.0.0.1'

const HIGHEST_PORT = 65_535
const HOST_NAME = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$|^[\da-f:.]+$/i

/**
 * Reads `--port`; 0 means any free one.
 * @throws CairnError `usage` if it is not a whole number up to 65,535
 */
export const portNumber = (text: string): number => {
  const port = wholeNumber('--port')(text)
  if (port > HIGHEST_PORT) throw new CairnError('usage', `--port takes a number up to ${HIGHEST_PORT}, not '${text}'.`)
  return port
}

/** Reads `--host`; throws CairnError `usage` for a blank text. */
export const hostAddress = someText('--host', 'an address')

/** Reads `--allowed-host`, which may be repeated; throws CairnError `usage` for a text that is no host name. */
export const allowedHosts = collecting((text) => {
  if (!HOST_NAME.test(text))
    throw new CairnError('usage', `--allowed-host takes a name or an address, perhaps with a port, not '${text}'.`)
  return text
})

/**
 * Returns one sentence of warning for a server that other machines can reach. `risk`: what the token allows, as it
 * follows "can".
 */
export const plainHttpWarning = (host: string, risk: string): string =>
  `It listens on ${host} by plain HTTP: the token and all that is sent can be read on the way, and who has the token can ${risk}.`

/** Returns the host as an address that a client on this machine can reach, IPv6 in brackets. */
export const reachableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
