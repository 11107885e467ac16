// A process that takes the secrets out of a folder's transcripts, line by line as an import does, and prints the CPU time of
// that alone, as JSON. Runs on the sources.
//   <folder>
import { readFileSync } from 'node:fs'
import { redact } from '@cairn/core'
import { filesBelow } from './transcripts.mjs'

let microseconds = 0
let replaced = 0
for (const file of filesBelow(process.argv[2])) {
  // Each decoded by itself: a line cut from a long text is slower to read.
  const lines = linesOf(readFileSync(file))
  const before = process.cpuUsage()
  for (const line of lines) replaced += redact(line).count
  const { user, system } = process.cpuUsage(before)
  microseconds += user + system
}
console.log(JSON.stringify({ cpuMs: microseconds / 1000, replaced }))

/**
 * The lines of a file, without empty ones.
 * @param {Buffer} bytes
 */
function linesOf(bytes) {
  const lines = []
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(10, start)
    const end = found < 0 ? bytes.length : found
    if (end > start) lines.push(bytes.toString('utf8', start, end))
    start = end + 1
  }
  return lines
}
