// A process that works with checkpoints of a folder, and prints how long that took, without its own start, as JSON.
//   <work: nothing | create | restore> <root> <data folder> [<times>, for create]
import { createSnapshotRepository } from '@cairn/core/node/checkpoints'

const [work, root, dataFolder, times = '1'] = process.argv.slice(2)
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
const timed = async (action) => {
  const before = performance.now()
  const result = await action()
  walls.push(performance.now() - before)
  return result
}

if (work === 'create')
  for (let index = 0; index < Number(times); index += 1) await timed(() => snapshots.capture(root, request()))
if (work === 'restore') {
  const [newest] = await snapshots.list(root)
  await timed(() => snapshots.restore(root, newest, request('before-restore')))
}
console.log(JSON.stringify({ walls }))
