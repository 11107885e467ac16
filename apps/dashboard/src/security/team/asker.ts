/** Who asks a team's dashboard, and whose question is being answered at the moment. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Role } from './role.ts'

/** Somebody who has a role, by what the issuer has signed. */
export interface Person {
  /** The issuer's own id for them (`sub`). */
  readonly subject: string
  /** Only an address that the issuer has verified. */
  readonly email?: string
  readonly role: Role
  /** What they are called in the team's store, where that is known: its sessions are their own. */
  readonly person?: string
}

/** A person who asks. */
export interface Asker extends Person {
  /** Where they ask from, as the proxy says. */
  readonly address: string
}

const KEY = Symbol.for('cairn.dashboard.asker')

interface Holder {
  [KEY]?: AsyncLocalStorage<Asker> | undefined
}

// Next loads this module once for each route; who asks must be found from all of them.
const holder: typeof globalThis & Holder = globalThis
const askers = (holder[KEY] ??= new AsyncLocalStorage<Asker>())

/** Runs the work on behalf of this person, whom {@link currentAsker} returns meanwhile; returns what the work does. */
export const askedBy = <T>(asker: Asker, work: () => T): T => askers.run(asker, work)

/** Returns the person on whose behalf the current work is done; undefined outside of {@link askedBy}. */
export const currentAsker = (): Asker | undefined => askers.getStore()
