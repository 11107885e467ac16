/**
 * Who works on a session: one run at a time, of all programs that share the store. The lease lies in the session's state, so
 * that it holds between processes and machines. One that a killed process left is taken over.
 */
import { CairnError } from '../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { LeaseOwner, Processes } from '../ports/processes.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import type { Timer } from '../ports/timer.ts'
import { isStaleLease, LEASE_RENEWED_MS, ownerIn } from '../watching/lease.ts'

export interface SessionLease {
  /** Lets others work on the session. Never rejects: a lease that can't be given back ends with the process. */
  release(): Promise<void>
}

export interface SessionLeaseDeps {
  readonly state: Pick<StateStorage, 'get' | 'replace'>
  readonly clock: Clock
  readonly ids: Ids
  readonly timer: Timer
  readonly processes: Processes
}

/** The key of a session's state that holds the lease. */
const KEY = 'session.lease'
/** How often others may be faster: each time one of them has the lease then, or has just given it back. */
const MOST_TRIES = 5

/**
 * Takes the lease, and renews it until it is released. Machines that share a store have clocks that agree within half a
 * minute. Rejects with `sequence-conflict` while another run works on the session, and as the store does.
 */
export const takeSessionLease = async (deps: SessionLeaseDeps, sessionId: string): Promise<SessionLease> => {
  const { state, clock, ids, processes } = deps
  const scope: StateScope = { tier: 'session', sessionId }
  // Two turns of one process are told apart by the id.
  const own = { ...withoutUndefined(processes.own), run: ids.next() }
  for (let tries = 1; ; tries += 1) {
    const held = await state.get(scope, KEY)
    if (held !== undefined && !isLeft(held, deps)) throw atWork(sessionId, held, processes)
    const value = { ...own, at: clock.now() }
    if (await state.replace(scope, KEY, held, value)) return new HeldLease(deps, scope, value)
    if (tries === MOST_TRIES) throw atWork(sessionId, held, processes)
  }
}

class HeldLease implements SessionLease {
  readonly #deps: SessionLeaseDeps
  readonly #scope: StateScope
  #value: JsonObject
  #cancel: () => void
  #renewal: Promise<void> = Promise.resolve()
  #isReleased = false

  constructor(deps: SessionLeaseDeps, scope: StateScope, value: JsonObject) {
    this.#deps = deps
    this.#scope = scope
    this.#value = value
    this.#cancel = this.#later()
  }

  #later(): () => void {
    return this.#deps.timer.after(LEASE_RENEWED_MS, () => {
      this.#renewal = this.#renew()
    })
  }

  async #renew(): Promise<void> {
    const value = { ...this.#value, at: this.#deps.clock.now() }
    // A store that is busy or full for a moment takes no lease away.
    const isRenewed = await this.#replace(value).catch(() => undefined)
    if (isRenewed === true) this.#value = value
    if (isRenewed !== false && !this.#isReleased) this.#cancel = this.#later()
  }

  #replace(value: JsonObject | undefined): Promise<boolean> {
    return this.#deps.state.replace(this.#scope, KEY, this.#value, value)
  }

  async release(): Promise<void> {
    this.#isReleased = true
    this.#cancel()
    await this.#renewal
    await this.#replace(undefined).catch(() => false)
  }
}

const withoutUndefined = ({ pid, host, started }: LeaseOwner): JsonObject => ({
  pid,
  host,
  ...(started === undefined ? {} : { started }),
})

/** Whether the run that took a lease is gone. */
const isLeft = (held: JsonValue, { clock, processes }: SessionLeaseDeps): boolean => {
  const owner = ownerIn(held)
  const at = isJsonObject(held) ? held['at'] : undefined
  const silentMs = typeof at === 'number' ? clock.now() - at : Number.POSITIVE_INFINITY
  // That this very process runs says nothing of a turn of it: that one would renew its lease.
  const facts = owner === undefined || isSame(owner, processes.own) ? undefined : processes.factsOf(owner)
  return isStaleLease(owner, silentMs, facts)
}

const isSame = (left: LeaseOwner, right: LeaseOwner): boolean =>
  left.pid === right.pid && left.host === right.host && left.started === right.started

const atWork = (sessionId: string, held: JsonValue | undefined, { own }: Processes): CairnError => {
  const owner = ownerIn(held)
  const where = owner === undefined || owner.host === own.host ? '' : ` on ${owner.host}`
  const who = owner === undefined ? 'Another run' : `A run of process ${owner.pid}${where}`
  return new CairnError(
    'sequence-conflict',
    `${who} is at work on the session ${sessionId}: wait until it has ended, or end it; nothing was sent.`,
  )
}
