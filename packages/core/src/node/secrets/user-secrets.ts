/** The secrets of the user of this machine: where they lie, for the command as for any other program. */
import { dirname, join, resolve } from 'node:path'
import { CairnError } from '../../errors.ts'
import { dataFolder, userConfigPath, type Surroundings } from '../settings-paths.ts'
import { createRunProgram } from './keyrings/run-program.ts'
import { createSystemKeyring } from './keyrings/system-keyring.ts'
import { createSecrets, type SecretsStore } from './secrets.ts'

const PASSPHRASE = 'CAIRN_SECRETS_PASSPHRASE'
const KEY_FILE = 'CAIRN_SECRETS_KEY_FILE'
/** Characters of a new passphrase. */
const SHORTEST_PASSPHRASE = 8

/** Asks a person for a passphrase; undefined: there is no answer. A new one is to be typed twice. */
export type AskPassphrase = (file: string, isNew: boolean) => Promise<string | undefined>

/**
 * The user's secrets. Nothing is read, and nobody asked, before one is looked for.
 * @param ask undefined: nobody can be asked. Not called where `CAIRN_SECRETS_PASSPHRASE` is set.
 */
export const openUserSecrets = (surroundings: Surroundings, ask?: AskPassphrase): SecretsStore => {
  const { variables, platform } = surroundings
  return createSecrets({
    folder: dataFolder(surroundings),
    keyFile: keyFileOf(surroundings),
    keyring: createSystemKeyring(serviceOf(surroundings), platform, createRunProgram(variables)),
    askPassphrase: (file, isNew) => passphraseFor(file, isNew, variables[PASSPHRASE] ?? '', ask),
  })
}

/**
 * The path of the key file, by default beside the settings, so that a copy of the data folder is not also a copy of the
 * key.
 */
const keyFileOf = (surroundings: Surroundings): string => {
  const { variables, folder, home } = surroundings
  const given = variables[KEY_FILE] ?? ''
  return given === '' ? join(dirname(userConfigPath(surroundings)), 'secrets.key') : resolve(folder ?? home, given)
}

/**
 * The name under which the keyring has the secrets: `cairn`, with the data folder where that is not the usual one, as
 * each data folder has secrets of its own.
 */
const serviceOf = (surroundings: Surroundings): string => {
  const usual = dataFolder({ ...surroundings, variables: { ...surroundings.variables, CAIRN_HOME: undefined } })
  const own = dataFolder(surroundings)
  return own === usual ? 'cairn' : `cairn (${own})`
}

/**
 * The passphrase as given, else asked for. Rejects with `usage` where nobody can be asked, or a new one is shorter than
 * `SHORTEST_PASSPHRASE`, and with `invalid-input` where there is no answer.
 */
const passphraseFor = async (
  file: string,
  isNew: boolean,
  given: string,
  ask: AskPassphrase | undefined,
): Promise<string> => {
  if (given === '' && ask === undefined)
    throw new CairnError(
      'usage',
      `A passphrase ${isNew ? 'shall lock' : 'locks'} ${file}, and there is no terminal to ask for it: set ${PASSPHRASE}.`,
    )
  const passphrase = given === '' ? await ask?.(file, isNew) : given
  if (passphrase === undefined || passphrase === '')
    throw new CairnError('invalid-input', `No passphrase was given, so ${file} was not opened.`)
  if (isNew && passphrase.length < SHORTEST_PASSPHRASE)
    throw new CairnError('usage', `A passphrase has at least ${SHORTEST_PASSPHRASE} characters; nothing was kept.`)
  return passphrase
}
