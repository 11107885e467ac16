import { createServer } from 'node:http'
import { expect, it } from '@jest/globals'
import { listen } from './listen.ts'

const answerTo = async (port: number): Promise<number> => (await fetch(`http://127.0.0.1:${port}/`)).status

it('a server whose system refused it a connection twice ended the process: it serves on', async () => {
  const server = createServer((_request, response) => response.writeHead(204).end())
  const port = await listen(server, '127.0.0.1', 0)
  try {
    // As Node does for each connection that can't be accepted, but for a lack of file descriptors.
    for (let times = 0; times < 3; times += 1)
      server.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }))
    expect(await answerTo(port)).toBe(204)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

it('says that a port is taken, and that another one may be named', async () => {
  const [first, second] = [createServer(), createServer()]
  const port = await listen(first, '127.0.0.1', 0)
  try {
    await expect(listen(second, '127.0.0.1', port)).rejects.toMatchObject({
      code: 'usage',
      message: `Port ${port} of 127.0.0.1 is taken; choose another with --port (0 takes a free one).`,
    })
  } finally {
    first.close()
  }
})
