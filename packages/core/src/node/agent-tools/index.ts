/** The agent's tools over files and commands of this machine (`@cairn/core/node/agent-tools`). */
export { createAgentTools, type AgentToolsOptions } from './create-agent-tools.ts'
export type { SessionEntries } from './seen-files.ts'
