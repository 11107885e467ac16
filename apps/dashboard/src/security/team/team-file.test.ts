import { parseTeamFile } from './team-file.ts'

const LEAST = { issuer: 'https://id.example.com', audience: 'cairn', hosts: ['Cairn.example.com'] }
const parsed = (changes: object) => parseTeamFile(JSON.stringify({ ...LEAST, ...changes }), 'team-dashboard.json')

describe('the file of a team’s dashboard', () => {
  it('needs issuer, audience and hosts; without roles nobody has one', () => {
    expect(parsed({})).toMatchObject({
      hosts: ['cairn.example.com'],
      tokenHeader: 'authorization',
      roles: { viewer: [], lead: [], admin: [] },
      longestSessionHours: 12,
      proxies: 1,
    })
  })

  it.each([
    ['an issuer by plain HTTP', { issuer: 'http://id.example.com' }, /"issuer": must begin with https/],
    ['keys by plain HTTP', { jwksUrl: 'http://id.example.com/keys' }, /"jwksUrl": must begin with https/],
    ['no host', { hosts: [] }, /"hosts"/],
    ['a host that is an address', { hosts: ['https://cairn.example.com/'] }, /"hosts\.0": must be a name/],
    ['no signature', { algorithms: ['none'] }, /"algorithms\.0"/],
    ['a shared secret', { algorithms: ['HS256'] }, /"algorithms\.0"/],
    ['a header that anybody can write', { tokenHeader: 'x-forwarded-user' }, /"tokenHeader"/],
    ['an unknown role', { people: { ada: { role: 'root' } } }, /"people\.ada\.role"/],
    ['a misspelt setting', { role: {} }, /used: "role" is no setting of a team's dashboard\./],
    ['one within another', { people: { ada: { roles: 1 } } }, /"people\.ada\.roles" is no setting/],
    ['keys twice', { jwksUrl: 'https://id.example.com/keys', jwksFile: 'keys.json' }, /names keys twice/],
  ])('is refused with %s', (_what, changes, message) => {
    expect(() => parsed(changes)).toThrow(message)
  })

  it('may have an issuer on this machine by plain HTTP', () => {
    expect(parsed({ issuer: 'http://127.0.0.1:9000' }).issuer).toBe('http://127.0.0.1:9000')
  })

  it('is named where it is not JSON', () => {
    expect(() => parseTeamFile('{', 'team-dashboard.json')).toThrow(/team-dashboard\.json is not JSON/)
    expect(() => parseTeamFile('[]', 'team-dashboard.json')).toThrow(
      /can't be used: it has to be an object of settings\./,
    )
  })
})
