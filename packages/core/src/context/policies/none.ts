/** Everything that was said is sent, whatever the window: what other policies are compared with. */
import type { Policy } from '../policy.ts'

/** Never changes the context; a request that is too large is only reported. */
export const nonePolicy: Policy = { name: 'none', keepsWindow: false, start: () => ({ decide: () => undefined }) }
