/** Node's side of the ports. */
export { appendText } from './append-text.ts'
export { changeAlone } from './change-alone.ts'
export { createSystemClock } from './clock.ts'
export { createSystemTimer } from './timer.ts'
export { createFileSystem } from './file-system.ts'
export { checkedOutBranch, headCommit, userEmail } from './head-commit.ts'
export { createHasher } from './hasher.ts'
export { createIds } from './ids.ts'
export { isRunning } from './is-running.ts'
export { LEASE_RENEWED_MS } from '../watching/lease.ts'
export { createLeaseFile, type LeaseFile, type LeaseOutcome } from './lease-file.ts'
export { listen } from './listen.ts'
export { makeFolder } from './make-folder.ts'
export { monthlyLimits } from './monthly-budgets.ts'
export { projectPlans } from './project-plans.ts'
export { createProcesses } from './processes.ts'
export { realPathOf } from './real-path.ts'
export { renameOver, replaceFile } from './replace-file.ts'
export { codeOf, systemReason } from './system-reason.ts'
export {
  dataFolder,
  pathsOf,
  settingsPaths,
  userConfigPath,
  workspaceConfigPath,
  workspaceFolder,
  type Exists,
  type SettingsPath,
  type Surroundings,
} from './settings-paths.ts'
export {
  chooseStore,
  mayUseStore,
  type SettingOrigin,
  type StoreChoice,
  type StoreSource,
  type StoreTrust,
} from './store-address.ts'
