/** The parts of agents' hooks and status lines, for the small program that agents run. */
export { createMemorySection } from '../memory/create-section.ts'
export { createProfile } from '../memory/create-profile.ts'
export { createIncognitoSetting } from '../importers/incognito-setting.ts'
export { createWorkspaceResolver } from '../importers/workspace.ts'
export {
  INCOGNITO_FILE,
  incognitoLine,
  isUuid,
  parseIncognito,
  type IncognitoRecord,
  type IncognitoSession,
} from '../incognito/incognito-record.ts'
export { compactionContext } from './compaction-context.ts'
export { KNOWN_FILES_KEY, parseKnownFiles, suspectFiles } from '../watching/known-files.ts'
export { FILE_WARNING, fileWarningIn } from '../watching/file-warning.ts'
export { fileChangeNotice } from './file-changes.ts'
export type { FileChangeNotice, FileChangeRequest } from './file-changes.ts'
export { HOOK_AGENTS, HOOK_EVENTS, MARKED_AGENTS, parseHookInput } from './hook-input.ts'
export type { HookAgent, HookEvent, HookInput } from './hook-input.ts'
export { hookOutput, outputLimit, showsNotices } from './hook-output.ts'
export type { OutputLimit } from './hook-output.ts'
export { FEWEST_WORDS_FOUND, SMALLEST_SHARE_FOUND, bearsOnPrompt, promptContext } from './prompt-context.ts'
export { startContext } from './start-context.ts'
export { offeredIds, parseWaiting, suggestionNotice, waitingIn } from './suggestion-notice.ts'
export type { WaitingSuggestion } from './suggestion-notice.ts'
export { statusSegments } from './status-segments.ts'
export type { StatusFigures, StatusPiece, Tone } from './status-segments.ts'
export { parseStatusInput } from './status-input.ts'
export type { StatusInput } from './status-input.ts'
