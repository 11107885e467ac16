/** `@cairn/core/agent`: an agent over an engine, its events, its tools' interface, and the tools that need only the engine. */
export type {
  Agent,
  AgentEnd,
  AgentEvent,
  AgentLimits,
  AgentMode,
  AgentOutcome,
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  NotRunReason,
  TurnOptions,
} from './agent.ts'
export type { AgentTool, CallFacts, PreparedCall, ToolContext, ToolEffect, ToolOutcome } from './agent-tool.ts'
export type { AgentEngine, AgentOptions, ProjectSources } from './agent-options.ts'
export { APPROVAL_PRESETS, type ApprovalPreset, type ApprovalRule, type ApprovalSettings } from './approvals.ts'
export { createAgent } from './create-agent.ts'
export type { AskUser } from './engine-tools/ask-user-tool.ts'
export { splitRules } from './file-rules.ts'
export { changingTurns, type ChangingTurn } from './turn-checkpoints.ts'
export { createEngineTools, type EngineToolsInput, type ToolEngine } from './engine-tools/create-engine-tools.ts'
