// A process that works with checkpoints of a folder, and prints how long that took, without its own start, as JSON.
//   <work: nothing | create | restore> <root> <data folder> [<path>…, where it is known what changed]
import { createSnapshotRepository } from '@cairn/core/node/checkpoints'

const [work, root, dataFolder, ...paths] = process.argv.slice(2)
const options = paths.length === 0 ? {} : { paths }
const snapshots = createSnapshotRepository({ dataFolder, home: '/nonexistent' })
const started = Date.now()
let made = 0
const request = (kind = 'manual') => ({
  id: `${started}-${(made += 1)}`,
  sessionId: null,
  at: started + made,
  kind,
  label: null,
})

const walls = []
/** Does it, and notes how many ms it took. */
const timed = async (action) => {
  const before = performance.now()
  const result = await action()
  walls.push(performance.now() - before)
  return result
}

if (work === 'create') await timed(() => snapshots.capture(root, request(), options))
if (work === 'restore') {
  const newest = (await snapshots.list(root)).find(({ kind }) => kind === 'manual')
  const { restored, untouched } = await timed(() => snapshots.restore(root, newest, request('before-restore'), options))
  if (restored === 0 || untouched.length > 0) throw new Error(`restored ${restored} files, left ${untouched.length}`)
}
console.log(JSON.stringify({ walls }))
