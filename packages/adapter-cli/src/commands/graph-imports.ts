/** The part of `cairn graph` that comes from a file's source: imports, importers, circles of imports. */
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { CairnError } from '@cairn/core'
import type { FileImports, ImportCycle, ImportEdge } from '@cairn/core/sources'
import type { CommonOptions, Context } from '../command.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { pad, shortenEnd, shortenPath, textWidth } from '../terminal/text-width.ts'
import { sourceFolder } from '../options/source-folder.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** The options of `cairn graph` that imports depend on. */
export interface ImportQuestion extends CommonOptions {
  readonly since?: string
  readonly until?: string
  readonly kinds?: readonly string[]
}

/** The imports that were found; `missing` says why there are none, if the text names something on disk. */
export interface AskedImports {
  readonly found?: FileImports
  readonly missing?: string
}

/** Files of a folder that are examined. */
const MOST_FILES = 200_000
const OTHER_KIND = /^(?:symbol|session|message|entry|commit):/
const LOOKS_LIKE_FILE = /[/\\]|\.\w{1,10}$/

/**
 * Returns the imports of the file that the text names, relative to the working folder or the project's root, or by its
 * end. `{}` if it names something else or nothing known, or if only links of a time or of other kinds are asked for.
 * `missing`, a sentence, instead for a folder, an ignored file, one outside of the project, and a name that several
 * fit.
 */
export const importsOfFile = async (what: string, options: ImportQuestion, context: Context): Promise<AskedImports> => {
  const { since, until, kinds } = options
  if (since !== undefined || until !== undefined || (kinds !== undefined && !kinds.includes('file'))) return {}
  const text = what
    .trim()
    .replace(/^file:/, '')
    .trim()
  if (text === '' || OTHER_KIND.test(what.trim())) return {}
  const project = sourceFolder(options, context)
  if (project === undefined) return {}
  const { root, folder } = project
  const asked = locate(text, root, folder)
  if (asked.missing !== undefined || asked.names === undefined) return asked
  const { createWorkspaceFiles, openImportIndex } = await import('@cairn/core/node/sources')
  const { dataFolder } = await import('@cairn/core/node')
  const files = createWorkspaceFiles([root], { maxFiles: MOST_FILES })
  const index = openImportIndex(files, { dataFolder: dataFolder(context.surroundings) })
  try {
    const found = await index.about(asked.names)
    if (found !== undefined) return { found }
    return asked.isOnDisk
      ? { missing: `"${text}" is no file that the project has: it is ignored, or no regular file.` }
      : {}
  } catch (error) {
    // The store may know which one is meant.
    if (CairnError.is(error) && error.code === 'ambiguous') return { missing: error.message }
    throw error
  }
}

/** What a text refers to on disk. */
interface Located {
  /** Paths in the project, or ends of them, to look for in this order. */
  readonly names?: readonly string[]
  readonly isOnDisk: boolean
  readonly missing?: string
}

/**
 * Returns what a text refers to on disk: the names to look for in the project; `missing` says why it can't be asked
 * for. Neither if it does not look like a file.
 */
const locate = (text: string, root: string, folder: string): Located => {
  const own = resolve(folder, text)
  const inside = relative(root, own)
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
  const isOnDisk = existsSync(own)
  if (isOutside)
    return isOnDisk
      ? { isOnDisk, missing: `"${text}" lies outside of the project ${root}, and no session knows it.` }
      : { isOnDisk }
  if (isOnDisk && statSync(own).isDirectory())
    return LOOKS_LIKE_FILE.test(text)
      ? { isOnDisk, missing: `"${text}" is a folder: name a file in it.` }
      : { isOnDisk }
  if (!isOnDisk && !LOOKS_LIKE_FILE.test(text)) return { isOnDisk }
  const plain = text.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
  const path = inside.replaceAll(sep, '/')
  return { isOnDisk, names: isAbsolute(text) ? [path] : [path, plain] }
}

