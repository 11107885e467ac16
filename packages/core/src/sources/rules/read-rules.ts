/** Finds and reads the rules files of a workspace: those in it, above it, and the user's own. */
import type { FileSystem } from '../../ports/file-system.ts'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import { messageOf } from '../../errors.ts'
import { isMostlyBroken } from '../mentions/decoded-text.ts'
import { visibleName } from '../mentions/delimited.ts'
import { workspacePath } from '../mentions/workspace-path.ts'
import { withImports } from './expand-imports.ts'
import type { ImportedText } from './expand-imports.ts'
import { frontMatterOf } from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import { RULE_LIMITS, PARENT_FILES, ruleSourceOf, TOP_FILES, TOP_FOLDERS, USER_FILES } from './rule-sources.ts'
import type { RuleSource } from './rule-sources.ts'
import { scopeOf } from './rule-scope.ts'
import type { RuleFile, WorkflowFile } from './rule.ts'

/** Where rules files are read from. */
export interface RuleDisk {
  /** Absolute, without `/` at its end. */
  readonly workspace: string
  readonly home: string
  readonly files: Pick<WorkspaceFiles, 'list'>
  readonly fileSystem: Pick<FileSystem, 'stat' | 'list' | 'readText' | 'realPath'>
}

/** The rules and workflows that were read, and a sentence for each file that could not be. */
export interface ReadRules {
  readonly rules: readonly RuleFile[]
  readonly workflows: readonly WorkflowFile[]
  readonly problems: readonly string[]
}

const LARGEST = 1_000_000
/** Folders of rules are searched so deep. */
const DEEPEST = 5
const MOST_FILES = 1_000

/**
 * Returns all rules files with their text and scope: the user's own first, then those above the workspace, then from
 * its top down. A file that can't be read is reported in `problems`; the call does not reject for it.
 */
export const readRules = async (disk: RuleDisk): Promise<ReadRules> => {
  const reader = new RuleReader(disk)
  for (const { path, agent } of USER_FILES)
    await reader.take(`~/${path}`, {
      agent,
      isWorkflow: false,
      form: 'plain',
      hasImports: agent !== 'agents-md',
      folder: '',
    })
  for (const folder of parentsOf(disk.workspace))
    for (const name of PARENT_FILES)
      await reader.take(`${folder === '/' ? '' : folder}/${name}`, {
        agent: 'claude-code',
        isWorkflow: false,
        form: 'plain',
        hasImports: true,
        folder: '',
      })
  for (const path of await pathsIn(disk)) {
    const source = ruleSourceOf(path)
    if (source !== undefined) await reader.take(path, source)
  }
  return reader
}

/** The folders above one, from the top. `/` of an absolute one; without the folder itself. */
const parentsOf = (folder: string): readonly string[] => {
  const names = folder.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/') || '/')
}

/**
 * Paths that may be rules files: those that the workspace lists, and the usual ones at its top, also where git ignores
 * them, whether or not they are there. Those nearest to the top first, then by name.
 */
const pathsIn = async ({ workspace, files, fileSystem }: RuleDisk): Promise<readonly string[]> => {
  const found = new Set<string>(TOP_FILES)
  for (const { path } of (await files.list()).files) if (ruleSourceOf(path) !== undefined) found.add(path)
  /**
   * Adds the files below a folder, its subfolders' too, to `found`, as paths within the workspace; links are not
   * followed. Nothing where it can't be listed, is too deep, or enough are found.
   */
  const visit = async (folder: string, depth: number): Promise<void> => {
    if (depth > DEEPEST || found.size > MOST_FILES) return
    const facts = await fileSystem.stat(`${workspace}/${folder}`).catch(() => undefined)
    if (facts?.kind !== 'directory') return
    for (const entry of await fileSystem.list(`${workspace}/${folder}`).catch(() => [])) {
      const path = `${folder}/${entry.path.split(/[/\\]/).at(-1) ?? ''}`
      if (entry.kind === 'directory' && entry.isLink !== true) await visit(path, depth + 1)
      else found.add(path)
    }
  }
  for (const folder of TOP_FOLDERS) await visit(folder, 1)
  return [...found].sort((left, right) => left.split('/').length - right.split('/').length || (left < right ? -1 : 1))
}

type Taken = { readonly text: string } | { readonly refused: string } | undefined

class RuleReader implements ReadRules {
  readonly rules: RuleFile[] = []
  readonly workflows: WorkflowFile[] = []
  readonly problems: string[] = []
  readonly #disk: RuleDisk

  constructor(disk: RuleDisk) {
    this.#disk = disk
  }

