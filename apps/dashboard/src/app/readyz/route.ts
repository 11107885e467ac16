/** Whether this process can answer what is asked of it. */
import { healthAnswer } from '../../security/team/health-answer.ts'
import { isStoreReady } from '../../store/dashboard-store.ts'

export const dynamic = 'force-dynamic'

/** `ok` while the store can be read, else 503. The store is looked at once a second at most, however often this is asked. */
export const GET = async (): Promise<Response> => healthAnswer(await isStoreReady())
