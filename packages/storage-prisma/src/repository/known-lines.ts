/**
 * A file that is read again (rewritten, or a JSON document saved again) repeats its lines. Those that are stored
 * already, with the same number and the same bytes, are not stored twice.
 */
import type { SourceRun } from '@cairn/core'
import { decodeLines } from '../packs/source-lines.ts'
import type { StoreContext } from './store-context.ts'
import { storableText } from './labels.ts'

interface RunRow {
  readonly session: string
  readonly first_line: number
  readonly pack_id: number
  readonly offset: number
  readonly length: number
}

const encoder = new TextEncoder()
/** A key for a line of a session. */
const lineKey = (session: string, line: number): string => `${line}:${session}`

/**
 * The runs of source lines without those that the store has already, byte for byte, in order; a run with such lines
 * within is split. Usually a run follows the last stored line, which costs one lookup.
 */
export const removeKnownLines = async (
  context: StoreContext,
  path: string,
  runs: readonly SourceRun[],
): Promise<readonly SourceRun[]> => {
  const first = Math.min(...runs.map((run) => run.firstLine))
  const last = Math.max(...runs.map((run) => run.firstLine + run.lines.length - 1))
  const known = await overlapping(context, path, first, last)
  if (known.length === 0) return runs
  const contents = await context.packs.read(
    known.map((row) => ({ packId: row.pack_id, offset: row.offset, length: row.length })),
  )
  const stored = new Map<string, Uint8Array[]>()
  for (const [index, row] of known.entries()) {
    const content = contents[index]
    if (content === undefined) continue
    for (const [offset, bytes] of decodeLines(content.bytes, content.text).entries()) {
      const key = lineKey(row.session, row.first_line + offset)
      stored.set(key, [...(stored.get(key) ?? []), bytes])
    }
  }
  return runs.flatMap((run) => {
    const kept: { firstLine: number; lines: (string | Uint8Array)[] }[] = []
    for (const [offset, line] of run.lines.entries()) {
      const number = run.firstLine + offset
      const bytes = typeof line === 'string' ? encoder.encode(line) : line
      if (
        stored
          .get(lineKey(storableText(run.sessionId), number))
          ?.some((other) => Buffer.compare(other, bytes) === 0) === true
      )
        continue
      const open = kept.at(-1)
      if (open !== undefined && open.firstLine + open.lines.length === number) open.lines.push(line)
      else kept.push({ firstLine: number, lines: [line] })
    }
    return kept.map((part) => ({ ...part, sessionId: run.sessionId }))
  })
}

/** The stored runs that hold any of the lines `first` to `last` of a file; none where it is stored only to before them. */
const overlapping = async (
  { database }: StoreContext,
  path: string,
  first: number,
  last: number,
): Promise<readonly RunRow[]> => {
  const latest = await database.all<{ id: number; end: number }>(
    `SELECT imported_file.id, source_run.first_line + source_run.line_count AS "end" FROM imported_file JOIN source_run ON source_run.file_id = imported_file.id
     WHERE imported_file."path" = ? ORDER BY source_run.first_line DESC LIMIT 1`,
    [storableText(path)],
  )
  const [file] = latest
  if (file === undefined || file.end <= first) return []
  return database.all<RunRow>(
    `SELECT session."key" AS session, source_run.first_line, source_run.pack_id, source_run."offset", source_run.length
     FROM source_run JOIN session ON session.id = source_run.session_id
     WHERE source_run.file_id = ? AND source_run.first_line <= ? AND source_run.first_line + source_run.line_count > ?`,
    [file.id, last, first],
  )
}
