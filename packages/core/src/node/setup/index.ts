/** Setup on this machine: reads and writes agents' settings. */
export { applyRemoval, applySetup, type AppliedFile } from './apply-setup.ts'
export { checkAgents, type AgentCheck, type FileCheck } from './check-agents.ts'
export { withLauncher } from './launcher.ts'
export { hasSetupTraces } from './record-folder.ts'
export { planRemoval, planSetup, type AgentPlan, type FilePlan, type SetupRequest } from './plan-setup.ts'
