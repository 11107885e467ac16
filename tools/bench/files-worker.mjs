// Fills a store with sessions whose tools edit and read files, or lists those files over and over. Run as a script by
// `files.mjs`: node --conditions=@cairn/source files-worker.mjs fill <store> <sessions> | list <store> <runs>
import { renameSync } from 'node:fs'
import { openStore } from '@cairn/storage-prisma'
import { removeStore } from './import-speed.mjs'
import { randomNumbers } from './numbers.mjs'

/** Edits of a session: so many messages with so many each. */
const MESSAGES = 30
const EDITS_PER_MESSAGE = 5
const PROJECTS = 12
/** Few files of a project are edited most. */
const FILES_PER_PROJECT = 1_500
const START = Date.UTC(2025, 0, 1)
const HOUR_MS = 3_600_000

const [task, path = '', countText = ''] = process.argv.slice(2)
// A fill that breaks off leaves nothing that counts as a store.
const made = `${path}.tmp`
if (task === 'fill') removeStore(made)
const store = await openStore(`file:${task === 'fill' ? made : path}`)
try {
  if (task === 'fill') await fill(Number(countText))
  else process.stdout.write(JSON.stringify(await timesOf(Number(countText))))
} finally {
  await store.close()
}
if (task === 'fill') renameSync(made, path)

async function fill(sessions) {
  const random = randomNumbers(11)
  for (let number = 0; number < sessions; number += 1) {
    const project = Math.floor(random() ** 2 * PROJECTS)
    const at = START + number * 5 * HOUR_MS
    const writes = Array.from({ length: MESSAGES }, (_, index) => ({
      entry: {
        kind: 'message',
        id: `m${index}`,
        at: at + index * 90_000,
        role: 'assistant',
        content: Array.from({ length: EDITS_PER_MESSAGE }, (_unused, call) => callOf(project, index, call, random)),
      },
    }))
    const result = await store.sessions.append(
      {
        id: `claude-code:${number}`,
        agent: 'claude-code',
        externalId: String(number),
        workspace: `/work/project-${project}`,
        branch: number % 3 === 0 ? 'main' : `feature/${number % 40}`,
      },
      0,
      writes,
    )
    if (!result.ok) throw new Error(`session ${number} is there already`)
  }
}

/** One of ten calls reads a file; a third of the paths are whole. */
function callOf(project, index, call, random) {
  const file = Math.floor(random() ** 3 * FILES_PER_PROJECT)
  const relative = `packages/part-${file % 23}/src/folder-${file % 7}/file-${file}.ts`
  return {
    type: 'tool_call',
    id: `call-${index}-${call}`,
    name: random() < 0.1 ? 'Read' : 'Edit',
    input: { file_path: random() < 0.33 ? `/work/project-${project}/${relative}` : relative, new_string: 'x' },
  }
}

/** The first list of a process, which reads the index, and then `runs` of each kind; ms. */
async function timesOf(runs) {
  const queries = {
    'all, by edits': { limit: 20 },
    'all, by last edit': { sort: 'last', limit: 50, offset: 500 },
    'with a word of the path': { text: 'folder-3 file-1', limit: 20 },
    'of a folder': { workspace: '/work/project-1', limit: 20 },
    'of a branch': { branch: 'main', limit: 20 },
    'of 30 days': { since: START + 5_000 * HOUR_MS, until: START + 5_720 * HOUR_MS, limit: 20 },
  }
  const begun = performance.now()
  const cpuBegun = process.cpuUsage()
  const { total } = await store.search.files({ limit: 20 })
  const first = { by: 'the first of a process', ms: [performance.now() - begun], cpu: [cpuSince(cpuBegun)], total }
  const found = [first]
  for (const [by, query] of Object.entries(queries)) {
    const [ms, cpu] = [[], []]
    for (let run = 0; run < runs; run += 1) {
      const startedAt = performance.now()
      const before = process.cpuUsage()
      await store.search.files(query)
      ms.push(performance.now() - startedAt)
      cpu.push(cpuSince(before))
    }
    found.push({ by, ms, cpu })
  }
  return found
}

function cpuSince(before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
