/** A thread that reads ahead, and ends in the middle of it. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FromReader, ReadingSetting, ToReader } from '../import-threads/messages.ts'
import { serveReading } from '../import-threads/serve-reading.ts'

const port = parentPort
/** Messages that it still sends. */
let left = 9
if (port !== null)
  serveReading(
    {
      on: (event, listen: (message: ToReader) => void) => port.on(event, listen),
      postMessage: (message: FromReader) => {
        left -= 1
        if (left === 0) process.exit(1)
        port.postMessage(message)
      },
      close: () => port.close(),
    },
    workerData as ReadingSetting,
  )
