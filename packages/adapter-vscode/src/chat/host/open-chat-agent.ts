/** Puts the chat's agent together: engine, model, tools and project. Loaded with the first turn. */
import type { Engine } from '@cairn/core'
import { createAgent, createEngineTools } from '@cairn/core/agent'
import type { Agent, AskUser } from '@cairn/core/agent'
import { createAgentTools } from '@cairn/core/node/agent-tools'
import { createWorkspaceFiles, openProjectMaps } from '@cairn/core/node/sources'
import type { FoundKey } from '@cairn/core/providers'
import type { AgentInput } from './conversation.ts'
import { openChoice, type ModelChoice } from './model-choice.ts'

/** What the chat's agent is opened with. */
export interface ChatAgentInput extends AgentInput {
  readonly engine: Engine
  /** As sessions and memory name the project. */
  readonly workspace: string
  /** Where its files are, absolute. */
  readonly folder: string
  readonly choice: ModelChoice
  readonly key: FoundKey | undefined
  readonly askUser: AskUser
  /** Whether checkpoints may be made of the folder. */
  readonly keepsFiles: boolean
  readonly home: string
  readonly dataFolder: string
}

/** Tokens of the map that a session begins with. */
const MAP_TOKENS = 800

/**
 * Returns the agent, ready for a turn of the session, or of a new one with the title if no id is given.
 * @throws CairnError as {@link openChoice}
 */
export const openChatAgent = ({
  engine,
  workspace,
  folder,
  choice,
  key,
  askUser,
  keepsFiles,
  home,
  dataFolder,
  sessionId,
  title,
  ...rest
}: ChatAgentInput): Agent => {
  const files = createWorkspaceFiles([folder])
  const maps = openProjectMaps(files, dataFolder)
  return createAgent({
    ...rest,
    ...openChoice(choice, key),
    engine,
    workspace,
    folder,
    checkpoints: keepsFiles ? 'where-possible' : false,
    tools: [
      ...createAgentTools({ roots: [folder], entries: (id) => engine.sessions.log(id) }),
      ...createEngineTools({ engine, workspace, folder, askUser }),
    ],
    project: {
      home,
      files,
      map: async (signal) =>
        (await maps.make({ tokens: MAP_TOKENS, ...(signal === undefined ? {} : { signal }) })).text,
    },
    ...(sessionId === undefined ? { title } : { session: sessionId }),
  })
}
