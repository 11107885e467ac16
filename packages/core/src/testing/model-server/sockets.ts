/** Which connections are open. */
import type { Socket } from 'node:net'

const TIMEOUT_MS = 30_000

export const countSockets = () => {
  const sockets = new Set<Socket>()
  /** Called when a socket has closed. */
  const waiting = new Set<() => void>()
  return {
    add: (socket: Socket): void => {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('close', () => {
        sockets.delete(socket)
        for (const check of waiting) check()
      })
    },
    count: (): number => sockets.size,
    destroy: (): void => {
      for (const socket of sockets) socket.destroy()
    },
    untilNone: (timeoutMs = TIMEOUT_MS): Promise<void> =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (sockets.size > 0) return
          clearTimeout(timer)
          waiting.delete(check)
          resolve()
        }
        const timer = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`${sockets.size} sockets are still open`))
        }, timeoutMs)
        waiting.add(check)
        check()
      }),
  }
}
