/** Where importers look for transcripts on this machine. */
import type { ImportEnvironment } from '@cairn/core/importers'
import type { Surroundings } from '../config/locations.ts'

/** Any other system lays its home folders out as Linux does. */
export const importEnvironment = ({ home, platform, variables }: Surroundings): ImportEnvironment => ({
  home,
  platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
  variables,
})
