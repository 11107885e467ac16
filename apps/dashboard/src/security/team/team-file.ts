/** The file that `cairn dashboard --team` goes by: who signs identities, who has which role, what is allowed. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CairnError, messageOf } from '@cairn/core'
import { z } from 'zod'
import { ROLES } from './role.ts'

/** Signatures that only the issuer can make: none with a shared secret, and not "none". */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const
/** Where oauth2-proxy puts a token: with `pass_authorization_header`, or `pass_access_token`. */
const TOKEN_HEADERS = ['authorization', 'x-forwarded-access-token'] as const

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Keys that come by plain HTTP could be anybody's; on this machine itself they can't. */
const issuerUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || LOOPBACK.has(hostname)
}, 'must begin with https://')

const host = z
  .string()
  .regex(/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i, 'must be a name, perhaps with a port, such as cairn.example.com')
  .transform((name) => name.toLowerCase())

/** Returns the schema of a rate limit with its defaults, which hold where it or a part of it is not given. */
const limit = (perSecond: number, burst: number) =>
  z
    .strictObject({
      perSecond: z.number().positive().max(100_000).default(perSecond),
      burst: z.int().min(1).max(1_000_000).default(burst),
    })
    .prefault({})

const groups = z.array(z.string().min(1)).default([])

const teamFileSchema = z.strictObject({
  /** The `iss` of tokens, exactly. */
  issuer: issuerUrl,
  /** The `aud` of tokens: the client id that the proxy has at the issuer. */
  audience: z.string().min(1),
  /** Where the issuer's keys are; default: where its discovery document says. */
  jwksUrl: issuerUrl.optional(),
  /** The issuer's keys as a file (a JWK Set), where they can't be fetched; relative to this file. */
  jwksFile: z.string().min(1).optional(),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
  tokenHeader: z.enum(TOKEN_HEADERS).default('authorization'),
  /** What the browser calls the dashboard: nothing is answered under another name. */
  hosts: z.array(host).min(1),
  groupsClaim: z.string().min(1).default('groups'),
  /** Groups by the role that they give; the highest counts. */
  roles: z.strictObject({ viewer: groups, lead: groups, admin: groups }).prefault({}),
  /** By verified address or `sub`: a role of their own, and what they are called in the store. */
  people: z
    .record(z.string().min(1), z.strictObject({ role: z.enum(ROLES).optional(), person: z.string().min(1).optional() }))
    .default({}),
  /** A token that was issued longer ago is refused, whatever it says itself. */
  longestSessionHours: z.number().positive().max(720).default(12),
  /** Relative to this file. */
  audit: z.string().min(1).default('team-audit.jsonl'),
  /** How many proxies stand between the browser and this server, each adding to X-Forwarded-For. */
  proxies: z.int().min(1).max(10).default(1),
  perPerson: limit(20, 400),
  perAddress: limit(60, 1_200),
})

/** The settings of a team's dashboard. */
export type TeamSettings = z.infer<typeof teamFileSchema>

/** The first thing that is wrong with the content, as a sentence's end: where it is, and what. */
const faultOf = ({ issues: [issue] }: z.ZodError): string => {
  if (issue === undefined) return 'it is not as expected'
  if (issue.code === 'unrecognized_keys')
    return `"${[...issue.path, issue.keys[0] ?? ''].join('.')}" is no setting of a team's dashboard`
  return issue.path.length === 0 ? 'it has to be an object of settings' : `"${issue.path.join('.')}": ${issue.message}`
}

/**
 * Returns the settings in a file's content; its paths are not changed. `path` is for the messages alone.
 * @throws CairnError `usage` that names what is wrong
 */
export const parseTeamFile = (content: string, path: string): TeamSettings => {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (cause) {
    throw new CairnError('usage', `${path} is not JSON: ${messageOf(cause)}.`, { cause })
  }
  const read = teamFileSchema.safeParse(value)
  if (!read.success)
    throw new CairnError(
      'usage',
      `${path} can't be used: ${faultOf(read.error)}. docs/team-dashboard.md has an example.`,
    )
  const { jwksUrl, jwksFile } = read.data
  if (jwksUrl !== undefined && jwksFile !== undefined)
    throw new CairnError('usage', `${path} names keys twice: keep either "jwksUrl" or "jwksFile".`)
  return read.data
}

/**
 * Returns the settings in a file, with absolute paths. Paths in it are relative to its folder.
 * @throws CairnError `usage` if it can't be read or used
 */
export const readTeamFile = (path: string): TeamSettings => {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CairnError(
      'usage',
      `The team's dashboard needs a file that says who may see it, and ${path} can't be read: ${messageOf(cause)}. docs/team-dashboard.md has an example.`,
      { cause },
    )
  }
  const settings = parseTeamFile(content, path)
  const near = (name: string): string => resolve(dirname(path), name)
  return {
    ...settings,
    audit: near(settings.audit),
    ...(settings.jwksFile === undefined ? {} : { jwksFile: near(settings.jwksFile) }),
  }
}