/** Cycles that are printed; a file in a large cycle may have hundreds. */
const MOST_CYCLES = 20

/**
 * Returns the fields that `graph --json` adds for a file's imports, importers and cycles. If no file was found, only
 * `notices` with the reason; empty if there is none either.
 */
export const importsJson = ({ found, missing }: AskedImports): Record<string, unknown> =>
  found === undefined
    ? missing === undefined
      ? {}
      : { notices: [missing] }
    : {
        imports: found.imports.map(({ to, kind, line, specifier }) => ({ path: to, kind, line, specifier })),
        importers: found.importers.map(({ from, kind, line }) => ({ path: from, kind, line })),
        cycles: found.cycles.slice(0, MOST_CYCLES).map(({ files, isTypeOnly }) => ({ files, typeOnly: isTypeOnly })),
        cyclesLeft: Math.max(0, found.cycles.length - MOST_CYCLES),
        notices: found.notices,
      }

/** What is needed of the terminal to draw text. */
type Output = Pick<Terminal, 'style' | 'width'>

/**
 * Returns lines about imports, importers and cycles, at most `limit` below each heading, and all notices. If no file
 * was found, only the reason; empty if there is none either.
 */
export const importGroups = (
  { found, missing }: AskedImports,
  limit: number,
  { style, width }: Output,
): readonly string[] => {
  const notices = found?.notices ?? (missing === undefined ? [] : [missing])
  /** A heading with its first `limit` lines and the number of others; nothing without lines. */
  const group = (heading: string, lines: readonly string[]): readonly string[] => {
    if (lines.length === 0) return []
    const left = lines.length - limit
    return [
      '',
      style('cyan', heading),
      ...lines.slice(0, limit).map((line) => shortenEnd(line, width)),
      ...(left > 0 ? [style('dim', `  … and ${left} more`)] : []),
    ]
  }
  return [
    ...(found === undefined
      ? []
      : [
          ...group(
            'Imports',
            edgeLines(found.imports, ({ to }) => to, width),
          ),
          ...group(
            'Imported by',
            edgeLines(found.importers, ({ from }) => from, width),
          ),
          ...group('Import cycles', found.cycles.map(cycleText)),
        ]),
    ...notices.flatMap((notice) => ['', ...wrapLine(neutraliseLine(notice), width).map((line) => style('dim', line))]),
  ]
}

const KIND_TEXT = { static: '', type: 'types only', dynamic: 'when needed' } as const

/**
 * Returns the imports as lines, in the order given: a path, its line, and the kind. @param pathOf which end is named
 */
const edgeLines = (
  edges: readonly ImportEdge[],
  pathOf: (edge: ImportEdge) => string,
  width: number,
): readonly string[] => {
  const rows = edges.map((edge) => ({
    name: shortenPath(neutraliseLine(pathOf(edge)), Math.floor(width / 2) + 8),
    line: `line ${edge.line}`,
    kind: KIND_TEXT[edge.kind],
  }))
  const nameWidth = Math.max(...rows.map(({ name }) => textWidth(name)))
  const lineWidth = Math.max(...rows.map(({ line }) => textWidth(line)))
  return rows.map(({ name, line, kind }) =>
    `  ${pad(name, nameWidth, 'left')}  ${pad(line, lineWidth, 'left')}  ${kind}`.trimEnd(),
  )
}

/** A cycle on one line. */
const cycleText = ({ files, isTypeOnly }: ImportCycle): string =>
  `  ${[...files, ...files.slice(0, 1)].map(neutraliseLine).join(' → ')}${isTypeOnly ? ' (types only)' : ''}`

/** Returns what the last line says about imports, as parts of a sentence; empty if no file was found. */
export const importsTotal = ({ found }: AskedImports): readonly string[] =>
  found === undefined
    ? []
    : [
        counted(found.imports.length, 'import'),
        counted(found.importers.length, 'importer'),
        ...(found.cycles.length === 0 ? [] : [counted(found.cycles.length, 'import cycle')]),
      ]
