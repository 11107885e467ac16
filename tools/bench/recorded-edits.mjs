// Edits that agents made, taken from recorded sessions, with the text of the file before and a check of the one after. What is
// checked is what the agent's own tool wrote down, not what the edit says: a patch of the file, its lengths, its new lines.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sessionFiles } from './context-sessions.mjs'
import { dataFolder } from './paths.mjs'
import { codexEdits } from './recorded-patches.mjs'
import { filesBelow } from './transcripts.mjs'
import { patched } from './unified-patch.mjs'

/**
 * @typedef {object} RecordedEdit
 * @property {string} agent
 * @property {string} session
 * @property {string} id of the call
 * @property {string} path
 * @property {string} before
 * @property {readonly { old_text: string, new_text: string, replace_all?: boolean }[]} edits
 * @property {string} [refused] the agent's tool refused it, with this
 * @property {(after: string) => boolean} isAsRecorded
 * @property {string} [next] the file's whole text when it was seen next, with no command in between
 */
/** @typedef {{ edits: RecordedEdit[], skipped: Map<string, number> }} RecordedEdits */

/** @returns {RecordedEdits | undefined} undefined where the recorded sessions are absent; an edit that is recorded twice comes once */
export function recordedEdits() {
  const data = dataFolder()
  if (data === undefined) return undefined
  const found = { edits: [], skipped: new Map() }
  const claude = filesBelow(join(data, 'transcripts', 'claude')).filter((file) => file.endsWith('.jsonl'))
  for (const file of [...sessionFiles(), ...claude]) {
    const records = recordsOf(file)
    const isPi = records.some(({ type, message }) => type === 'message' && message?.role === 'toolResult')
    ;(isPi ? piEdits : claudeEdits)(basename(file), records, found)
  }
  for (const file of filesBelow(join(data, 'transcripts', 'codex')).filter((path) => path.endsWith('.jsonl')))
    codexEdits(basename(file), recordsOf(file), found, skip)
  const seen = new Set()
  const edits = found.edits.filter(({ id }) => !seen.has(id) && seen.add(id))
  return { edits, skipped: found.skipped }
}

/** One more edit that can't be tried, and why. */
const skip = (found, why) => found.skipped.set(why, (found.skipped.get(why) ?? 0) + 1)

/** The JSON lines of a file, which may be compressed; damaged ones are left out. */
function recordsOf(file) {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)]
    } catch {
      return []
    }
  })
}

const blocksOf = ({ message }) => (Array.isArray(message?.content) ? message.content : [])

/**
 * Claude Code writes down the whole file before each edit and a patch of it, in which tabs at the beginning of a line are two
 * spaces. Of an edit that it refused it writes down no file: that is the one after the last edit, where there was one.
 */
function claudeEdits(session, records, found) {
  const calls = new Map()
  /** By path: the text after the last edit, and that edit, as long as no command was run. */
  const texts = new Map()
  let last = new Map()
  for (const record of records)
    for (const block of blocksOf(record)) {
      if (block.type === 'tool_use') {
        calls.set(block.id, block)
        if (block.name === 'Bash') last = new Map()
      }
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id) : undefined
      if (call === undefined || !['Edit', 'MultiEdit', 'Write'].includes(call.name)) continue
      const result = record.toolUseResult
      const path = call.input.file_path
      const earlier = last.get(path)
      last.delete(path)
      if (call.name === 'Write') {
        if (typeof result?.content === 'string') texts.set(path, result.content)
        continue
      }
      const edits = (call.input.edits ?? [call.input]).map(({ old_string, new_string, replace_all }) => ({
        old_text: old_string,
        new_text: new_string,
        ...(replace_all === undefined ? {} : { replace_all }),
      }))
      const base = { agent: `Claude Code, ${call.name}`, session, id: call.id, path, edits }
      if (block.is_error === true) {
        const why = String(typeof block.content === 'string' ? block.content : JSON.stringify(block.content))
        if (/reject|doesn't want|interrupted/i.test(why)) skip(found, 'the user declined it')
        else if (/not been read|modified since/i.test(why))
          skip(found, 'refused, as the file was not read or had changed')
        else if (texts.get(path) === undefined) skip(found, 'refused, and the file’s text is not recorded')
        else found.edits.push({ ...base, before: texts.get(path), refused: why, isAsRecorded: () => false })
        continue
      }
      const before = result?.originalFile
      if (typeof before !== 'string' || !Array.isArray(result.structuredPatch)) {
        skip(found, 'the file’s text is not recorded')
        continue
      }
      if (earlier !== undefined) earlier.next = before
      const expected = patched(before.split('\n').map(spaced), result.structuredPatch)
      if (expected === undefined) {
        skip(found, 'the recorded patch does not fit the recorded text')
        continue
      }
      const edit = {
        ...base,
        before,
        isAsRecorded: (after) => after.split('\n').map(spaced).join('\n') === expected.join('\n'),
      }
      found.edits.push(edit)
      last.set(path, edit)
      texts.set(path, undefined)
    }
}

const spaced = (line) => line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length))

/**
 * pi writes down the lines that went and those that came, with their numbers. The text before is that of the last whole read or
 * write, with the edits since; where a line that went is not in it, something else has changed the file.
 */
function piEdits(session, records, found) {
  const calls = new Map()
  const texts = new Map()
  for (const { message } of records) {
    if (message?.role === 'assistant')
      for (const block of message.content) if (block.type === 'toolCall') calls.set(block.id, block)
    const call = message?.role === 'toolResult' ? calls.get(message.toolCallId) : undefined
    if (call === undefined) continue
    const { path, offset, limit, oldText, newText, content } = call.arguments
    const text = message.content.map((block) => block.text ?? '').join('')
    if (message.isError === true) {
      if (call.name === 'edit') skip(found, 'refused, and the file’s text is not recorded')
      continue
    }
    if (call.name === 'write') texts.set(path, content)
    if (call.name === 'read' && offset === undefined && limit === undefined) texts.set(path, text)
    if (call.name !== 'edit') continue
    const before = texts.get(path)
    texts.delete(path)
    const diff = message.details?.diff
    if (before === undefined || diff === undefined) skip(found, 'the file’s text is not recorded')
    else if (!hasLines(before, diffLines(diff, '-'))) skip(found, 'something else had changed the file')
    else {
      const came = diffLines(diff, '+')
      const grown = newText.length - oldText.length
      const isAsRecorded = (after) => after.length - before.length === grown && hasLines(after, came)
      found.edits.push({
        agent: 'pi, edit',
        session,
        id: call.id,
        path,
        before,
        edits: [{ old_text: oldText, new_text: newText }],
        isAsRecorded,
      })
      if (before.split(oldText).length === 2)
        texts.set(
          path,
          before.replace(oldText, () => newText),
        )
    }
  }
}

/** The lines of pi's diff of one kind, with their numbers in the text that they belong to. */
const diffLines = (diff, kind) =>
  diff.split('\n').flatMap((line) => {
    const [, number, text] = (line[0] === kind && /^. *(\d+) (.*)$/.exec(line)) || []
    return number === undefined ? [] : [{ number: Number(number), text }]
  })

const hasLines = (text, lines) => {
  const all = text.split('\n')
  return lines.every(({ number, text: line }) => all[number - 1] === line)
}
