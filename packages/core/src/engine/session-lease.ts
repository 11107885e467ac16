/**
 * A lease that lets only one run at a time work on a session, across all programs that share the store. It is in the
 * session's state, so it holds across processes and machines. The lease of a killed process is taken over.
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
  /** Releases the lease. Never rejects: a lease that can't be released ends with the process. */
  release(): Promise<void>
}

export interface SessionLeaseDeps {
  readonly state: Pick<StateStorage, 'get' | 'replace'>
  readonly clock: Clock
  readonly ids: Ids
  readonly timer: Timer
  readonly processes: Processes
}

/** The key of the lease in a session's state. */
const KEY = 'session.lease'
/** How often another process may win the race: each time, it has the lease or has just released it. */
const MOST_TRIES = 5

/**
 * Acquires the lease and renews it until it is released. The clocks of machines that share a store must agree within
 * half a minute. Rejects with `sequence-conflict` while another run works on the session, and as the store does.
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

  /** Renews the lease after `LEASE_RENEWED_MS`; returns what cancels that. */
  #later(): () => void {
    return this.#deps.timer.after(LEASE_RENEWED_MS, () => {
      this.#renewal = this.#renew()
    })
  }

  /**
   * Renews the lease, and plans the next renewal unless someone else took it. A store that fails for a moment ends
   * nothing.
   */
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

  /**
   * Gives the lease up after a running renewal; one that another run took over stays. Never rejects: a lease that could
   * not be removed runs out.
   */
  async release(): Promise<void> {
    this.#isReleased = true
    this.#cancel()
    await this.#renewal
    await this.#replace(undefined).catch(() => false)
  }
}

/** The owner as JSON. */
const withoutUndefined = ({ pid, host, started }: LeaseOwner): JsonObject => ({
  pid,
  host,
  ...(started === undefined ? {} : { started }),
})

/**
 * Whether the run that holds a lease is gone, or has not renewed it for too long. Without a known process, and for one
 * of this very process, only the time tells; a lease that can't be read counts as not renewed.
 */
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

/** The error (made, not thrown) for a session that another run works on, naming its process if that is known. */
const atWork = (sessionId: string, held: JsonValue | undefined, { own }: Processes): CairnError => {
  const owner = ownerIn(held)
  const where = owner === undefined || owner.host === own.host ? '' : ` on ${owner.host}`
  const who = owner === undefined ? 'Another run' : `A run of process ${owner.pid}${where}`
  return new CairnError(
    'sequence-conflict',
    `${who} is at work on the session ${sessionId}: wait until it has ended, or end it; nothing was sent.`,
  )
}
