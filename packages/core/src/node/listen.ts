/** Begins to listen, for servers on this machine. */
import type { Server } from 'node:http'
import { CairnError } from '../errors.ts'

/**
 * Has a server listen; resolves with the port, which for 0 is a free one. Rejects with `usage` where it can't: the port
 * is taken, the address is not this machine's, or any other reason. Connections that can't be accepted later are lost
 * without a word, and the server goes on.
 */
export const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    // For good: while it listens each connection that can't be accepted (no memory for it) is such an error.
    server.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new CairnError(
          'usage',
          cause.code === 'EADDRINUSE'
            ? `Port ${port} of ${host} is taken; choose another with --port (0 takes a free one).`
            : `It can't listen on ${host}, port ${port}: ${cause.message}.`,
          { cause },
        ),
      ),
    )
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
