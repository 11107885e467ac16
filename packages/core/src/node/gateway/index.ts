/** The gateway between agents and their providers, on this machine. */
export { createAccess, TOKEN_HEADER, type Access, type AccessRefusal } from './access.ts'
export { BUDGET_SPANS, createBudget, type Budget, type BudgetSpan } from './budget.ts'
export { startGateway, type Gateway, type GatewayInput } from './gateway.ts'
export {
  createRecorder,
  notRecorded,
  type FinishedExchange,
  type RecordedExchange,
  type Recorder,
  type Recording,
} from './recorder.ts'
export {
  serveRecording,
  startRecordingThread,
  type RecordingThread,
  type ThreadRecording,
  type ThreadWork,
} from './recording-thread.ts'
export { DEFAULT_UPSTREAMS, WIRES, type Upstreams, type Wire } from './routes.ts'
export { createRequestPolicy, type RequestPolicy, type RequestPolicyDeps } from './policy/request-policy.ts'
