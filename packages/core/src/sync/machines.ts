/** What people and machines of a team are called in reports. */

/** A machine as the team's store has it. */
export interface KnownMachine {
  readonly id: number
  /** Made once, at random; so is that of the person. */
  readonly key: string
  readonly personKey: string | null
  /** As somebody set them. */
  readonly name: string | null
  readonly person: string | null
}

/** Characters of an id that tell machines with the same name apart. */
const SHOWN = 8

/**
 * The name of each machine, by its id; of several with one name, each has the beginning of its key behind it. One
 * without a name is its key.
 */
export const machineNames = (machines: readonly KnownMachine[]): ReadonlyMap<number, string> => {
  const shared = Map.groupBy(machines, ({ name }) => name)
  return new Map(
    machines.map(({ id, key, name }) => [
      id,
      name === null ? key : shared.get(name)?.length === 1 ? name : `${name} (${key.slice(0, SHOWN)})`,
    ]),
  )
}

/**
 * The person of each machine, by the machine's id: the name that was set on it, else one that was set on another
 * machine of the same person (of several the first by alphabet), else the person's id, else the machine's. The same
 * name is the same person.
 */
export const personNames = (machines: readonly KnownMachine[]): ReadonlyMap<number, string> => {
  const named = new Map<string, string>()
  for (const { personKey, person } of machines) {
    if (personKey === null || person === null) continue
    const known = named.get(personKey)
    // Whatever order they come in.
    if (known === undefined || person < known) named.set(personKey, person)
  }
  return new Map(
    machines.map(({ id, key, person, personKey }) => [
      id,
      person ?? (personKey === null ? key : (named.get(personKey) ?? personKey)),
    ]),
  )
}
