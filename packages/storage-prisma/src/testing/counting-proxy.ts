/** Stands between a store and its PostgreSQL server, and counts how often the one waits for the other. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface CountingProxy {
  /** The address of the same database through the proxy. */
  readonly address: string
  /** Counts from 0 again. */
  reset(): void
  /** The most round trips of one connection since. */
  most(): number
  /** Ends all connections. */
  close(): Promise<void>
}

interface Connection {
  readonly ends: readonly [Socket, Socket]
  trips: number
  /** Who spoke last. */
  last: 'store' | 'server'
}

/** An answer takes so long: what the store sends without waiting for it has arrived by then. */
const LATENCY_MS = 25

/**
 * Starts a proxy before the server of an address; a round trip is counted where the store speaks after the server has.
 * The server's answers are delayed by `LATENCY_MS`. `most` is the number of round trips of the connection with the
 * most.
 */
export const startCountingProxy = async (address: string): Promise<CountingProxy> => {
  const url = new URL(address)
  const connections = new Set<Connection>()
  const server = createServer((store) => {
    const upstream = connect(Number(url.port), url.hostname)
    const connection: Connection = { ends: [store, upstream], trips: 0, last: 'server' }
    connections.add(connection)
    store.on('data', (data) => {
      if (connection.last === 'server') connection.trips += 1
      connection.last = 'store'
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      setTimeout(() => {
        connection.last = 'server'
        store.write(data)
      }, LATENCY_MS)
    })
    for (const [from, to] of [
      [store, upstream],
      [upstream, store],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String((server.address() as AddressInfo).port)
  return {
    address: own.href,
    reset: () => {
      for (const connection of connections) connection.trips = 0
    },
    most: () => Math.max(0, ...[...connections].map(({ trips }) => trips)),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const { ends } of connections) for (const end of ends) end.destroy()
      await closed
    },
  }
}
