/** Builds an agent (folder, session, model, tools, limits) from a command's options and the settings. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CairnError, messageOf, nanoFromUsd } from '@cairn/core'
import type { Engine, SessionSummary } from '@cairn/core'
import { createAgent, createEngineTools } from '@cairn/core/agent'
import type { Agent, AgentLimits, AgentMode, AgentOptions, ApprovalPreset, AskUser } from '@cairn/core/agent'
import { checkedOutBranch, dataFolder } from '@cairn/core/node'
import { createAgentTools } from '@cairn/core/node/agent-tools'
import { createWorkspaceFiles, openProjectMaps } from '@cairn/core/node/sources'
import type { Context } from '../command.ts'
import { openLanguageModel, servedBy, type OpenedModel } from '../models/open-model.ts'
import { modelSet, openSessionModel } from '../models/open-session-model.ts'
import { definedValues } from '../options/defined-values.ts'
import { sourceFolder } from '../options/source-folder.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import { readRule } from './approval-rule.ts'

/** Who receives the agent's events and answers its questions. */
export interface AgentCallers extends Pick<AgentOptions, 'onEvent' | 'approve' | 'granted'> {
  readonly askUser?: AskUser
  /** Of a new session. */
  readonly title?: string
}

/** An agent that is ready for its first turn, and what it was opened with. */
export interface OpenedAgent {
  readonly agent: Agent
  readonly engine: Engine
  readonly model: string
  readonly mode: AgentMode
  /** The folder that it works in. */
  readonly folder: string
}

/** The size of the project map that the agent is given. */
const MAP_TOKENS = 800

/**
 * Creates an agent that is ready for its first turn; nothing is sent. Rejects with `usage` if the folder, model or
 * session can't be determined, and as {@link openLanguageModel} does. Options count first, then the session's settings,
 * then the project's; the mode is `act` unless set.
 */
export const openAgent = async (
  options: AgentCommandOptions,
  context: Context,
  { askUser, ...callers }: AgentCallers,
): Promise<OpenedAgent> => {
  const folder = folderOf(options, context)
  const engine = await context.sessionEngine(options)
  const workspace = (await context.workspace({ workspace: folder })) ?? folder
  const session = await sessionOf(options, workspace, engine)
  const set: ReadSetting = (name) => valueOf(engine, name, workspace, session)
  const mode = options.mode ?? (await settingOf(engine, 'mode', workspace, session)) ?? 'act'
  const opened = await openedModel(
    { options, mode: mode === 'plan' ? 'plan' : 'act', workspace, session },
    engine,
    context,
  )
  const files = createWorkspaceFiles([folder])
  const maps = openProjectMaps(files, dataFolder(context.surroundings))
  const branch = await checkedOutBranch(folder)
  const system = await systemOf(options, context)
  const agentMode: AgentMode = mode === 'plan' ? 'plan' : 'act'
  const agent = createAgent({
    ...callers,
    ...opened,
    engine,
    workspace,
    folder,
    mode: agentMode,
    tools: [
      ...createAgentTools({ roots: [folder], entries: (sessionId) => engine.sessions.log(sessionId) }),
      ...createEngineTools({ engine, workspace, folder, ...definedValues({ askUser }) }),
    ],
    project: {
      home: context.surroundings.home,
      files,
      map: async (signal) => (await maps.make({ tokens: MAP_TOKENS, ...definedValues({ signal }) })).text,
    },
    limits: {
      ...limitsOf(options),
      ...definedValues({ autoApproved: options.maxAuto ?? (await maximumRequests(set)) }),
    },
    approvals: { preset: options.approve ?? (await presetOf(set)), rules: (options.rule ?? []).map(readRule) },
    checkpoints: options.checkpoint ?? false,
    policy: options.policy,
    preset: options.preset,
    ...definedValues({ branch, system, session: session?.id, window: options.window }),
  })
  return { agent, engine, model: opened.model, mode: agentMode, folder }
}

/**
 * Returns the root of the project around the folder of `--workspace`, or around the working folder.
 * @throws CairnError `usage` if that is no folder, the home folder or the root of the disk
 */
const folderOf = (options: AgentCommandOptions, context: Context): string => {
  const source = sourceFolder(options, context)
  if (source !== undefined) return source.root
  const given = options.workspace ?? context.surroundings.folder
  throw new CairnError(
    'usage',
    `${neutraliseLine(given)} is no project's folder: call it in one, or name one with --workspace.`,
  )
}

/**
 * The session to continue: without `--resume` undefined (a new one), with it alone the newest of Cairn's own agent in
 * this project, with an id that one, of any agent. Rejects with `not-found` if there is none, with `usage` if the one
 * named by id belongs to another project, unless `--workspace` is given.
 */
