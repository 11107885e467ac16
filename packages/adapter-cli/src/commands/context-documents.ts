/** `cairn context docs`: writes and refreshes the files of a memory bank. */
import { CairnError, redact } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createDocumentFiles, createGitFacts, createWorkspaceFiles, ignoredBy } from '@cairn/core/node/sources'
import { unifiedDiff } from '@cairn/core/setup'
import { isDocumentId } from '@cairn/core/sources'
import type { DocumentMode, DocumentPlan, LayoutChange } from '@cairn/core/sources'
import type { CommonOptions, Context } from '../command.ts'
import { didYouMean } from '../options/close-matches.ts'
import { projectOf } from '../options/project-option.ts'
import { sourceFolder } from '../options/source-folder.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'

/** The options of `context docs`. */
export interface DocumentsOptions extends CommonOptions {
  readonly yes?: boolean
  readonly folder?: string
  readonly name?: readonly string[]
}

/** The planned changes of a project's documents. */
interface Planned {
  readonly workspace: string
  readonly plans: readonly DocumentPlan[]
  /** The folder of the documents, relative to the project. */
  readonly folder: string
  /** The ignore file that leaves the folder out; null where none does. */
  readonly ignoredBy: string | null
  /** Writes what changes; gives why a file was not written, by path. */
  readonly write: () => Promise<ReadonlyMap<string, string>>
}

const ACTIONS = ['init', 'update', 'status'] as const

/**
 * Runs the action of `cairn context docs`: `status` shows what `update` would do, `init` and `update` write. Rejects
 * with `usage` for an unknown action, and for `status` with `--yes`.
 */
export const runDocuments = async (action: string, options: DocumentsOptions, context: Context): Promise<void> => {
  if (action === 'status' && options.yes === true)
    throw new CairnError('usage', 'status writes nothing: leave out --yes, or call cairn context docs update.')
  if (action === 'status') return runStatus(options, context)
  if (action === 'init' || action === 'update') return runWriting(action, options, context)
  throw new CairnError(
    'usage',
    `There is no 'cairn context docs ${neutraliseLine(action)}'.${didYouMean(action, ACTIONS)} There are ${ACTIONS.join(', ')}. See: cairn context docs --help`,
  )
}

/**
 * Shows what would change, asks unless `--yes`, and writes: `{workspace, written, ignoredBy, files}` as JSON. `--json`
 * does not ask: it writes only with `--yes`. Exit code 3 if it was not confirmed, 1 if a file was refused or not
 * written.
 */
const runWriting = async (mode: DocumentMode, options: DocumentsOptions, context: Context): Promise<void> => {
  const all = await planned(mode, options, context)
  const { workspace, plans, ignoredBy: by, write } = all
  const changes = plans.filter(isChange)
  const isJson = options.json === true
  if (!isJson) await showPlans(mode, all, context)
  const isWanted = changes.length === 0 || options.yes === true || (!isJson && (await isConfirmed(changes, context)))
  const failures = isWanted && changes.length > 0 ? await write() : new Map<string, string>()
  context.setExitCode(exitCodeOf(plans, failures, isWanted))
  const written = isWanted ? changes.length - failures.size : 0
  const files = plans.map((plan) => planJson(plan, failures))
  if (isJson) return context.json({ workspace, written, ignoredBy: by, files })
  const { terminal } = context
  for (const [path, reason] of failures) terminal.note(`${neutraliseLine(path)} was not written: ${reason}.`)
  if (isWanted) await terminal.line(conclusionOf(all, written, failures.size))
  else terminal.note(terminal.canAsk ? 'Nothing was written.' : NOBODY_TO_ASK)
}

/**
 * 1 if a file could not be written or was refused, 3 if it was not confirmed, otherwise 0. `isWanted`: the user agreed.
 */
const exitCodeOf = (
  plans: readonly DocumentPlan[],
  failures: ReadonlyMap<string, string>,
  isWanted: boolean,
): 0 | 1 | 3 => {
  if (failures.size > 0 || plans.some(({ status }) => status === 'refused')) return 1
  return isWanted ? 0 : 3
}

const NOBODY_TO_ASK = 'Nothing was written, as there is no terminal to ask at: add --yes to write without asking.'

/**
 * Returns the last line: how many files were written, and what became of the others; if all are missing, how to make
 * them.
 */
