/** Which connections are open, and how many requests are in hand. */
import type { Socket } from 'node:net'

const TIMEOUT_MS = 30_000

/**
 * Counts the open sockets of a server and the requests in hand; `untilNone` rejects after `timeoutMs` with both
 * counts.
 */
export const countSockets = () => {
  const sockets = new Set<Socket>()
  /** Called when a socket has closed. */
  const waiting = new Set<() => void>()
  /** Requests whose handling has not ended. */
  let handled = 0
  const changed = (): void => {
    for (const check of waiting) check()
  }
  return {
    /** Counts the handling of a request. */
    handle: async (handling: Promise<void>): Promise<void> => {
      handled += 1
      await handling
      handled -= 1
      changed()
    },
    add: (socket: Socket): void => {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('close', () => {
        sockets.delete(socket)
        changed()
      })
    },
    count: (): number => sockets.size,
    destroy: (): void => {
      for (const socket of sockets) socket.destroy()
    },
    untilNone: (timeoutMs = TIMEOUT_MS): Promise<void> =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (sockets.size + handled > 0) return
          clearTimeout(timer)
          waiting.delete(check)
          resolve()
        }
        const timer = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`${sockets.size} sockets are still open, and ${handled} requests in hand`))
        }, timeoutMs)
        waiting.add(check)
        check()
      }),
  }
}
