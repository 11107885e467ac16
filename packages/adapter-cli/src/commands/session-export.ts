/** `cairn session export`: a session as JSON or Markdown, to standard output or a file. */
import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CairnError, messageOf } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { jsonExportOf } from '../session-output/json-export.ts'
import { markdownOf } from '../session-output/markdown.ts'
import { formatBytes } from '../terminal/format.ts'

export interface ExportOptions extends CommonOptions {
  readonly format: string
  readonly output?: string
  readonly source: boolean
}

type Format = 'json' | 'md'

/** Parts are joined to about this many characters before they are written. */
const WRITE_SIZE = 1 << 16

const formatOf = (text: string): Format => {
  if (text === 'json' || text === 'md') return text
  if (text === 'html') throw new CairnError('unsupported', 'Export as HTML is not supported yet; use --format json or md.')
  throw new CairnError('usage', `--format takes json or md, not '${text}'.`)
}

/** Writes the parts in larger pieces; resolves with the bytes written. */
const writeParts = async (parts: AsyncIterable<string>, write: (text: string) => Promise<unknown>): Promise<number> => {
  let bytes = 0
  let waiting = ''
  const flush = async (): Promise<void> => {
    bytes += Buffer.byteLength(waiting)
    await write(waiting)
    waiting = ''
  }
  for await (const part of parts) {
    waiting += part
    if (waiting.length >= WRITE_SIZE) await flush()
  }
  await flush()
  return bytes
}

/** Writes a file that is there complete or not at all. */
const writeFileWhole = async (path: string, parts: AsyncIterable<string>): Promise<number> => {
  const fresh = `${path}.${process.pid}.tmp`
  try {
    const file = await open(fresh, 'wx', 0o600)
    try {
      const bytes = await writeParts(parts, (text) => file.write(text))
      await file.close()
      await rename(fresh, path)
      return bytes
    } finally {
      await file.close().catch(() => undefined)
    }
  } catch (cause) {
    await rm(fresh, { force: true })
    if (CairnError.is(cause)) throw cause
    throw new CairnError('invalid-input', `${path} can't be written: ${messageOf(cause)}.`, { cause })
  }
}

/** Exports a session. */
export const runExport = async (idOrPrefix: string, options: ExportOptions, context: Context): Promise<void> => {
  const format = formatOf(options.format)
  const engine = await context.engine(options)
  const session = await engine.session(idOrPrefix)
  const parts = format === 'json' ? jsonExportOf(session, engine, options.source) : markdownOf(session, engine)
  if (options.output === undefined) {
    if (format === 'md' && options.json === true) {
      let markdown = ''
      for await (const part of parts) markdown += part
      return context.json({ sessionId: session.id, redactions: session.redactions, markdown })
    }
    await writeParts(parts, (text) => context.terminal.write(text))
    return
  }
  const file = resolve(context.surroundings.folder, options.output)
  const bytes = await writeFileWhole(file, parts)
  const { redactions } = session
  if (options.json === true) return context.json({ sessionId: session.id, file, bytes, redactions })
  await context.terminal.line(`Wrote ${formatBytes(bytes)} to ${file}.${redactions > 0 ? ` ${redactions} secrets were replaced before the session was stored.` : ''}`)
}