const conclusionOf = ({ plans, folder: path }: Planned, written: number, failed: number): string => {
  const folder = `${neutraliseLine(path)}/`
  const count = (wanted: DocumentPlan['status']): number => plans.filter(({ status }) => status === wanted).length
  const missing = count('missing')
  if (missing === plans.length)
    return `There are no context documents in ${folder} yet: cairn context docs init makes them.`
  const refused = count('refused') + failed
  const parts = [
    written === 0 ? 'nothing to write' : `${counted(written, 'file')} written`,
    ...(count('current') === 0 ? [] : [`${formatWhole(count('current'))} up to date`]),
    ...(missing === 0 ? [] : [`${formatWhole(missing)} missing (init makes ${missing === 1 ? 'it' : 'them'})`]),
    ...(refused === 0 ? [] : [`${formatWhole(refused)} left as ${refused === 1 ? 'it is' : 'they are'}`]),
  ]
  return `Total: ${parts.join(' · ')}`
}

/** Says on standard error that an ignore file leaves the documents' folder out. */
const noteIgnored = ({ folder, ignoredBy: by }: Pick<Planned, 'folder' | 'ignoredBy'>, { terminal }: Context): void => {
  if (by !== null)
    terminal.note(
      `${neutraliseLine(folder)}/ is ignored by ${neutraliseLine(by)}: git does not keep these files, and agents that heed ignore files do not read them.`,
    )
}

/**
 * Prints what `update` would do to each document, as a table: `{workspace, ignoredBy, files}` as JSON. Writes nothing.
 */
const runStatus = async (options: DocumentsOptions, context: Context): Promise<void> => {
  const all = await planned('update', options, context)
  const { workspace, plans, ignoredBy: by } = all
  const files = plans.map((plan) => planJson(plan, new Map()))
  if (options.json === true) return context.json({ workspace, ignoredBy: by, files })
  noteIgnored(all, context)
  const { head, rows, total } = tableLines({
    columns: [
      { title: 'file', shorten: 'path', minimum: 20 },
      { title: 'state' },
      { title: 'sections', shorten: 'end', minimum: 20 },
    ],
    rows: plans.map((plan) => [neutraliseLine(plan.path), stateText(plan), neutraliseLine(sectionsText(plan))]),
    total: ['Total', '', counted(plans.length, 'file')],
    width: context.terminal.isOutputTerminal ? context.terminal.width : Infinity,
  })
  for (const line of [head, ...rows, ...(total === undefined ? [] : [total])]) await context.terminal.line(line)
}

/**
 * Plans the changes, with the layout in the store or the options; `write` makes them, remembers a given layout, and
 * resolves with the reasons of files that could not be written. Rejects with `usage` if there is no project folder.
 */
const planned = async (mode: DocumentMode, options: DocumentsOptions, context: Context): Promise<Planned> => {
  const project = sourceFolder(options, context)
  if (project === undefined)
    throw new CairnError(
      'usage',
      `${neutraliseLine(options.workspace ?? context.surroundings.folder)} is no project's folder: call it in one, or name one with --workspace.`,
    )
  const { root } = project
  const change = layoutChange(options)
  const isLayoutGiven = change.folder !== undefined || change.names !== undefined
  const engine = await context.readEngine(options)
  const workspace = await projectOf({ ...options, workspace: root }, engine, context)
  const layout = await engine.documents.layout(workspace, change)
  const documents = createDocumentFiles(root)
  const plans = await engine.documents.plan({
    workspace,
    mode,
    layout,
    files: createWorkspaceFiles([root]),
    git: createGitFacts(root),
    read: (path) => documents.read(path),
  })
  /** Remembers a given layout, then writes each file that changes; gives the reasons of failures, by path. */
  const write = async (): Promise<ReadonlyMap<string, string>> => {
    if (isLayoutGiven) await keepLayout(await context.engine(options), workspace, layout)
    const failures = new Map<string, string>()
    for (const { path, before, after = '' } of plans.filter(isChange)) {
      const failure = await documents.write(path, before, after)
      if (failure !== undefined) failures.set(path, failure)
    }
    return failures
  }
  return {
    workspace,
    plans,
    folder: layout.folder,
    ignoredBy: (await ignoredBy(root, layout.folder, true)) ?? null,
    write,
  }
}

/** Stores the layout for the project. */
const keepLayout = (engine: Engine, ...layout: Parameters<Engine['documents']['keepLayout']>): Promise<void> =>
  engine.documents.keepLayout(...layout)

/**
 * The changes of the layout that `--folder` and `--name` ask for.
 * @throws CairnError `usage` for a name that is not `document=file.md`, and for two names of one document
 */
const layoutChange = ({ folder, name = [] }: DocumentsOptions): LayoutChange => {
  const names = name.map((given) => {
    const at = given.indexOf('=')
    const document = given.slice(0, Math.max(0, at))
    if (!isDocumentId(document))
      throw new CairnError(
        'usage',
        `--name takes a document and its file, such as progress=status.md, not "${neutraliseLine(given)}".`,
      )
    return [document, given.slice(at + 1)] as const
  })
  const double = names.find(([document], index) => names.findIndex(([other]) => other === document) !== index)
  if (double !== undefined) throw new CairnError('usage', `--name gives ${double[0]} more than one file; give it one.`)
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(names.length === 0 ? {} : { names: Object.fromEntries(names) }),
  }
}

