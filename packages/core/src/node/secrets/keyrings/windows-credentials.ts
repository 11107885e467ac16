/** The Credential Manager of Windows (its web credentials), through Windows PowerShell. */
import { KeyringUnavailable, type Keyring } from '../../../ports/keyring.ts'
import type { RunProgram } from './run-program.ts'

const PROGRAM = 'powershell.exe'
/** Of the scripts: nothing of that name. */
const NOT_FOUND = 44
/** What the Credential Manager takes; beyond it, it refuses with an error that says nothing. */
const LONGEST_VALUE = 2400

const OPEN = `$ErrorActionPreference = 'Stop'
try {
  $null = [Windows.Security.Credentials.PasswordVault, Windows.Security.Credentials, ContentType = WindowsRuntime]
  $vault = New-Object Windows.Security.Credentials.PasswordVault
} catch { exit 45 }
function Find { try { $vault.Retrieve($env:CAIRN_SECRET_SERVICE, $env:CAIRN_SECRET_NAME) } catch { $null } }
`
/** The secret in base64, so that no code page changes it. */
const GET = `${OPEN}$found = Find
if ($null -eq $found) { exit ${NOT_FOUND} }
$found.RetrievePassword()
[Console]::Out.Write($found.Password)`
const SET = `${OPEN}$value = [Console]::In.ReadToEnd().Trim()
$vault.Add((New-Object Windows.Security.Credentials.PasswordCredential -ArgumentList $env:CAIRN_SECRET_SERVICE, $env:CAIRN_SECRET_NAME, $value))`
const DELETE = `${OPEN}$found = Find
if ($null -ne $found) { $vault.Remove($found) }`

/**
 * Windows' Credential Manager, through PowerShell. A secret that is not there is undefined to `get` and no error to
 * `delete`; all reject with KeyringUnavailable where it can't be asked, and `set` where the value is too long.
 * @param service groups the entries; the same name under another service is another secret
 */
export const createWindowsCredentials = (service: string, run: RunProgram): Keyring => {
  /**
   * Runs a script of PowerShell, which gets service and name as variables. Rejects with KeyringUnavailable unless it
   * ends with 0 or {@link NOT_FOUND}.
   */
  const script = async (text: string, name: string, input?: string) => {
    const result = await run({
      program: PROGRAM,
      args: ['-NoProfile', '-NonInteractive', '-Command', text],
      variables: { CAIRN_SECRET_SERVICE: service, CAIRN_SECRET_NAME: name },
      ...(input === undefined ? {} : { input }),
    })
    if (result.code !== 0 && result.code !== NOT_FOUND)
      throw new KeyringUnavailable('the Credential Manager does not open in this session')
    return result
  }
  return {
    title: 'the Windows Credential Manager',
    get: async (name) => {
      const { code, stdout } = await script(GET, name)
      return code === NOT_FOUND ? undefined : Buffer.from(stdout.trim(), 'base64').toString('utf8')
    },
    set: async (name, value) => {
      const encoded = Buffer.from(value).toString('base64')
      if (encoded.length > LONGEST_VALUE)
        throw new KeyringUnavailable('the value is too long for the Credential Manager')
      await script(SET, name, encoded)
    },
    delete: async (name) => {
      await script(DELETE, name)
    },
  }
}
