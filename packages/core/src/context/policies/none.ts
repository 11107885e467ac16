/** Everything that was said is sent, whatever the window: what other policies are compared with. */
import type { Policy } from '../policy.ts'

export const nonePolicy: Policy = { name: 'none', keepsWindow: false, start: () => ({ decide: () => undefined }) }
