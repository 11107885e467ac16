/** Where the dashboard listens, and under which addresses it can be opened. */
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { CairnError } from '@cairn/core'
import { neutraliseLine } from '../terminal/neutralise.ts'

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Whether only this machine can reach a server that listens on this host; false for names other than `localhost`. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host)

/**
 * Resolves if a server can listen on the host; rejects with `usage` if not. Called before anything is built or started;
 * nothing listens afterwards.
 */
export const assertOwnAddress = (host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause) =>
      reject(
        new CairnError('usage', `--host takes an address of this machine, not '${neutraliseLine(host)}'.`, { cause }),
      ),
    )
    server.listen(0, host, () => server.close(() => resolve()))
  })

/** An address of a network interface. */
interface InterfaceAddress {
  readonly address: string
  readonly family: string
  readonly internal: boolean
}

/** The addresses of this machine's network interfaces. */
const ofMachine = (): readonly InterfaceAddress[] => Object.values(networkInterfaces()).flatMap((all) => all ?? [])

/**
 * Returns the URLs to open, the one that works on this machine first: `url` and, if the server listens on all
 * addresses, the same with each of the machine's own.
 * @param url the server's, with its token
 * @param host what the server was told to listen on
 */
export const openableUrls = (
  url: string,
  host: string,
  interfaces: readonly InterfaceAddress[] = ofMachine(),
): readonly string[] => {
  if (!WILDCARDS.has(host)) return [url]
  const reachable = interfaces.filter(
    ({ address, family, internal }) =>
      !internal && !address.startsWith('fe80:') && (host === '::' || family === 'IPv4'),
  )
  const others = reachable.map(({ address, family }) => {
    const other = new URL(url)
    other.hostname = family === 'IPv6' ? `[${address}]` : address
    return other.href
  })
  return [url, ...others]
}
