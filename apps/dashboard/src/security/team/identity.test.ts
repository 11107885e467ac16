import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { CryptoKey } from 'jose'
import { createIdentify } from './identity.ts'
import { parseTeamFile } from './team-file.ts'

interface Issuer {
  readonly url: string
  /** What it answers: the document's issuer, and its keys by their names. */
  readonly state: { issuer: string; readonly keys: Map<string, CryptoKey>; isDown: boolean; asked: number }
}

let server: Server
let issuer: Issuer

beforeEach(async () => {
  const state: Issuer['state'] = { issuer: '', keys: new Map(), isDown: false, asked: 0 }
  const answer = async (path: string): Promise<object> => {
    if (path.startsWith('/.well-known/')) return { issuer: state.issuer, jwks_uri: `${issuer.url}/keys` }
    state.asked += 1
    const keys = [...state.keys].map(async ([kid, key]) => ({ ...(await exportJWK(key)), kid, alg: 'RS256' }))
    return { keys: await Promise.all(keys) }
  }
  server = createServer((request, response) => {
    response.writeHead(state.isDown ? 503 : 200, { 'Content-Type': 'application/json' })
    void answer(request.url ?? '').then((body) => response.end(JSON.stringify(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the issuer has no port')
  const url = `http://127.0.0.1:${address.port}`
  state.issuer = url
  issuer = { url, state }
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const settingsOf = (changes: object = {}) =>
  parseTeamFile(
    JSON.stringify({
      issuer: issuer.url,
      audience: 'cairn',
      hosts: ['cairn.example.com'],
      roles: { lead: ['leads'] },
      ...changes,
    }),
    'team-dashboard.json',
  )

/** Makes a key of the issuer, and gives a token that it signed. */
const signed = async (kid: string, claims: object = {}): Promise<string> => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  issuer.state.keys.set(kid, publicKey)
  return new SignJWT({ groups: ['leads'], ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer.url)
    .setAudience('cairn')
    .setSubject('lea')
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey)
}

const bearer = (token: string): Headers => new Headers({ authorization: `Bearer ${token}` })
const LEA = { kind: 'known', person: { subject: 'lea', role: 'lead' } }

describe('who asks', () => {
  it('is known by keys that the issuer’s document names, which are kept', async () => {
    const token = await signed('one')
    const identify = createIdentify(settingsOf())
    for (let times = 0; times < 3; times += 1) expect(await identify(bearer(token))).toEqual(LEA)
    expect(issuer.state.asked).toBe(1)
  })

  it('is not known while the issuer does not answer, or speaks for another, and is afterwards', async () => {
    const token = await signed('one')
    const identify = createIdentify(settingsOf())
    issuer.state.isDown = true
    expect(await identify(bearer(token))).toMatchObject({ kind: 'refused', status: 503 })
    issuer.state.isDown = false
    issuer.state.issuer = 'https://another.example'
    expect(await identify(bearer(token))).toMatchObject({ kind: 'refused', status: 503 })
    issuer.state.issuer = issuer.url
    expect(await identify(bearer(token))).toEqual(LEA)
  })

  it('is not known by a key that the issuer does not have', async () => {
    const identify = createIdentify(settingsOf({ jwksUrl: `${issuer.url}/keys` }))
    expect(await identify(bearer(await signed('one')))).toEqual(LEA)
    const token = await signed('two')
    issuer.state.keys.delete('two')
    expect(await identify(bearer(token))).toMatchObject({ kind: 'refused', status: 401 })
  })

  it('is told by one header alone: the one that is set', async () => {
    const token = await signed('one')
    const sent = new Headers({ 'x-forwarded-access-token': token })
    expect(await createIdentify(settingsOf())(sent)).toMatchObject({ status: 401, reason: 'no token' })
    const identify = createIdentify(settingsOf({ tokenHeader: 'x-forwarded-access-token' }))
    expect(await identify(sent)).toEqual(LEA)
    expect(await identify(bearer(token))).toMatchObject({ status: 401, reason: 'no token' })
  })

  it('is nobody any more when the token ends, or the longest session', async () => {
    const token = await signed('one')
    const at = async (minutes: number, changes: object = {}): Promise<string> =>
      (await createIdentify(settingsOf(changes), () => Date.now() + minutes * 60_000)(bearer(token))).kind
    expect(await at(9)).toBe('known')
    expect(await at(11)).toBe('refused')
    expect(await at(9, { longestSessionHours: 0.1 })).toBe('refused')
  })

  it('is told why somebody has no role', async () => {
    const token = await signed('one', { groups: ['others'] })
    expect(await createIdentify(settingsOf())(bearer(token))).toEqual({
      kind: 'refused',
      status: 403,
      reason: 'no role',
      subject: 'lea',
    })
  })
})
