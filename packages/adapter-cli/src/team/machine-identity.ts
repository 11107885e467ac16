/** What a machine and who works on it are known by in a team's store: made once, at random, and kept in the data folder. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CairnError } from '@cairn/core'
import { changeAlone, codeOf, dataFolder, makeFolder, replaceFile } from '@cairn/core/node'
import { z } from 'zod'
import type { Surroundings } from '../config/locations.ts'
import { pathProblem } from '../path-problems.ts'

const identitySchema = z.object({
  id: z.uuid(),
  salt: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the person; files of earlier versions have none. */
  person: z.uuid().optional(),
})

/** The ids of this machine and its user, and the salt of their hashes. */
export interface MachineIdentity {
  readonly id: string
  readonly salt: string
  readonly person: string
}

/**
 * Returns the ids of machine and person and the salt of their hashes, which are created at the first call. Throws
 * CairnError `invalid-input` if the file can't be read or written or is damaged: a new salt would give every project a
 * second name.
 */
export const machineIdentity = (surroundings: Surroundings): MachineIdentity => {
  const folder = dataFolder(surroundings)
  const file = join(folder, 'machine.json')
  try {
    makeFolder(folder, 0o700)
    return changeAlone(file, () => {
      const known = identityIn(file)
      if (known?.person !== undefined) return { ...known, person: known.person }
      const made: MachineIdentity = {
        ...(known ?? { id: randomUUID(), salt: randomBytes(32).toString('hex') }),
        person: randomUUID(),
      }
      replaceFile(file, `${JSON.stringify(made)}\n`, { flush: true })
      return made
    })
  } catch (cause) {
    if (CairnError.is(cause)) throw cause
    throw new CairnError('invalid-input', `The machine's id in ${file} can't be kept: ${pathProblem(cause)}.`, {
      cause,
    })
  }
}

/** Returns the identity in a file; undefined if there is none. @throws CairnError `invalid-input` if it is damaged */
const identityIn = (file: string): z.infer<typeof identitySchema> | undefined => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
  try {
    return identitySchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new CairnError(
      'invalid-input',
      `${file} does not hold the machine's id any more, and nothing was sent. Put back a copy of it; moved away, a new one is made, and names that were hashed before get other hashes.`,
      { cause },
    )
  }
}
