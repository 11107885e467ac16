/** tRPC's building blocks, and what the page learns of a failure: a sentence written for people, or a general one. */
import { initTRPC, TRPCError } from '@trpc/server'
import { CairnError } from '@cairn/core'
import { isWritable } from '../security/is-writable.ts'

const UNEXPECTED = 'The dashboard could not read the store; the reason is in the output of "cairn dashboard".'

const trpc = initTRPC.create({
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
export const { procedure } = trpc

/** A procedure that changes something: refused once more where the dashboard can only be read. */
export const writing = trpc.procedure.use(({ next }) => {
  if (!isWritable()) throw new TRPCError({ code: 'FORBIDDEN', message: 'This dashboard can only be read.' })
  return next()
})
