// A folder with every known fault of a transcript: each is reported, and all valid lines are imported.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { cairn, cairnEnvironment, cairnCommand, cairnJson } from '../bench/cairn.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { run } from '../bench/processes.mjs'
import { filesBelow, transcripts } from '../bench/transcripts.mjs'
import { assertSound } from './state.mjs'

const MEGABYTE = 2 ** 20
const LONG_LINE_MEGABYTES = 64
const MOST_MEMORY = 350 * MEGABYTE

/**
 * Proves that each fault of a transcript is reported, and all valid lines are imported.
 * @type {import('./index.mjs').Check}
 */
export async function damaged({ log }) {
  const input = transcripts(3, { log })
  if (input === undefined) return 'skipped: there are neither real transcripts nor samples'
  const folder = scratchFolder('damaged')
  const project = join(folder, 'projects', '-work-damaged')
  mkdirSync(project, { recursive: true })
  const path = (name) => join(project, `${uuidOf(name)}.jsonl`)
  // Real sessions in three parts, each in a file of its own, under ids of their own.
  const lines = filesBelow(input.folder)
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
    .slice(0, 600)
    .filter(isGood)
  const part = (from, to, name) =>
    lines.slice(from, to).map((line) => line.replace(/"sessionId":"[^"]*"/, `"sessionId":"${uuidOf(name)}"`))

  const [whole, cut, long] = [part(0, 200, 'whole'), part(200, 400, 'cut'), part(400, 600, 'long')]
  writeFileSync(path('whole'), `${whole.join('\n')}\n`)
  const lastOfCut = cut.at(-1)
  writeFileSync(path('cut'), `${cut.slice(0, -1).join('\n')}\n${lastOfCut.slice(0, Math.floor(lastOfCut.length / 2))}`)
  await writeLong(path('long'), long)
  writeFileSync(path('empty'), '')
  writeFileSync(path('binary'), randomBytes(300_000))
  symlinkSync(join(folder, 'nowhere.jsonl'), path('dangling'))
  symlinkSync('/', path('root'))
  // Valid lines after a power failure, an overlong line, an unknown tail or a deep value.
  const behind = (name) => part(0, 20, name)
  const nested = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const deep = `{"type":"assistant","uuid":"deep","sessionId":"${uuidOf('deep')}","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Deep","input":${nested}}]}}`
  writeFileSync(path('nuls'), `${'\0'.repeat(4096)}"}\n${behind('nuls').join('\n')}\n`)
  writeFileSync(path('first'), `{"long":"${'x'.repeat(33 * MEGABYTE)}"}\n${behind('first').join('\n')}\n`)
  writeFileSync(
    `${path('tail')}.gz`,
    Buffer.concat([gzipSync(`${behind('tail').join('\n')}\n`), Buffer.from('no gzip')]),
  )
  writeFileSync(path('deep'), `${behind('deep').join('\n')}\n${deep}\n`)
  const shallow = deep.replace(nested, '{}')

  const good = `file:${join(folder, 'good.db')}`
  const reference = join(folder, 'reference', 'projects', '-work-damaged')
  mkdirSync(reference, { recursive: true })
  for (const [name, content] of [
    ['whole', whole],
    ['cut', cut.slice(0, -1)],
    ['long', long],
    ['nuls', behind('nuls')],
    ['first', behind('first')],
    ['tail', behind('tail')],
    ['deep', [...behind('deep'), shallow]],
  ])
    writeFileSync(join(reference, `${uuidOf(name)}.jsonl`), `${content.join('\n')}\n`)
  const expected = (
    await cairnJson(['import', '--agent', 'claude-code', '--from', join(folder, 'reference'), '--store', good])
  ).json

  const store = `file:${join(folder, 'damaged.db')}`
  const result = await run(
    cairnCommand(['import', '--agent', 'claude-code', '--from', join(folder, 'projects'), '--store', store, '--json']),
    { env: cairnEnvironment },
  )
  assert.equal(result.exitCode, 0, result.stderr)
  const report = JSON.parse(result.stdout)
  for (const count of ['sessions', 'messages', 'requests'])
    assert.equal(report[count], expected[count], `${count} of the good lines`)
  const reasons = {}
  for (const name of ['empty', 'binary', 'cut', 'long', 'dangling', 'root', 'nuls', 'first', 'tail', 'deep']) {
    const found = report.skipped.filter((skip) => skip.file === path(name) || skip.file === `${path(name)}.gz`)
    assert.ok(found.length > 0, `the file that is ${name} is not named in ${JSON.stringify(report.skipped)}`)
    reasons[name] = found
      .map(({ line, reason }) => `${reason}${line === undefined ? '' : ` (line ${line})`}`)
      .join('; ')
  }
  assert.equal(
    report.skipped.filter((skip) => skip.file === path('whole')).length,
    0,
    'the file without fault is named',
  )
  if (result.peakBytes !== null)
    assert.ok(result.peakBytes < MOST_MEMORY, `${(result.peakBytes / MEGABYTE).toFixed(0)} MB of memory`)
  await assertSound(store, 'damaged files')
  const deepId = `claude-code:${uuidOf('deep')}`
  for (const command of [
    ['session', 'show', deepId, '--full'],
    ['session', 'show', deepId, '--json'],
    ...['html', 'md', 'json'].map((format) => ['session', 'export', deepId, '--format', format]),
    ['context', 'show', deepId],
    ['replay', deepId],
    ['recall', 'deep', '--json'],
    ['doctor', '--rebuild'],
  ]) {
    const { exitCode, stderr } = await run(cairnCommand([...command, '--store', store]), { env: cairnEnvironment })
    assert.equal(exitCode, 0, `${command.join(' ')} on a deep value: ${stderr}`)
  }

  await cutLineIsTakenInWhenComplete(path('cut'), lastOfCut, project, store)
  rmSync(folder, { recursive: true, force: true })
  return `${report.messages} messages of the good lines, ${((result.peakBytes ?? 0) / MEGABYTE).toFixed(0)} MB; ${Object.entries(
    reasons,
  )
    .map(([name, reason]) => `${name}: ${reason}`)
    .join('; ')}`
}

/** The agent continues writing: a truncated line is read as soon as it is complete. */
async function cutLineIsTakenInWhenComplete(file, line, project, store) {
  writeFileSync(file, line.slice(Math.floor(line.length / 2)) + '\n', { flag: 'a' })
  const again = await cairn(['import', '--agent', 'claude-code', '--from', project, '--store', store, '--json'])
  const report = JSON.parse(again.stdout)
  assert.equal(report.skipped.filter((skip) => skip.file === file).length, 0, 'the completed line is still named')
  assert.ok(report.files >= 1, 'the completed file was not read again')
}

/** Half of the lines, an overlong one, the other half. */
async function writeLong(file, lines) {
  const stream = createWriteStream(file)
  const half = Math.floor(lines.length / 2)
  stream.write(`${lines.slice(0, half).join('\n')}\n{"type":"user","message":{"role":"user","content":"`)
  const piece = 'x'.repeat(MEGABYTE)
  for (let index = 0; index < LONG_LINE_MEGABYTES; index += 1) if (!stream.write(piece)) await once(stream, 'drain')
  stream.end(`"}}\n${lines.slice(half).join('\n')}\n`)
  await once(stream, 'close')
}

/** Whether a line is JSON, and not null. */
const isGood = (line) => {
  try {
    return JSON.parse(line) !== null
  } catch {
    return false
  }
}

/** A UUID made of a name: always the same. */
const uuidOf = (name) =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
