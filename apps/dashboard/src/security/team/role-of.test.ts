import { personOf } from './role-of.ts'

const settings = {
  groupsClaim: 'groups',
  roles: { viewer: ['staff'], lead: ['leads'], admin: ['admins'] },
  people: {
    'lea@example.com': { role: 'lead', person: 'Lea' },
    'u-7': { role: 'viewer' },
    'bo@example.com': { person: 'Bo' },
  },
} as const
const file = {
  ...settings,
  roles: { viewer: [...settings.roles.viewer], lead: [...settings.roles.lead], admin: [...settings.roles.admin] },
}
const roleOf = (claims: object): string | undefined => personOf(file, { sub: 'u-1', ...claims })?.role

describe('the role of claims', () => {
  it.each([
    ['a group', { groups: ['staff'] }, 'viewer'],
    ['the highest of several groups', { groups: ['staff', 'admins', 'leads'] }, 'admin'],
    ['a group as a text alone', { groups: 'leads' }, 'lead'],
    ['a verified address', { email: 'lea@example.com', email_verified: true }, 'lead'],
    ['an entry of their own before groups, also where it gives less', { sub: 'u-7', groups: ['admins'] }, 'viewer'],
    [
      'a group beside an entry without a role',
      { email: 'bo@example.com', email_verified: true, groups: ['staff'] },
      'viewer',
    ],
  ])('comes from %s', (_what, claims, role) => {
    expect(roleOf(claims)).toBe(role)
  })

  it.each([
    ['no claim', {}],
    ['another group', { groups: ['others'] }],
    ['groups of another form', { groups: { admins: true } }],
    ['a group inside of a text', { groups: 'staff,admins' }],
    ['an address that is not verified', { email: 'lea@example.com' }],
    ['an address that is said not to be', { email: 'lea@example.com', email_verified: false }],
    ['an address that is verified as a text', { email: 'lea@example.com', email_verified: 'true' }],
    ['what every object has', { sub: 'constructor', groups: ['__proto__'] }],
    ['nobody', { sub: '', groups: ['admins'] }],
    ['a number', { sub: 7, groups: ['admins'] }],
  ])('there is none for %s', (_what, claims) => {
    expect(roleOf(claims)).toBeUndefined()
  })
})

describe('the person of the store', () => {
  const personIn = (claims: object): string | undefined =>
    personOf(file, { sub: 'u-1', groups: ['staff'], ...claims })?.person

  it('is whom the file names, else the verified address', () => {
    expect(personIn({ email: 'bo@example.com', email_verified: true })).toBe('Bo')
    expect(personIn({ email: 'cy@example.com', email_verified: true })).toBe('cy@example.com')
    expect(personIn({ email: 'cy@example.com' })).toBeUndefined()
  })

  it('is never whom reports call unknown: those are the sessions of everybody who is not known', () => {
    expect(personIn({ email: 'unknown', email_verified: true })).toBeUndefined()
  })
})
