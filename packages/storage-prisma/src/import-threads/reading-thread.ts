/** The program of a reading thread: reads, redacts, parses and prepares files, one after the other; it has no database. */
import { parentPort, workerData } from 'node:worker_threads'
import { serveReading } from './serve-reading.ts'
import type { ReadingSetting } from './messages.ts'

if (parentPort !== null) serveReading(parentPort, workerData as ReadingSetting)
