/** The keyring of the system that this runs on. */
import type { Keyring } from '../../../ports/keyring.ts'
import { createMacKeychain } from './mac-keychain.ts'
import { createRunProgram, type RunProgram } from './run-program.ts'
import { createSecretServiceKeyring } from './secret-service.ts'
import { createWindowsCredentials } from './windows-credentials.ts'

/**
 * The keyring of a platform: macOS's keychain, Windows' Credential Manager, elsewhere the Secret Service. Nothing is
 * asked of it yet.
 * @param service groups the entries; the same name under another service is another secret
 */
export const createSystemKeyring = (
  service: string,
  platform: NodeJS.Platform = process.platform,
  run: RunProgram = createRunProgram(),
): Keyring => {
  if (platform === 'darwin') return createMacKeychain(service, run)
  if (platform === 'win32') return createWindowsCredentials(service, run)
  return createSecretServiceKeyring(service, run)
}
