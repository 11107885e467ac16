/** `cairn session export`: a session as HTML, Markdown or JSON, to standard output or a file. */
import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine, SessionSummary } from '@cairn/core'
import { codeOf, realPathOf } from '@cairn/core/node'
import type { CommonOptions, Context } from '../command.ts'
import { pathProblem } from '../path-problems.ts'
import { htmlOf } from '../session-output/html/document.ts'
import { jsonExportOf } from '../session-output/json-export.ts'
import { markdownOf } from '../session-output/markdown-export.ts'
import { counted, formatBytes } from '../terminal/format.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { sessionNamed } from './session-named.ts'

/** The options of `session export`. */
export interface ExportOptions extends CommonOptions {
  readonly format: string
  readonly output?: string
  /** The same as `output`; an older name of the option. */
  readonly to?: string
  readonly source: boolean
}

const FORMATS = ['html', 'md', 'json'] as const
type Format = (typeof FORMATS)[number]

/** Parts are joined to about this many characters before they are written. */
const WRITE_SIZE = 1 << 16

/**
 * Returns the format that `--format` names, in any case.
 * @throws CairnError `usage` for an unknown one
 */
const formatOf = (text: string): Format => {
  const found = FORMATS.find((format) => format === text.toLowerCase())
  if (found === undefined) throw new CairnError('usage', `--format takes ${FORMATS.join(', ')}, not '${text}'.`)
  return found
}

/**
 * Returns the session as an HTML page (`html`), as Markdown (`md`) or as JSON, there with the transcript's lines unless
 * `--no-source`; in parts that are read when they are asked for.
 */
const partsOf = (
  format: Format,
  session: SessionSummary,
  engine: Engine,
  options: ExportOptions,
): AsyncIterable<string> => {
  switch (format) {
    case 'html':
      return htmlOf(session, engine)
    case 'md':
      return markdownOf(session, engine)
    case 'json':
      return jsonExportOf(session, engine, options.source)
  }
}

/**
 * Writes the parts in their order, in larger pieces; resolves with the bytes written. Rejects as `write` or the parts
 * do.
 */
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

/**
 * Opens a file with these flags and writes the parts; resolves with the bytes written. A new file is readable by this
 * user alone unless `mode` says otherwise. Rejects as the file system does.
 */
const writeTo = async (path: string, flags: string, parts: AsyncIterable<string>, mode?: number): Promise<number> => {
  const file = await open(path, flags, 0o600)
  try {
    if (mode !== undefined) await file.chmod(mode)
    return await writeParts(parts, (text) => file.writeFile(text))
  } finally {
    await file.close()
  }
}

const MODE_BITS = 0o777

/**
 * Writes a file that exists only once it is complete. It gets the mode of the file that it replaces. Resolves with its
 * bytes. If it fails, the former file is as it was, and nothing else stays.
 */
const writeFileWhole = async (path: string, parts: AsyncIterable<string>): Promise<number> => {
  const fresh = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  const former = await stat(path).catch(() => undefined)
  try {
    const bytes = await writeTo(fresh, 'wx', parts, former === undefined ? undefined : former.mode & MODE_BITS)
    await rename(fresh, path)
    return bytes
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/** Yields the parts until standard output fails, because its reader has gone. */
async function* untilFailure(parts: AsyncIterable<string>, terminal: Terminal): AsyncGenerator<string> {
  for await (const part of parts) {
    if (terminal.outputFailure !== undefined) return
    yield part
  }
}

/** Standard output by name. It is open already, and some can't be opened a second time. */
const STANDARD_OUTPUT = /^\/(?:dev\/(?:stdout|fd\/1)|proc\/self\/fd\/1)$/
/** Names of other files that this process was started with as open. */
const OPEN_ALREADY = /^\/(?:dev\/(?:stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/

/**
 * Returns whether a path is something other than a file, such as a terminal, a pipe or a device; false for one that
 * does not exist yet. Rejects as the system does otherwise.
 */
const isSpecial = async (path: string): Promise<boolean> => {
  if (OPEN_ALREADY.test(path)) return true
  try {
    return !(await stat(path)).isFile()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Returns why writing failed, in words. */
const reasonOf = (cause: unknown): string =>
  codeOf(cause) === 'ENOENT' ? 'there is no such folder' : pathProblem(cause)

/**
 * Writes to a path, which error messages call `named`; resolves with the number of bytes written. A terminal, pipe or
 * device is appended to, links are followed, and a file is replaced only once it is complete. Rejects with
 * `invalid-input` if it can't be written, and as `parts` does.
 */
export const writeOutput = async (path: string, parts: AsyncIterable<string>, named = path): Promise<number> => {
  try {
    // Opened for appending, as another program may have written into it before us.
    return (await isSpecial(path)) ? await writeTo(path, 'a', parts) : await writeFileWhole(realPathOf(path), parts)
  } catch (cause) {
    if (CairnError.is(cause)) throw cause
    throw new CairnError('invalid-input', `${named} can't be written: ${reasonOf(cause)}.`, { cause })
  }
}

/**
 * Writes a session in the format asked for to standard output or to a file, which is replaced: `{sessionId, file,
 * bytes, redactions}` as JSON for a file; `{sessionId, redactions, markdown or html}` for standard output, but the
 * format `json` is its own document there. Rejects with `usage` for an unknown format, `not-found` or `ambiguous`.
 */
export const runExport = async (
  named: string | undefined,
  { to, ...options }: ExportOptions,
  context: Context,
): Promise<void> => {
  const format = formatOf(options.format)
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const output = options.output ?? to
  const parts = partsOf(format, session, engine, options)
  if (output === undefined || STANDARD_OUTPUT.test(output)) {
    if (format !== 'json' && options.json === true) {
      let text = ''
      for await (const part of parts) text += part
      return context.json({
        sessionId: session.id,
        redactions: session.redactions,
        [format === 'md' ? 'markdown' : 'html']: text,
      })
    }
    await writeParts(untilFailure(parts, context.terminal), (text) => context.terminal.write(text))
    return
  }
  const file = resolve(context.surroundings.folder, output)
  const bytes = await writeOutput(file, parts)
  const { redactions } = session
  if (options.json === true) return context.json({ sessionId: session.id, file, bytes, redactions })
  const sentence = `Wrote ${formatBytes(bytes)} to ${file}.${redactions > 0 ? ` ${counted(redactions, 'secret')} ${redactions === 1 ? 'was' : 'were'} replaced before the session was stored.` : ''}`
  // A pipe or device may lead to where standard output goes as well.
  if (await isSpecial(file)) context.terminal.note(sentence)
  else await context.terminal.line(sentence)
}
