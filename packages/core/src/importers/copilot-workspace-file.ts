/** `workspace.yaml`, which Copilot CLI keeps beside a session's events: its folder, its branch and its name. */
import type { FileSystem } from '../ports/file-system.ts'
import { optional } from './importer.ts'

/** What the file tells; what it does not is absent. */
export interface WorkspaceFile {
  readonly folder?: string
  readonly repository?: string
  readonly branch?: string
  /** The user's own name for the session, or one that was made for it. */
  readonly name?: string
  readonly isUserNamed?: boolean
}

/** The file has a dozen short lines. */
const LARGEST = 256 * 1024
const LINE = /^([A-Za-z_]+):(?:[ \t]+(.*))?$/
const BLOCK_MARK = /^[|>][+-]?\d?[+-]?$/

/**
 * Reads the file beside a session's events; nothing of one that is not there, can't be read or is no such file. Never
 * rejects; a file over `LARGEST` bytes is not read.
 */
export const readWorkspaceFile = async (
  events: string,
  fileSystem: Pick<FileSystem, 'stat' | 'readText'>,
): Promise<WorkspaceFile> => {
  const path = `${events.slice(0, Math.max(events.lastIndexOf('/'), events.lastIndexOf('\\')) + 1)}workspace.yaml`
  try {
    const facts = await fileSystem.stat(path)
    if (facts?.kind !== 'file' || facts.size > LARGEST) return {}
    return parseWorkspaceFile((await fileSystem.readText(path)) ?? '')
  } catch {
    // The events have the same, but for the name.
    return {}
  }
}

/** Takes the file's text; what is missing in it or empty is left out. Never throws. Exported for its tests. */
export const parseWorkspaceFile = (text: string): WorkspaceFile => {
  const values = topLevelValues(text)
  return {
    ...optional('folder', values.get('cwd')),
    ...optional('repository', values.get('git_root')),
    ...optional('branch', values.get('branch')),
    // Until it was renamed, the name stood in `summary`.
    ...optional('name', values.get('name') ?? values.get('summary')),
    ...optional('isUserNamed', values.get('user_named') === 'true' ? true : undefined),
  }
}

/**
 * The texts of a YAML mapping's first level: plain, quoted, and over several lines, which are joined by blanks. Empty
 * values are left out.
 */
const topLevelValues = (text: string): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  let key = ''
  let parts: string[] = []
  const keep = (): void => {
    const value = scalarOf(parts.join(' ').trim())
    if (key !== '' && value !== '') values.set(key, value)
  }
  for (const line of text.split(/\r?\n/)) {
    const found = LINE.exec(line)
    if (found !== null) {
      keep()
      key = found[1] ?? ''
      parts = BLOCK_MARK.test(found[2] ?? '') ? [] : [found[2] ?? '']
    } else if (/^\s+\S/.test(line)) parts.push(line.trim())
  }
  keep()
  return values
}

/** A value of YAML as it is written, without its quotes and escapes; '' for null. */
const scalarOf = (written: string): string => {
  if (written === 'null' || written === '~') return ''
  if (/^'.*'$/s.test(written)) return written.slice(1, -1).replaceAll("''", "'")
  if (!/^".*"$/s.test(written)) return written
  try {
    return String(JSON.parse(written))
  } catch {
    return written.slice(1, -1)
  }
}
