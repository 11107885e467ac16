import { describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { BatchingSocket } from './batching-socket.ts'

describe('a socket that sends a turn’s writes together', () => {
  it('keeps them until the microtasks have run, and sends all in their order', async () => {
    let received = ''
    const server = createServer((peer) => {
      peer.setEncoding('utf8').on('data', (text: string) => (received += text))
      peer.on('end', () => peer.end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const socket = new BatchingSocket()
    try {
      socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
      await once(socket, 'connect')
      const write = (text: string): void => {
        socket.cork()
        socket.write(text)
        socket.uncork()
      }
      const beforeAny = socket.bytesWritten
      write('first ')
      await Promise.resolve()
      write('second ')
      await Promise.resolve()
      expect([socket.writableCorked, socket.writableLength, socket.bytesWritten - beforeAny]).toEqual([1, 13, 13])
      await new Promise((resolve) => setImmediate(resolve))
      expect(socket.writableCorked).toBe(0)
      // Without a cork it is sent as ever, also behind what was kept.
      write('third ')
      socket.end('fourth')
      await once(socket.resume(), 'close')
      expect(received).toBe('first second third fourth')
    } finally {
      socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
