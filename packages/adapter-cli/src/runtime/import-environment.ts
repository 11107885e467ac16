/** Where importers look for transcripts on this machine. */
import type { ImportEnvironment } from '@cairn/core/importers'
import type { Surroundings } from '../config/locations.ts'

/**
 * Returns the environment of importers. Systems other than macOS and Windows count as Linux, whose folders they use.
 */
export const importEnvironment = ({ home, platform, variables }: Surroundings): ImportEnvironment => ({
  home,
  platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
  variables,
})