  /**
   * Reads a file of rules or a workflow, with its imports; a missing or empty one is none. What the agent would cut is
   * only noted, and damaged front matter makes rules that always hold.
   */
  async take(id: string, { agent, isWorkflow, form, hasImports, folder }: RuleSource): Promise<void> {
    const read = await this.#read(id)
    if (read === undefined) return
    if ('refused' in read) {
      this.problems.push(read.refused)
      return
    }
    const notices: string[] = []
    const shown = visibleName(id)
    if (read.text.startsWith('\ufeff')) notices.push(`${shown} begins with a byte order mark, which is left out.`)
    if (read.text.includes('\ufffd'))
      notices.push(`${shown} has \ufffd in it, which stands for bytes that are not UTF-8: save it as UTF-8.`)
    const plain = read.text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
    const hasFrontMatter = form !== 'plain' || isWorkflow
    const front: FrontMatter = hasFrontMatter ? frontMatterOf(plain) : { values: {}, text: plain }
    if (front.problem !== undefined)
      notices.push(`${shown}: its front matter ${front.problem}; the whole text counts, as it stands.`)
    if (isWorkflow) {
      const { values, text } = front
      this.workflows.push({ id, agent, text, notices, name: nameOf(id), description: descriptionOf(values, text) })
      return
    }
    const expanded = hasImports
      ? await withImports(id, front.text, (path, from) => this.#readImport(path, from))
      : { text: front.text, imports: [], notices: [] }
    const limit = RULE_LIMITS[agent]
    if (limit !== undefined && expanded.text.length > limit.characters)
      notices.push(
        `${shown} has more than ${limit.characters.toLocaleString('en-US')} characters; ${limit.name} leaves the rest out.`,
      )
    const { text, imports } = expanded
    // What can't be understood is taken for rules that always hold, rather than for none.
    const scope = front.problem !== undefined ? scopeOf('plain', {}, folder) : scopeOf(form, front.values, folder)
    if (text.trim() === '') return
    this.rules.push({ id, agent, scope, text, imports, notices: [...notices, ...expanded.notices] })
  }

  /**
   * The text of a file of rules, or why it is not taken; undefined where nothing is there. Links out of the workspace,
   * binary files and those above `LARGEST` are refused. Never rejects.
   */
  async #read(id: string): Promise<Taken> {
    const { workspace, home, fileSystem } = this.#disk
    const path = id.startsWith('~/') ? `${home}/${id.slice(2)}` : id.startsWith('/') ? id : `${workspace}/${id}`
    const shown = visibleName(id)
    try {
      const facts = await fileSystem.stat(path)
      if (facts === undefined || facts.kind === 'directory') return undefined
      if (facts.kind !== 'file') return { refused: `${shown} is no file; it is not taken.` }
      if (facts.size > LARGEST) return { refused: `${shown} has more than ${LARGEST / 1e6} MB; it is not taken.` }
      const isInside = !id.startsWith('/') && !id.startsWith('~/')
      if (isInside && !(await this.#isBelow(path, workspace)))
        return { refused: `${shown} is a link out of the workspace; it is not taken.` }
      const text = await fileSystem.readText(path)
      if (text === undefined) return undefined
      if (text.includes('\0')) return { refused: `${shown} is no text; it is not taken.` }
      return isMostlyBroken(text) ? { refused: `${shown} is no text in UTF-8; it is not taken.` } : { text }
    } catch (error) {
      return { refused: `${shown} can't be read: ${messageOf(error)}` }
    }
  }

  /** Whether a path, links followed, lies below a folder. Rejects if either is not there. */
  async #isBelow(path: string, folder: string): Promise<boolean> {
    const { fileSystem } = this.#disk
    return (await fileSystem.realPath(path)).startsWith(`${await fileSystem.realPath(folder)}/`)
  }

  /**
   * Reads an imported file. Its path is relative to the file that it stands in; out of the workspace only for files
   * that lie there, and not out of their folder.
   */
  async #readImport(path: string, from: string): Promise<ImportedText> {
    const slash = from.lastIndexOf('/')
    const base = slash === -1 ? '' : from.slice(0, slash)
    const isInside = !from.startsWith('/') && !from.startsWith('~/')
    const found = workspacePath(
      isInside && base !== '' && !/^[/~]/.test(path) ? `${base}/${path}` : path,
      isInside ? [this.#disk.workspace] : [],
    )
    if (found.path === undefined || ('outside' in found && !isInside))
      return { refused: `${visibleName(path)} is outside of ${isInside ? 'the workspace' : base}.` }
    if ('outside' in found) return { missing: true }
    const id = isInside ? found.path : `${base}/${found.path}`
    const read = await this.#read(id)
    if (read === undefined) return { missing: true }
    return 'refused' in read ? read : { id, text: read.text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n') }
  }
}

/** A file's name without its folder and `.md` or `.prompt.md`. */
const nameOf = (id: string): string => (id.split('/').at(-1) ?? id).replace(/(?:\.prompt)?\.md$/, '')

const LONGEST_DESCRIPTION = 200

/** The description in the front matter, otherwise the first line with a letter or digit, at most 200 characters. */
const descriptionOf = ({ description }: Readonly<Record<string, unknown>>, text: string): string => {
  const line = text.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one)) ?? ''
  const given = typeof description === 'string' && description.trim() !== '' ? description : line
  return visibleName(given.replace(/^#+\s*/, ''))
    .slice(0, LONGEST_DESCRIPTION)
    .toWellFormed()
}
