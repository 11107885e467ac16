/** Finds agents and works out what setup, or its undoing, changes in their settings. Reads only. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AGENTS, ensureTarget, holdsOwn, isRefusal, variable, withdrawTarget } from '../../setup/index.ts'
import type { AgentDescriptor, CairnProgram, Installation, Kept, Machine, Splice, Target } from '../../setup/index.ts'
import { SettingsFileError, abandonedFiles, readSettingsFile } from './settings-file.ts'
import type { SettingsFile } from './settings-file.ts'
import { readSetupRecord } from './setup-record.ts'
import type { FileRecord, SetupRecord } from './setup-record.ts'

export interface SetupRequest {
  readonly machine: Machine
  readonly program: CairnProgram
  /** Where the record of what setup did is kept; one for all that is set up for a home folder, whatever its CAIRN_HOME. */
  readonly dataFolder: string
  /** Agents that were named; none: all that are found. */
  readonly agents: readonly AgentDescriptor[]
  readonly replaceStatusLine: boolean
}

/** What happens to a file. */
export interface FilePlan {
  /** As the agent names it; where it is a link, the file that it leads to is changed. */
  readonly path: string
  readonly realPath: string
  /** `leftovers`: the file holds nothing of Cairn's, but something that setup kept of it is there. */
  readonly status: 'change' | 'unchanged' | 'refused' | 'leftovers'
  /** Undefined: there is no such file. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly splices: readonly Splice[]
  readonly isExecutable: boolean
  /** The file held entries of Cairn's before. */
  readonly wasSetUp: boolean
  /** Completes "<path> is left as it is: …". */
  readonly reason?: string
  readonly kept: readonly Kept[]
}

export interface AgentPlan {
  readonly descriptor: AgentDescriptor
  /** The agent was found on this machine, by what it keeps there. */
  readonly isFound: boolean
  /** Its command is on PATH. */
  readonly isInstalled: boolean
  readonly files: readonly FilePlan[]
}

/** Whether anything of an installation is on this machine. */
const isThere = ({ evidence }: Installation): boolean => evidence.some((path) => existsSync(path))

/** Endings of programs that Windows starts by their name. */
const WINDOWS_ENDINGS = ['.exe', '.cmd', '.ps1']

/**
 * Whether a file with the name of an agent's program (on Windows with `.exe`, `.cmd` or `.ps1` behind it) lies in a
 * folder of PATH; false for an agent without a program.
 */
const isOnPath = ({ program }: AgentDescriptor, machine: Machine): boolean => {
  const isWindows = machine.platform === 'win32'
  const folders = (variable(machine, 'PATH') ?? '').split(isWindows ? ';' : ':')
  const names = isWindows ? WINDOWS_ENDINGS.map((ending) => `${program ?? ''}${ending}`) : [program ?? '']
  return program !== undefined && folders.some((folder) => names.some((name) => isProgram(folder, name)))
}

/** Whether the folder has a file of that name; it need not be executable. */
const isProgram = (folder: string, name: string): boolean => {
  try {
    return folder !== '' && statSync(join(folder, name)).isFile()
  } catch {
    // Not there, or in a folder of somebody else's.
    return false
  }
}

/** The installations that are there; of an agent that was named, at least the first. */
const installationsFor = (descriptor: AgentDescriptor, { machine, agents }: SetupRequest): readonly Installation[] => {
  const all = descriptor.installations(machine)
  const found = all.filter(isThere)
  return found.length === 0 && agents.length > 0 ? all.slice(0, 1) : found
}

/** The path that a target has here. */
const pathOf = ({ paths }: Target): string => paths.find((path) => existsSync(path)) ?? paths[0] ?? ''

/** The targets of all installations, each path once; of two targets with one path the last. */
const targetsOf = (installations: readonly Installation[], program: CairnProgram): readonly Target[] => {
  const targets = new Map<string, Target>()
  for (const target of installations.flatMap((each) => each.targets(program))) targets.set(pathOf(target), target)
  return [...targets.values()]
}

/**
 * What `cairn setup` would write, for each agent named (all, when none is) and each of its files, one that can't be
 * changed with the reason. An agent that is not on this machine has no files, unless it was named. Writes nothing.
 */
export const planSetup = (request: SetupRequest): readonly AgentPlan[] =>
  (request.agents.length > 0 ? request.agents : AGENTS).map((descriptor) => {
    const installations = installationsFor(descriptor, request)
    const isFound = installations.some(isThere)
    const isInstalled = isOnPath(descriptor, request.machine)
    const files = targetsOf(installations, request.program).map((target) => planFile(target, descriptor, request))
    return { descriptor, isFound, isInstalled, files }
  })

