/** Node's side of the ports. */
export { createSystemClock } from './clock.ts'
export { createFileSystem } from './file-system.ts'
export { createHasher } from './hasher.ts'
export { createIds } from './ids.ts'
