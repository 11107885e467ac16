/** What `cairn doctor` says of agents: which are set up, and what keeps them from working. */
import { existsSync } from 'node:fs'
import { codexHookTrust } from '../../setup/index.ts'
import type { AgentDescriptor, JsonTarget } from '../../setup/index.ts'
import { createHasher } from '../hasher.ts'
import { realPathOf } from '../real-path.ts'
import { planSetup } from './plan-setup.ts'
import type { AgentPlan, FilePlan, SetupRequest } from './plan-setup.ts'
import { SettingsFileError, readSettingsFile } from './settings-file.ts'
import { readSetupRecord } from './setup-record.ts'

export interface FileCheck {
  readonly path: string
  /** `outdated`: entries of another installation; `changed`: setup wrote them, and some are gone. */
  readonly state: 'set-up' | 'not-set-up' | 'outdated' | 'changed' | 'unreadable'
  /** Its entry names another CAIRN_HOME than the one in use. */
  readonly isForOtherFolder: boolean
  readonly reason?: string | undefined
}

export interface AgentCheck {
  readonly agent: string
  readonly name: string
  /** `partly`: some of its files are. */
  readonly state: 'set-up' | 'partly' | 'not-set-up'
  readonly files: readonly FileCheck[]
  /** Events whose hooks the agent skips, as its user has not trusted them. */
  readonly untrusted: readonly string[]
  /** The setting, and its file, by which the agent runs no hooks at all; null where none does. */
  readonly hooksOff: string | null
  /** Whether Cairn is active as a plugin of the agent, too. */
  readonly isPlugin: boolean
  /** After so many days the agent deletes its histories; null where it keeps them, or nothing is known of it. */
  readonly historyDays: number | null
  /** The setting that says so. */
  readonly historySetting: string | null
}

/**
 * For each agent that is found on this machine, how far Cairn is wired to it, file by file. Changes nothing. In the
 * order of `AGENTS`; empty where none is found.
 */
export const checkAgents = (request: SetupRequest): readonly AgentCheck[] => {
  const { files: records } = readSetupRecord(request.dataFolder)
  return planSetup({ ...request, agents: [] })
    .filter(({ isFound }) => isFound)
    .map((plan) => {
      const files = plan.files.map((file) => checkFile(file, records.has(file.realPath)))
      const good = files.filter(({ state }) => state === 'set-up').length
      return {
        agent: plan.descriptor.agent,
        name: plan.descriptor.name,
        state:
          good === files.length
            ? 'set-up'
            : files.some(({ state }) => state !== 'not-set-up' && state !== 'unreadable')
              ? 'partly'
              : 'not-set-up',
        files,
        untrusted: untrustedHooks(plan, request),
        hooksOff: hooksOff(plan.descriptor, request),
        isPlugin: isPluginActive(plan.descriptor, request),
        ...historyOf(plan.descriptor, request),
      }
    })
}

/** The state of one file, by what setup would still change. */
const checkFile = (plan: FilePlan, isRecorded: boolean): FileCheck => {
  const { path, reason, kept } = plan
  return { path, state: stateOf(plan, isRecorded), reason, isForOtherFolder: kept.includes('data-folder') }
}

/**
 * What a file's plan says of its state; `isRecorded`: setup has noted it. One that can't be read or changed is
 * `unreadable`; one without anything to change `set-up` if it has entries of Cairn's. A plan to change it means
 * `changed` where it is noted, `outdated` where it has such entries all the same. Else it is `not-set-up`.
 */
const stateOf = ({ status, wasSetUp }: FilePlan, isRecorded: boolean): FileCheck['state'] => {
  if (status === 'refused') return 'unreadable'
  if (status === 'unchanged') return wasSetUp ? 'set-up' : 'not-set-up'
  if (isRecorded) return 'changed'
  return wasSetUp ? 'outdated' : 'not-set-up'
}

/** A file's text; empty where there is none or it can't be read. Throws other errors. */
const textOf = (path: string): string => {
  try {
    return readSettingsFile(path).text ?? ''
  } catch (error) {
    if (error instanceof SettingsFileError) return ''
    throw error
  }
}

/**
 * Events whose hooks the agent skips, as its user has not trusted them; none for an agent that asks for no trust, or
 * has no hooks file.
 */
const untrustedHooks = ({ descriptor }: AgentPlan, { machine, program }: SetupRequest): readonly string[] => {
  const trust = descriptor.trust?.(machine)
  if (trust === undefined || !existsSync(trust.hooks)) return []
  const target = descriptor
    .installations(machine)
    .flatMap(({ targets }) => targets(program))
    .find((each): each is JsonTarget => each.kind === 'json' && each.paths.includes(trust.hooks))
  if (target === undefined) return []
  const paths = [trust.hooks, realPathOf(trust.hooks)]
  return codexHookTrust(textOf(trust.hooks), paths, textOf(trust.state), target, createHasher())
    .filter(({ isTrusted }) => !isTrusted)
    .map(({ event }) => event)
}

/** The first setting that switches the agent's hooks off, with its file; null if none does. */
const hooksOff = ({ switches }: AgentDescriptor, { machine }: SetupRequest): string | null => {
  const off = switches?.(machine).find(({ path, isOff }) => isOff(textOf(path)))
  return off === undefined ? null : `${off.setting} in ${off.path}`
}

/** Whether the agent's plugin for Cairn is switched on; false for an agent without plugins. */
const isPluginActive = ({ plugins }: AgentDescriptor, { machine }: SetupRequest): boolean => {
  const list = plugins?.(machine)
  return list?.isActive(textOf(list.path)) ?? false
}

/**
 * After how many days the agent deletes its histories, and the setting with its file. Null for both if it deletes none,
 * or that is not known.
 */
const historyOf = (
  { history }: AgentDescriptor,
  { machine }: SetupRequest,
): Pick<AgentCheck, 'historyDays' | 'historySetting'> => {
  const limit = history?.(machine)
  if (limit === undefined) return { historyDays: null, historySetting: null }
  const days = limit.days(textOf(limit.path))
  return { historyDays: days, historySetting: days === null ? null : `${limit.setting} in ${limit.path}` }
}
