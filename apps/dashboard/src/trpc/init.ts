/** tRPC's building blocks, and what the page learns of a failure: a sentence written for people, or a general one. */
import { initTRPC, TRPCError } from '@trpc/server'
import { CairnError } from '@cairn/core'
import { isWritable } from '../security/is-writable.ts'
import { assertCall, noteRefusal } from '../security/team/assert-call.ts'

const UNEXPECTED = 'The dashboard could not read the store; the reason is in the output of "cairn dashboard".'

const trpc = initTRPC.create({
  /** What of an error reaches the page: a sentence written for people, never a stack or a path. */
  errorFormatter: ({ shape, error }) => {
    const isForPeople = CairnError.is(error.cause)
    // Stack and path reveal things about the machine, so they stay on it.
    return {
      code: shape.code,
      message: isForPeople ? error.cause.message : error.code === 'INTERNAL_SERVER_ERROR' ? UNEXPECTED : error.message,
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus },
    }
  },
})

export const { router } = trpc

/** In a team's dashboard: what the asker's role does not show is refused before it is asked for, and text is written down. */
export const procedure = trpc.procedure.use(async ({ path, getRawInput, next }) => {
  await assertCall(path, getRawInput)
  const result = await next()
  if (!result.ok) noteRefusal(path, result.error)
  return result
})

/** A procedure that changes something: refused once more where the dashboard can only be read. */
export const writing = procedure.use(({ next }) => {
  if (!isWritable()) throw new TRPCError({ code: 'FORBIDDEN', message: 'This dashboard can only be read.' })
  return next()
})
