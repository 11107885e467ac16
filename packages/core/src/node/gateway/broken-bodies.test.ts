/** Bodies that break off or are damaged before anybody asks for them. */
import { expect, it } from '@jest/globals'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { readWhole } from './body-copy.ts'
import { ReplyCopy } from './reply-copy.ts'

it('a body whose client was gone before it was read was waited for without end', async () => {
  const gone = new PassThrough()
  gone.destroy()
  await once(gone, 'close')
  expect(await readWhole(gone)).toEqual({ chunks: [], isWhole: false })
  const over = Readable.from([Buffer.from('all of it')])
  expect(Buffer.concat((await readWhole(over)).chunks).toString()).toBe('all of it')
  expect(await readWhole(over)).toEqual({ chunks: [], isWhole: false })
})

it('a packed reply that was damaged before its end was waited for without end', async () => {
  const events = `data: {"type":"message_start","message":{"id":"m1","model":"a"}}\n\n${'data: {"type":"ping"}\n\n'.repeat(300)}`
  const packed = gzipSync(events)
  for (const bytes of [
    Buffer.from('no gzip at all'),
    Buffer.concat([packed.subarray(0, 40), Buffer.alloc(60, 0xff)]),
  ]) {
    const copy = new ReplyCopy('anthropic', 0, () => 1)
    copy.head({ statusCode: 200, headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' } })
    copy.take(bytes)
    // The unpacking has failed by the time of the next bytes.
    await new Promise((resolve) => setTimeout(resolve, 50))
    copy.take(bytes)
    expect(await copy.end(undefined, 2)).toMatchObject({ status: 200, error: { code: 'cut-off' } })
  }
})
