// Watches files that are written to all the time, and measures how soon each change is told; then what is left behind.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createFileAttribution } from '@cairn/core/node/watching'

const [folder, files, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]
const WRITE_EACH_MS = 10
const PER_FOLDER = 50

/** The file descriptors of this process that watch files. */
const inotifyDescriptors = () =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).includes('inotify')
    } catch {
      return false
    }
  })
/** How many files and folders this process watches. */
const watches = () =>
  inotifyDescriptors().reduce(
    (sum, name) => sum + readFileSync(`/proc/self/fdinfo/${name}`, 'utf8').split('\ninotify ').length - 1,
    0,
  )
const hashOf = (text) => createHash('sha256').update(text).digest('hex')

const before = watches()
const paths = Array.from({ length: files }, (_, index) =>
  join(folder, `d${Math.floor(index / PER_FOLDER)}`, `f${index}`),
)
for (const path of paths) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, 'first\n')
}
const told = new Map()
const writtenAt = new Map()
const latencies = []
const eventLatencies = []
const attribution = createFileAttribution({
  onEvent: (path) => {
    const written = writtenAt.get(path)
    // Only the first event of a write: a look at the file's facts may tell of it once more.
    if (written === undefined || written.hasEvent) return
    written.hasEvent = true
    eventLatencies.push(performance.now() - written.at)
  },
  onChange: ({ path, hash }) => {
    told.set(path, hash)
    const written = writtenAt.get(path)
    if (written !== undefined && written.hash === hash) latencies.push(performance.now() - written.at)
  },
})
const cpuBefore = process.cpuUsage()
for (let start = 0; start < paths.length; start += 100)
  await Promise.all(paths.slice(start, start + 100).map((path) => attribution.track(path)))
const ready = process.cpuUsage(cpuBefore)
await wait(1_000)
const watched = watches()

const end = performance.now() + seconds * 1000
let writes = 0
while (performance.now() < end) {
  const path = paths[(writes * 7919) % paths.length]
  const text = `write ${writes}\n`
  writeFileSync(path, text)
  writtenAt.set(path, { at: performance.now(), hash: hashOf(text), hasEvent: false })
  writes += 1
  await wait(WRITE_EACH_MS)
}
const patience = performance.now() + 20_000
/** How many files ended with a content that was not told. */
const missed = () => [...writtenAt].filter(([path, { hash }]) => told.get(path) !== hash).length
while (missed() > 0 && performance.now() < patience) await wait(20)
const lost = missed()
await attribution.close()
await wait(50)
console.log(
  JSON.stringify({
    writes,
    missed: lost,
    latencies,
    eventLatencies,
    watched,
    left: watches() - before,
    readyCpuMs: (ready.user + ready.system) / 1000,
  }),
)