const sessionOf = async (
  { resume, workspace: given }: AgentCommandOptions,
  workspace: string,
  engine: Engine,
): Promise<SessionSummary | undefined> => {
  const isNamed = given !== undefined
  if (resume === undefined) return undefined
  if (resume !== true) return sessionOfProject(await engine.sessions.find(resume), { isNamed, workspace })
  const { sessions } = await engine.store.sessions.list({ agent: 'cairn', workspace, limit: 1 })
  const [newest] = sessions
  if (newest === undefined)
    throw new CairnError(
      'not-found',
      `No session of an agent of Cairn's in ${neutraliseLine(workspace)} is in the store.`,
    )
  return newest
}

/**
 * Returns the session, unless it belongs to another project, whose paths would be taken for files of this one. A folder
 * that was named explicitly is accepted.
 * @throws CairnError `usage` for a session of another project
 */
const sessionOfProject = (
  session: SessionSummary,
  { isNamed, workspace }: { readonly isNamed: boolean; readonly workspace: string },
): SessionSummary => {
  if (isNamed || session.workspace === null || session.workspace === workspace) return session
  throw new CairnError(
    'usage',
    `The session ${neutraliseLine(session.id)} is of ${neutraliseLine(session.workspace)}: go on with it there, or name the folder to work in with --workspace.`,
  )
}

type SettingName = Parameters<Engine['settings']['get']>[0]
/** Reads a stored setting with the value that applies to the session. */
type ReadSetting = (name: SettingName) => Promise<unknown>

/** The value of a setting as it holds for the session, or for the workspace without one. */
const valueOf = async (
  { settings }: Pick<Engine, 'settings'>,
  name: SettingName,
  workspace: string,
  session: SessionSummary | undefined,
): Promise<unknown> => (await settings.get(name, { workspace, ...definedValues({ sessionId: session?.id }) })).value

/** A stored setting that is a text; undefined if it is not set. */
const settingOf = async (...asked: Parameters<typeof valueOf>): Promise<string | undefined> => {
  const value = await valueOf(...asked)
  return typeof value === 'string' ? value : undefined
}

/** What runs without asking if the command does not say. */
const presetOf = async (set: ReadSetting): Promise<ApprovalPreset> =>
  (await set('approvals.edit')) === true ? 'edits' : 'ask'

/** The stored limit of requests in a row without a question; undefined if it is not set. */
const maximumRequests = async (set: ReadSetting): Promise<number | undefined> => {
  const value = await set('approvals.maximumRequests')
  return typeof value === 'number' ? value : undefined
}

/** What a model is chosen by. */
interface Subject {
  readonly options: AgentCommandOptions
  readonly mode: AgentMode
  readonly workspace: string
  readonly session: SessionSummary | undefined
}

/**
 * Opens the model of `--model`, else in plan mode the one set as `plan.model`, else the session's, else the one set as
 * `model`. Rejects with `usage` if there is none. `--provider` and `--base-url` count before what is set; with
 * `--model` what is set for another model does not count.
 */
const openedModel = async (
  { options, mode, workspace, session }: Subject,
  engine: Engine,
  context: Context,
): Promise<OpenedModel> => {
  const { model, provider, baseUrl } = options
  if (model !== undefined) return openLanguageModel({ model, provider, baseUrl }, context)
  const set = (name: SettingName) => settingOf(engine, name, workspace, session)
  const plan = mode === 'plan' ? await set('plan.model') : undefined
  if (plan !== undefined)
    return openLanguageModel({ model: plan, provider: provider ?? (await set('plan.provider')), baseUrl }, context)
  if (session !== undefined)
    return openSessionModel(
      { session, entries: await engine.sessions.log(session.id) },
      engine,
      { provider, baseUrl },
      context,
    )
  const chosen = await modelSet({ workspace }, engine)
  if (chosen === undefined)
    throw new CairnError(
      'usage',
      'Which model? Name one with --model, or set one: cairn config set model <name>; cairn models lists them.',
    )
  return openLanguageModel(await servedBy(chosen.choice, { provider, baseUrl }, context.now()), context)
}

/**
 * Returns the limits of a turn that the options give; others are left out, so the agent's defaults hold.
 * @throws CairnError `usage` for a cost of 0
 */
const limitsOf = ({ maxCost, maxTurns, maxTokens }: AgentCommandOptions): AgentLimits => {
  if (maxCost === 0) throw new CairnError('usage', '--max-cost must be above 0.')
  return {
    ...(maxCost === undefined ? {} : { costNano: nanoFromUsd(maxCost) }),
    ...definedValues({ turns: maxTurns, tokens: maxTokens }),
  }
}

/** The text of `--system-file`; undefined without the option. Rejects with `usage` if it can't be read or is blank. */
const systemOf = async (
  { systemFile }: AgentCommandOptions,
  { surroundings }: Context,
): Promise<string | undefined> => {
  if (systemFile === undefined) return undefined
  try {
    const text = await readFile(resolve(surroundings.folder, systemFile), 'utf8')
    if (text.trim() !== '') return text
  } catch (cause) {
    throw new CairnError('usage', `${neutraliseLine(systemFile)} can't be read: ${messageOf(cause)}.`, { cause })
  }
  throw new CairnError('usage', `${neutraliseLine(systemFile)} is empty; the model needs instructions.`)
}
