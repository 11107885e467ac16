// Edits of recorded sessions, made by our own tool on the recorded text of the file: is the result what was recorded? Edits that
// were refused must be refused, and the message must show the lines that the model should have named.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { tmpdir } from 'node:os'
import { recordedEdits } from './recorded-edits.mjs'

const LEAST_SHARE = 0.99
const MISSES_TOLD = 20

/**
 * Makes recorded edits again with the tools of today.
 * @returns {Promise<import('./result.mjs').Result[]>} none where the recorded sessions are absent
 */
export async function edits({ most, log }) {
  const recorded = recordedEdits()
  if (recorded === undefined) {
    log('edits: skipped: the recorded sessions are not beside the repository')
    return []
  }
  const { createAgentTools } = await import('../../packages/core/src/node/agent-tools/index.ts')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-edits-')))
  try {
    const counts = new Map()
    for (const edit of recorded.edits.slice(0, most)) {
      const row = counts.get(edit.agent) ?? {
        made: 0,
        asRecorded: 0,
        refused: 0,
        alsoRefused: 0,
        known: 0,
        asSeenNext: 0,
        micros: [],
      }
      counts.set(edit.agent, row)
      await tryEdit(createAgentTools, folder, edit, row, log)
    }
    return resultsOf(counts, recorded.skipped, log)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let told = 0
const miss = (log, { agent, session, path }, why) => {
  told += 1
  if (told <= MISSES_TOLD) log(`edits: ${agent}, ${session}, ${posix.basename(path)}: ${why}`)
}

/**
 * Makes a recorded edit with the tools of today in a file of its own, and counts in `row` whether the result, or the
 * refusal, is as it was recorded.
 */
async function tryEdit(createAgentTools, folder, edit, row, log) {
  const name = posix.basename(edit.path.replaceAll('\\', '/'))
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, edit.before)
  const tools = new Map(createAgentTools({ roots: [folder] }).map((tool) => [tool.definition.name, tool]))
  const context = { sessionId: 's', callId: 'c', signal: new AbortController().signal, onOutput: () => undefined }
  await (await tools.get('read_file').prepare({ path: name }, context)).run()
  const started = performance.now()
  const problem = await attempt(tools.get('edit_file'), { path: name, edits: edit.edits }, context)
  row.micros.push((performance.now() - started) * 1_000)
  const after = readFileSync(file, 'utf8')
  rmSync(file)
  if (edit.refused !== undefined) {
    row.refused += 1
    if (problem !== undefined && after === edit.before) row.alsoRefused += 1
    else miss(log, edit, `was refused when it was recorded (${firstLine(edit.refused)}), and made now`)
    return
  }
  row.made += 1
  if (problem === undefined && edit.isAsRecorded(after)) row.asRecorded += 1
  else if (problem !== undefined) miss(log, edit, `refused: ${firstLine(problem)}`)
  else if (edit.isAsRecorded(withoutLineEnds(edit)))
    miss(log, edit, 'removes a text, and the line end behind it stays; it was recorded as removed, too')
  else miss(log, edit, 'gives another text than was recorded')
  if (edit.next === undefined) return
  row.known += 1
  if (after === edit.next) row.asSeenNext += 1
}

/** As Claude Code does it: a text that is removed takes the line end behind it along. */
const withoutLineEnds = ({ before, edits: made }) =>
  made.reduce(
    (text, { old_text: old, new_text: given }) => text.replace(given === '' ? `${old}\n` : old, () => given),
    before,
  )

const firstLine = (text) =>
  text
    .replace(/<[^>]*>/g, '')
    .split('\n')[0]
    .slice(0, 160)

/** What it was refused with; undefined when it was made. */
async function attempt(tool, input, context) {
  try {
    const outcome = await (await tool.prepare(input, context)).run()
    return outcome.isError === true ? outcome.content[0].text : undefined
  } catch (error) {
    return error.message
  }
}

/**
 * The results by agent, with the share of edits that came out as recorded; the time of an edit with its 95th
 * percentile.
 */
function resultsOf(counts, skipped, log) {
  for (const [why, count] of skipped) log(`edits: ${count} not tried: ${why}`)
  const results = []
  const total = { made: 0, asRecorded: 0 }
  for (const [agent, row] of counts) {
    total.made += row.made
    total.asRecorded += row.asRecorded
    results.push({ name: `${agent}: edits`, value: row.made, unit: 'count' })
    results.push({ name: `${agent}: same result`, value: row.asRecorded / Math.max(1, row.made), unit: 'ratio' })
    if (row.known > 0) {
      results.push({ name: `${agent}: file seen next`, value: row.known, unit: 'count' })
      results.push({ name: `${agent}: same bytes`, value: row.asSeenNext / row.known, unit: 'ratio' })
    }
    if (row.refused > 0) {
      results.push({ name: `${agent}: refused`, value: row.refused, unit: 'count' })
      results.push({ name: `${agent}: refused again`, value: row.alsoRefused / row.refused, unit: 'ratio' })
    }
  }
  const micros = [...counts.values()].flatMap((row) => row.micros).sort((left, right) => left - right)
  return [
    ...results,
    { name: 'recorded edits', value: total.made, unit: 'count', target: { least: 200 } },
    {
      name: 'recorded edits: same result',
      value: total.asRecorded / Math.max(1, total.made),
      unit: 'ratio',
      target: { least: LEAST_SHARE },
    },
    {
      name: 'an edit, with its file',
      value: (micros[micros.length >> 1] ?? 0) / 1_000,
      unit: 'ms',
      spread: (micros[Math.floor(micros.length * 0.95)] ?? 0) / 1_000,
    },
  ]
}
