// Transcripts that grow, imported again and again: what an import said it took in is there, and the next one completes it.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInMemoryStore } from '@cairn/core/testing'
import { engineOver } from '../open-engine.mjs'

const FILES = 4

const folderOf = ({ folder }, process) => join(folder, 'transcripts', process)
const nameOf = (process, file) => `${process}-${file}`
const sessionOf = (process, file) => `claude-code:${nameOf(process, file)}`

/** A user's turn and its reply. */
function linesOf(process, file, turn) {
  const session = nameOf(process, file)
  const about = {
    sessionId: session,
    timestamp: new Date(1_760_000_000_000 + turn * 60_000).toISOString(),
    cwd: `/work/imports-${process}`,
    gitBranch: 'main',
  }
  const text = `turn ${turn} of ${session} ${'words and words '.repeat((turn * 13) % 90)}`
  const usage = {
    input_tokens: 5 + turn,
    cache_read_input_tokens: 1_000 + turn,
    cache_creation_input_tokens: 40,
    output_tokens: 50 + turn,
  }
  const reply = { id: `${session}-${turn}`, role: 'assistant', model: 'claude-sonnet-4-6', usage }
  return [
    { ...about, uuid: `${session}-${turn}-u`, type: 'user', message: { role: 'user', content: text } },
    {
      ...about,
      uuid: `${session}-${turn}-a`,
      type: 'assistant',
      message: { ...reply, content: [{ type: 'text', text: `reply to ${turn}` }] },
    },
  ]
}

/** Imports a folder of transcripts; rejects as the import does. */
const importAll = (engine, folder) =>
  engine.imports.run({
    from: [folder],
    agent: 'claude-code',
    environment: { home: folder, platform: 'linux', variables: {} },
  })

/**
 * Writes to transcripts and imports them; acknowledges what was imported. @type {import('./index.mjs').Writer['write']}
 */
async function write({ engine, scene, process, acknowledge, isOver }) {
  const folder = folderOf(scene, process)
  const project = join(folder, 'projects', '-work-imports')
  mkdirSync(project, { recursive: true })
  const turns = Array.from({ length: FILES }, () => 0)
  for (let count = 0; !isOver(); count += 1) {
    const file = count % FILES
    const lines = Array.from({ length: 1 + ((count * 7) % 30) }, () => linesOf(process, file, turns[file]++)).flat()
    appendFileSync(
      join(project, `${nameOf(process, file)}.jsonl`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    const { skipped } = await importAll(engine, folder)
    if (skipped.length > 0) throw new Error(`lines were left out: ${JSON.stringify(skipped[0])}`)
    await acknowledge({ turns: [...turns] })
  }
}

/**
 * Returns a sentence for each session with fewer messages than were acknowledged, or that the next import does not
 * complete. @type {import('./index.mjs').Writer['check']}
 */
async function check({ engine, scene, acknowledged, fresh }) {
  const faults = []
  for (const [process, records] of acknowledged) {
    if (records.length === 0) continue
    const { turns } = records.at(-1)
    for (const [file, count] of turns.entries()) {
      const session = await engine.store.sessions.get(sessionOf(process, file))
      if ((session?.messages ?? 0) < 2 * count)
        faults.push(
          `${2 * count} messages of ${sessionOf(process, file)} were acknowledged, and there are ${session?.messages}`,
        )
    }
    if (fresh.has(process)) faults.push(...(await completed(engine, scene, process)))
  }
  return faults
}

/**
 * The import that comes after a kill gives what an undisturbed one gives: runs both, and returns the faults, a text for
 * each session that differs.
 */
async function completed(engine, scene, process) {
  const folder = folderOf(scene, process)
  const undisturbed = engineOver(createInMemoryStore(), scene)
  await importAll(undisturbed, folder)
  await importAll(engine, folder)
  const faults = []
  for (let file = 0; file < FILES; file += 1) {
    const id = sessionOf(process, file)
    const [found, expected] = await Promise.all([contentOf(engine, id), contentOf(undisturbed, id)])
    if (found !== expected) faults.push(`the session ${id} is not as an undisturbed import makes it`)
  }
  await undisturbed.close()
  return faults
}

/** All that the store has of a session, as a text. */
async function contentOf({ store }, id) {
  const requests = await store.usage.requests(id)
  const costs = requests.map(({ callId, inputTokens, outputTokens, costNano }) => [
    callId,
    inputTokens,
    outputTokens,
    String(costNano),
  ])
  return JSON.stringify([await store.sessions.read(id), costs.sort()])
}

export const imports = { write, check }
