/** Machines that a team's store knows, and the people who work on them. */
import { machineNames, personNames } from '@cairn/core/sync'
import type { KnownMachine } from '@cairn/core/sync'
import type { SqlReader } from '../sql/database.ts'

interface MachineRow {
  readonly id: number
  readonly key: string
  readonly name: string | null
  readonly person: string | null
  readonly person_key: string | null
}

/** All of them, in the order in which they came; none in a user's own store. */
export const machineRows = async (reader: SqlReader): Promise<readonly KnownMachine[]> =>
  (await reader.all<MachineRow>('SELECT id, "key", name, person, person_key FROM machine ORDER BY id')).map(
    ({ person_key: personKey, ...row }) => ({ ...row, personKey }),
  )

/** What each machine, or its person, is called, by the machine's id. */
export const namesOfMachines = (
  dimension: 'person' | 'machine',
  machines: readonly KnownMachine[],
): ReadonlyMap<number, string> => (dimension === 'person' ? personNames(machines) : machineNames(machines))
