// Entries of a workspace's memory, added and changed by all processes at once; former versions stay.
const WORKSPACE = '/work/memory'
/** One write in so many changes an earlier entry. */
const UPDATE_EVERY = 3

const textOf = (process, count, version) =>
  `Process ${process} learnt fact ${count}: version ${version} ${'needs a longer explanation '.repeat(count % 9)}`.trim()
const exampleOf = (process, count) => `src/${process}.ts:${count + 1}`

/** Adds entries and updates some; acknowledges each version. @type {import('./index.mjs').Writer['write']} */
async function write({ engine, process, acknowledge, isOver, random }) {
  /** The last version of each entry. */
  const known = []
  for (let turn = 0; !isOver(); turn += 1) {
    if (turn % UPDATE_EVERY === UPDATE_EVERY - 1) {
      const count = Math.floor(random() * known.length)
      const { id, version } = known[count]
      await engine.memory.update(id, { text: textOf(process, count, version + 1) })
      known[count] = { id, version: version + 1 }
      await acknowledge({ id, count, version: version + 1 })
      continue
    }
    const count = known.length
    const { entry } = await engine.memory.add({
      workspace: WORKSPACE,
      kind: 'discovery',
      text: textOf(process, count, 0),
      examples: [exampleOf(process, count)],
    })
    known.push({ id: entry.id, version: 0 })
    await acknowledge({ id: entry.id, count, version: 0 })
  }
}

/**
 * Returns a sentence for each entry that is not whole, or whose acknowledged version is gone. @type
 * {import('./index.mjs').Writer['check']}
 */
async function check({ engine, acknowledged, fresh }) {
  const faults = []
  const entries = new Map((await engine.store.memory.list(WORKSPACE)).map((entry) => [entry.id, entry]))
  for (const { id, text, examples } of entries.values()) {
    const [, process = '', count = '', version = ''] =
      /^Process (\S+) learnt fact (\d+): version (\d+)/.exec(text) ?? []
    const isWhole = text === textOf(process, Number(count), Number(version))
    if (!isWhole || examples.join() !== exampleOf(process, Number(count)))
      faults.push(`half an entry: ${id} says "${text}"`)
  }
  let added = 0
  for (const [process, records] of acknowledged) {
    added += records.filter(({ version }) => version === 0).length
    const newest = new Map(records.map((record) => [record.id, record]))
    for (const { id, count, version } of newest.values()) {
      const text = entries.get(id)?.text
      // The next version may have been written, and nobody was told of it any more.
      if (text !== textOf(process, count, version) && text !== textOf(process, count, version + 1))
        faults.push(`version ${version} of entry ${id} was acknowledged, and there is "${text}"`)
      if (!fresh.has(process)) continue
      const former = (await engine.store.memory.history(id)).map((each) => each.entry.text)
      for (let each = 0; each <= version; each += 1)
        if (former[each] !== textOf(process, count, each)) faults.push(`version ${each} of entry ${id} is gone`)
    }
  }
  if (entries.size < added || entries.size > added + acknowledged.size)
    faults.push(`${added} entries were acknowledged, and there are ${entries.size}`)
  return faults
}

export const memory = { write, check }