/** Whether a plan writes a file: a new or a changed one. */
const isChange = ({ status }: DocumentPlan): boolean => status === 'new' || status === 'changed'

/** Asks whether to write; false for any answer but yes, and without asking where there is no terminal. */
const isConfirmed = async (changes: readonly DocumentPlan[], { terminal }: Context): Promise<boolean> => {
  if (!terminal.canAsk) return false
  const answer = await terminal.ask(`Write ${counted(changes.length, 'file')}? [y/N] `)
  return /^y(?:es)?$/i.test(answer ?? '')
}

/** The change of a file as the lines of a diff, with secrets replaced; empty if nothing changes. */
const diffOf = ({ path, before = '', after = '' }: DocumentPlan): readonly string[] => {
  const hunks = unifiedDiff(before, after)
  if (hunks.length === 0) return []
  return [
    `--- ${neutraliseLine(path)}`,
    `+++ ${neutraliseLine(path)}`,
    ...neutralise(redact(hunks.join('\n')).text).split('\n'),
  ]
}

const COLOURS = { '+': 'green', '-': 'red', '@': 'cyan' } as const
const isColoured = (sign: string): sign is keyof typeof COLOURS => sign in COLOURS

/**
 * Prints what would change, and what is left alone; a reason that all files are refused for only once, and nothing
 * else.
 */
const showPlans = async (mode: DocumentMode, all: Planned, context: Context): Promise<void> => {
  if (mode === 'init') noteIgnored(all, context)
  const [first] = all.plans
  // A folder that can't be used is told once, not for each file.
  if (first?.reason !== undefined && all.plans.every(({ reason }) => reason === first.reason)) {
    context.terminal.note(`${neutraliseLine(all.folder)}/ can't hold the documents: ${neutraliseLine(first.reason)}.`)
    return
  }
  for (const plan of all.plans) await showPlan(plan, context)
}

/** Prints the change of a file as a diff, and on standard error what is left alone. */
const showPlan = async (plan: DocumentPlan, { terminal }: Context): Promise<void> => {
  for (const line of diffOf(plan)) {
    const sign = line.charAt(0)
    await terminal.line(isColoured(sign) ? terminal.style(COLOURS[sign], line) : line)
  }
  for (const note of notesOn(plan)) terminal.note(note)
}

/**
 * Returns a sentence on what is left alone in a file: all of it, with the reason, if it is refused, otherwise the
 * sections that the user has edited; empty if there are none.
 */
const notesOn = ({ path, status, reason, sections }: DocumentPlan): readonly string[] => {
  if (status === 'refused') return [`${neutraliseLine(path)} is left as it is: ${neutraliseLine(reason ?? '')}.`]
  const edited = sections.filter(({ state }) => state === 'edited').map(({ id }) => id)
  return edited.length === 0
    ? []
    : [
        `${neutraliseLine(path)}: you changed ${edited.length === 1 ? 'the section' : 'the sections'} ${edited.join(', ')}, kept as written. Delete it with its marks, and "cairn context docs init" rebuilds it.`,
      ]
}

/** A plan for `--json`. `failures` has why a document was not written, by its path; its status is then `refused`. */
const planJson = (plan: DocumentPlan, failures: ReadonlyMap<string, string>) => {
  const failure = failures.get(plan.path)
  return {
    document: plan.document,
    path: plan.path,
    status: failure === undefined ? plan.status : 'refused',
    sections: plan.sections,
    diff: diffOf(plan).join('\n'),
    notes: failure === undefined ? notesOn(plan) : [`${plan.path} was not written: ${failure}.`],
  }
}

/** The state of a file in the table. */
const stateText = ({ status }: DocumentPlan): string => (status === 'changed' ? 'outdated' : status)

/** In the order of the table, what is cut at its end last. */
const SECTION_TEXT = {
  edited: 'changed by you',
  added: 'new',
  refreshed: 'outdated',
  missing: 'left out',
  current: 'current',
} as const

/**
 * Returns the ids of a file's sections by their state, as `<state>: a, b; <state>: c`, without states that have none;
 * the reason if the file is refused.
 */
const sectionsText = ({ status, reason, sections }: DocumentPlan): string => {
  if (status === 'refused') return reason ?? ''
  return Object.entries(SECTION_TEXT)
    .map(([state, text]) => ({ text, ids: sections.filter((section) => section.state === state).map(({ id }) => id) }))
    .filter(({ ids }) => ids.length > 0)
    .map(({ text, ids }) => `${text}: ${ids.join(', ')}`)
    .join('; ')
}
