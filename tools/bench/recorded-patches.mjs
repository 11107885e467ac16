// Codex's patches as edits: each hunk's old lines are replaced by its new ones. The text before is known of files that the same
// session made; the check is the unified diff that Codex writes down.
import { hunksOf, patched } from './unified-patch.mjs'

/**
 * Adds the edits of one session.
 * @param {string} session
 * @param {readonly any[]} records
 * @param {{ edits: object[] }} found
 * @param {(found: object, why: string) => void} skip notes an edit that can't be tried
 */
export function codexEdits(session, records, found, skip) {
  const inputs = new Map()
  const texts = new Map()
  for (const { payload } of records) {
    if (payload?.type === 'custom_tool_call' && payload.name === 'apply_patch')
      inputs.set(payload.call_id, payload.input)
    if (payload?.type !== 'patch_apply_end') continue
    const wanted = editsByPath(inputs.get(payload.call_id) ?? '')
    for (const [path, change] of Object.entries(payload.changes ?? {})) {
      if (change.type === 'add') texts.set(path, change.content)
      if (change.type === 'delete') texts.delete(path)
      if (change.type !== 'update') continue
      const before = texts.get(path)
      const expected = before && patched(before.split('\n'), hunksOf(change.unified_diff))?.join('\n')
      texts.delete(path)
      if (payload.success !== true) skip(found, 'a patch that failed')
      else if (before === undefined) skip(found, 'a patch of a file whose text is not recorded')
      else if (expected === undefined) skip(found, 'something else had changed the file')
      else {
        texts.set(change.move_path ?? path, expected)
        found.edits.push({
          agent: 'Codex, apply_patch',
          session,
          id: `${payload.call_id}:${path}`,
          path,
          before,
          edits: wanted.get(path) ?? [],
          isAsRecorded: (after) => after === expected,
        })
      }
    }
  }
}

/** The hunks of a patch in Codex's form, by the path of their file. */
function editsByPath(patch) {
  const byPath = new Map()
  let hunks
  for (const line of patch.split('\n')) {
    const [, path] = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/.exec(line) ?? []
    if (path !== undefined) byPath.set(path, (hunks = []))
    else if (line.startsWith('@@')) hunks?.push([])
    else if (!line.startsWith('***')) {
      if (hunks?.length === 0) hunks.push([])
      hunks?.at(-1).push(line)
    }
  }
  const side = (lines, kinds) =>
    lines
      .filter((line) => line === '' || kinds.includes(line[0]))
      .map((line) => line.slice(1))
      .join('\n')
  return new Map(
    [...byPath].map(([path, found]) => [
      path,
      found
        .filter((lines) => lines.some((line) => /^[+-]/.test(line)))
        .map((lines) => ({ old_text: side(lines, ' -'), new_text: side(lines, ' +') })),
    ]),
  )
}
