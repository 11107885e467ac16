// Every line of a transcript comes back byte for byte from the store, and every block of its messages unchanged;
// only secrets are replaced, and then the line says so.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cairnJson } from '../bench/cairn.mjs'
import { dataFolder, samplesFolder, scratchFolder } from '../bench/paths.mjs'

const REDACTED = '[redacted:'

/**
 * Proves that every line and block comes back as it was, but for secrets.
 * @type {import('./index.mjs').Check}
 */
export async function raw() {
  const data = dataFolder()
  const inputs =
    data === undefined
      ? [
          ['claude-code', join(samplesFolder, 'claude-code')],
          ['pi', join(samplesFolder, 'pi')],
        ]
      : [
          ['claude-code', join(data, 'transcripts', 'claude')],
          ['codex', join(data, 'transcripts', 'codex')],
        ]
  const folder = scratchFolder('raw')
  const store = `file:${join(folder, 'raw.db')}`
  const counts = { lines: 0, bytes: 0, blocks: 0, redacted: 0 }
  for (const [agent, from] of inputs) {
    if (!existsSync(from)) return 'skipped: there are neither real transcripts nor samples'
    await cairnJson(['import', '--agent', agent, '--from', from, '--store', store])
  }
  const { sessions } = (await cairnJson(['session', 'list', '--limit', '100000', '--store', store])).json
  const files = new Map()
  for (const { id, agent } of sessions) {
    const exported = (await cairnJson(['session', 'export', id, '--format', 'json', '--store', store])).json
    checkLines(exported, files, counts)
    if (agent === 'claude-code') checkBlocks(exported, counts)
  }
  for (const [file, { lines, seen }] of files) {
    assert.deepEqual(
      lines.flatMap((line, index) => (seen.has(index) || line.length === 0 ? [] : [index + 1])),
      [],
      `${file}: lines that no session's export holds`,
    )
  }
  rmSync(folder, { recursive: true, force: true })
  return `${counts.lines} lines (${(counts.bytes / 1e6).toFixed(1)} MB) of ${files.size} files, ${counts.redacted} redacted; ${counts.blocks} blocks`
}

/** Asserts that each source line is the file's own, except for redactions; adds to `counts`. */
function checkLines(exported, files, counts) {
  for (const { file, line, text, base64 } of exported.source) {
    const original = files.get(file) ?? { lines: linesOf(contentOf(realpathSync(file))), seen: new Set() }
    files.set(file, original)
    const index = line - 1
    assert.ok(!original.seen.has(index), `${file}:${line} comes twice`)
    original.seen.add(index)
    const bytes = text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text, 'utf8')
    counts.lines += 1
    counts.bytes += bytes.length
    if (original.lines[index].equals(bytes)) continue
    assert.ok(exported.redactions > 0 && bytes.includes(REDACTED), `${file}:${line} is not what it was`)
    counts.redacted += 1
  }
}

/** Also of a compressed file. */
function contentOf(file) {
  const content = readFileSync(file)
  return file.endsWith('.gz') ? gunzipSync(content) : content
}

/** The lines of a file as bytes, without line ends; an empty one behind the last. */
function linesOf(content) {
  const lines = []
  for (let start = 0; start <= content.length;) {
    const end = content.indexOf(0x0a, start)
    lines.push(content.subarray(start, end < 0 ? content.length : end))
    if (end < 0) break
    start = end + 1
  }
  return lines
}

/** Asserts that each message of the source is the entry of its id; adds to `counts`. */
function checkBlocks(exported, counts) {
  const entries = new Map(exported.entries.flatMap((entry) => (entry.kind === 'message' ? [[entry.id, entry]] : [])))
  const checked = new Set()
  for (const { text, file, line } of exported.source) {
    const value = parse(text)
    // A progress line holds a subagent's message whole.
    const message = value?.type === 'progress' && value.data?.type === 'agent_progress' ? value.data.message : value
    if (
      (message?.type !== 'user' && message?.type !== 'assistant') ||
      message.uuid === undefined ||
      checked.has(message.uuid)
    )
      continue
    checked.add(message.uuid)
    const entry = entries.get(message.uuid)
    assert.ok(entry !== undefined, `${file}:${line}: no entry for ${message.uuid}`)
    const content = message.message.content
    const expected = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    assert.equal(entry.content.length, expected.length, `${file}:${line}: another number of blocks`)
    for (const [index, block] of expected.entries()) {
      assert.deepEqual(comparable(entry.content[index]), comparableSource(block), `${file}:${line}, block ${index}`)
      counts.blocks += 1
    }
  }
}

/** The value of a JSON text; undefined for none. */
const parse = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the source says, in the words of the log. */
function comparableSource(block) {
  switch (block.type) {
    case 'text':
      return block.text
    case 'thinking':
      return [block.thinking, block.signature]
    case 'tool_use':
      return [block.id, block.name, block.input]
    case 'tool_result':
      return [
        block.tool_use_id,
        (typeof block.content === 'string' ? [{ type: 'text', text: block.content }] : (block.content ?? [])).map(
          comparableSource,
        ),
      ]
    case 'image':
      return [block.source.media_type, block.source.data]
    default:
      return block
  }
}

/** The same of a block of the log. */
function comparable(block) {
  switch (block?.type) {
    case 'text':
      return block.text
    case 'thinking':
      return [block.text, block.signature]
    case 'tool_call':
      return [block.id, block.name, block.input]
    case 'tool_result':
      return [block.callId, block.content.map(comparable)]
    case 'image':
      return [block.mediaType, block.data]
    case 'other':
      return block.value
    default:
      return block
  }
}
