/**
 * What each role may ask for; the pages know it, too, and do not ask for the rest. What is not named here is for admins
 * alone, so that something new is shown to nobody else before somebody has thought about it.
 *
 * Roles narrow twice: here by what is asked for, and in store-view.ts by what the store answers.
 */
import { isAtLeast } from './role.ts'
import type { Role } from './role.ts'

/** Procedures that answer with figures alone, as far as the store that they are given knows nothing else. */
const FIGURES: ReadonlyMap<string, Role> = new Map([
  ['usage.overview', 'viewer'],
  ['usage.dimension', 'viewer'],
  ['usage.latest', 'viewer'],
  ['usage.outside', 'viewer'],
  ['usage.choices', 'viewer'],
  ['insights.budgets', 'viewer'],
  ['insights.activeDays', 'viewer'],
  ['live.revision', 'viewer'],
  ['live.watching', 'viewer'],
  // Of a viewer's own sessions.
  ['sessions.page', 'viewer'],
  ['session.head', 'viewer'],
  ['session.context', 'viewer'],
  ['session.requests', 'viewer'],
  ['insights.spending', 'lead'],
  ['insights.paid', 'lead'],
])

/** Of these, the ones that answer an admin with titles. */
const TITLED: ReadonlySet<string> = new Set(['usage.overview', 'sessions.page', 'session.head'])

/** The tables that others than admins may export, and the least role for each. */
const EXPORTS: ReadonlyMap<string, Role> = new Map([
  ['day', 'viewer'],
  ['model', 'viewer'],
  ['project', 'viewer'],
  ['branch', 'viewer'],
  ['agent', 'viewer'],
  ['sessions', 'viewer'],
  ['requests', 'viewer'],
])

/** Pages without data of their own, and the files that they are made of. */
const PAGES: readonly (readonly [path: RegExp, role: Role])[] = [
  [/^\/$/, 'viewer'],
  [/^\/(?:models|projects|branches|agents|sessions)$/, 'viewer'],
  [/^\/sessions\/[^/]+$/, 'viewer'],
  [/^\/_next\/static\/[\w./~-]+$/, 'viewer'],
  [/^\/(?:icon\.svg|favicon\.ico)$/, 'viewer'],
  // What they answer is decided by procedure and table.
  [/^\/api\/(?:trpc|export)\/[^/]+$/, 'viewer'],
  [/^\/insights$/, 'lead'],
]

/** The sentence for what a role may not call. */
export const NOT_SHOWN = 'Your role does not show this.'

/** Whether a role may call a procedure, by its whole name. */
export const mayCall = (role: Role, procedure: string): boolean => isAtLeast(role, FIGURES.get(procedure) ?? 'admin')

/** Whether what a procedure answers this role is logged: everything that is or may be text. */
export const isAudited = (role: Role, procedure: string): boolean =>
  role === 'admin' && (!FIGURES.has(procedure) || TITLED.has(procedure))

/** Whether a role may export a table; only admins may export one that is not listed. */
export const mayExport = (role: Role, table: string): boolean => isAtLeast(role, EXPORTS.get(table) ?? 'admin')

/** Whether a role may open an address, by its path as it came; only admins may open one that is not listed. */
export const mayOpen = (role: Role, pathname: string): boolean =>
  isAtLeast(role, PAGES.find(([path]) => path.test(pathname))?.[1] ?? 'admin')

/** Procedures that somebody other than an admin may call; for tests. */
export const FIGURE_PROCEDURES: readonly string[] = [...FIGURES.keys()]