/**
 * The targets that setup may have written for an agent, in all places where it may be installed. One for each file,
 * each file once.
 */
const everyTarget = (descriptor: AgentDescriptor, { machine, program }: SetupRequest): readonly Target[] => {
  const targets = descriptor.installations(machine).flatMap((each) => each.targets(program))
  // Setup may have written the second of two files while the first was not there yet.
  const each = targets.flatMap((target) => target.paths.map((path) => ({ ...target, paths: [path] })))
  return [...new Map(each.map((target) => [pathOf(target), target])).values()]
}

/**
 * What `cairn setup --remove` would take away, for each agent named (all, when none is) and each of its files, without
 * those that are not there and of which nothing was kept. Writes nothing.
 */
export const planRemoval = (request: SetupRequest): readonly AgentPlan[] => {
  const record = readSetupRecord(request.dataFolder)
  return (request.agents.length > 0 ? request.agents : AGENTS).map((descriptor) => ({
    descriptor,
    isFound: descriptor.installations(request.machine).some(isThere),
    isInstalled: isOnPath(descriptor, request.machine),
    files: everyTarget(descriptor, request)
      .map((target) => planWithdrawal(target, descriptor, record))
      .filter(({ path, status }) => status !== 'unchanged' || existsSync(path)),
  }))
}

/** A file, or why it can't be read. Throws other errors. */
const open = (path: string): SettingsFile | { readonly reason: string } => {
  try {
    return readSettingsFile(path)
  } catch (error) {
    if (error instanceof SettingsFileError) return { reason: error.message }
    throw error
  }
}

/** A plan that changes nothing, for a file as it is; its status is to be added. */
const base = (target: Target, file: SettingsFile) => ({
  path: pathOf(target),
  realPath: file.path,
  before: file.text,
  after: file.text,
  splices: [],
  kept: [],
  isExecutable: target.kind === 'file' && target.isExecutable,
  wasSetUp: file.text !== undefined && holdsOwn(file.text, target),
})

/** The plan for a file that can't be read. It is refused. */
const unreadable = (target: Target, reason: string): FilePlan => ({
  ...base(target, { path: pathOf(target), text: undefined }),
  status: 'refused',
  reason,
})

/**
 * What setup makes of one file: `change` with the text after it, `unchanged` where nothing is to be put in, `refused`
 * with the reason. Writes nothing.
 */
const planFile = (target: Target, { name }: AgentDescriptor, { replaceStatusLine }: SetupRequest): FilePlan => {
  const file = open(pathOf(target))
  if ('reason' in file) return unreadable(target, file.reason)
  const outcome = ensureTarget(file.text, target, { name, replaceStatusLine })
  if (isRefusal(outcome)) return { ...base(target, file), status: 'refused', reason: outcome.reason }
  const { text: after, splices, kept } = outcome
  // A file without anything to put in is not made.
  if (splices.length === 0) return { ...base(target, file), status: 'unchanged', kept }
  return { ...base(target, file), status: 'change', after, splices, kept }
}

/** The text of the file before setup; undefined unless its copy is still there. */
const earlierText = (record: FileRecord | undefined): string | undefined => {
  if (record?.backup === undefined) return undefined
  const file = open(record.backup)
  return 'reason' in file ? undefined : file.text
}

/**
 * What the removal makes of one file. `change` where the text changes, `refused` with the reason; otherwise `leftovers`
 * if a record or older copies are there, else `unchanged`.
 */
const planWithdrawal = (target: Target, { name }: AgentDescriptor, { files }: SetupRecord): FilePlan => {
  const file = open(pathOf(target))
  if ('reason' in file) return unreadable(target, file.reason)
  const plan = base(target, file)
  const record = files.get(file.path)
  const otherwise = record === undefined && abandonedFiles(file.path).length === 0 ? 'unchanged' : 'leftovers'
  // What the agent can't read any more may still hold what setup wrote.
  if (file.text === undefined || (!plan.wasSetUp && record === undefined)) return { ...plan, status: otherwise }
  const outcome = withdrawTarget(file.text, target, {
    name,
    splices: record?.splices ?? [],
    earlier: earlierText(record),
    isMade: record?.isMade ?? target.kind === 'file',
  })
  if (isRefusal(outcome)) return { ...plan, status: 'refused', reason: outcome.reason }
  return { ...plan, after: outcome.text, status: outcome.text === file.text ? otherwise : 'change' }
}
