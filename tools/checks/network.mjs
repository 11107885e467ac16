// A network that fails: a TCP proxy on loopback, whose connections are dropped when a check says so.
import { connect, createServer } from 'node:net'

/**
 * Passes connections on to a port of this machine.
 * @param {number} firstTarget
 * @returns {Promise<{ port: number, connections: () => number, cut: () => number, lead: (port: number) => void, close: () => Promise<void> }>}
 *   `connections`: how many are open; `cut`: drops them all, without a farewell, and says how many they were; `lead`: new
 *   ones are passed to another port, and open ones dropped
 */
export async function failingNetwork(firstTarget) {
  let target = firstTarget
  const open = new Set()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    const pair = [client, upstream]
    const drop = () => {
      open.delete(drop)
      for (const socket of pair) if (!socket.destroyed) socket.resetAndDestroy()
    }
    open.add(drop)
    for (const socket of pair) {
      // Of the other side's reset nobody needs to be told: its own end is dropped.
      socket.on('error', drop)
      socket.on('close', drop)
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = () => {
    const dropped = open.size
    for (const drop of [...open]) drop()
    return dropped
  }
  return {
    port: server.address().port,
    connections: () => open.size,
    cut,
    lead: (port) => {
      target = port
      cut()
    },
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
