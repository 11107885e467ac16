/** A folder with all that a team's dashboard is started from: a filled store, the issuer's keys, and who may see what. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOST } from './team-attempts.ts'
import { createTestIssuer } from './team-issuer.ts'
import type { TestIssuer } from './team-issuer.ts'
import { fillTeamStore } from './team-store.ts'

export interface TeamFolder {
  readonly folder: string
  /** The address of the store in it. */
  readonly store: string
  readonly issuer: TestIssuer
  /** What a server is started with, so that it is this team's. */
  readonly variables: Readonly<Record<string, string>>
}

/** Makes the folder, to be removed by the caller; `settings` are those of team-dashboard.json beside issuer and host. */
export const makeTeamFolder = async (settings: Readonly<Record<string, unknown>>): Promise<TeamFolder> => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-team-'))
  const issuer = await createTestIssuer()
  const store = `file:${join(folder, 'team.db')}`
  await fillTeamStore(store, folder)
  writeFileSync(join(folder, 'keys.json'), issuer.keys)
  const file = join(folder, 'team-dashboard.json')
  writeFileSync(
    file,
    JSON.stringify({
      issuer: 'https://id.example.com',
      audience: 'cairn',
      jwksFile: 'keys.json',
      hosts: [HOST],
      ...settings,
    }),
  )
  return { folder, store, issuer, variables: { CAIRN_HOME: folder, CAIRN_DASHBOARD_TEAM: file } }
}
