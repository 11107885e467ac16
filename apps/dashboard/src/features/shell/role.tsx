'use client'
/** What whoever looks at the pages may see of them: all, but in a team's dashboard. */
import { createContext, useContext, useMemo } from 'react'
import type { ReactNode } from 'react'
import { mayCall, mayOpen } from '../../security/team/access.ts'
import type { Role } from '../../security/team/role.ts'

const RoleContext = createContext<Role | undefined>(undefined)

/** Tells the components inside it the reader's role; undefined in a dashboard of one person. */
export const RoleProvider = ({ role, children }: { readonly role: Role | undefined; readonly children: ReactNode }) => (
  <RoleContext value={role}>{children}</RoleContext>
)

interface Allowed {
  readonly call: (procedure: string) => boolean
  readonly open: (path: string) => boolean
}

/** What the reader may ask for. The server decides each time again; this keeps pages from asking in vain. */
export const useAllowed = (): Allowed => {
  const role = useContext(RoleContext)
  return useMemo(
    () => ({
      call: (procedure) => role === undefined || mayCall(role, procedure),
      open: (path) => role === undefined || mayOpen(role, path),
    }),
    [role],
  )
}
