/** Whether this process answers. */
import { healthAnswer } from '../../security/team/health-answer.ts'

export const dynamic = 'force-dynamic'

/** `ok`, as long as anything is answered at all. */
export const GET = (): Response => healthAnswer(true)
