/** What the usual programs and APIs call those who speak. */
import type { Role } from '../../messages.ts'

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['bot', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['toolresult', 'tool'],
  ['function', 'tool'],
])

/** For a sentence that refuses an unknown one. */
export const KNOWN_ROLES = 'user, assistant, system, developer, tool, function and model'

/** The role that a name stands for, whatever its capitals; undefined for a name that is not known. */
export const roleOf = (name: string): Role | undefined => ROLES.get(name.toLowerCase())
