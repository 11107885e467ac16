import { describe, expect, it } from '@jest/globals'
import { isSecretName } from './left-out.ts'
import { rootRefusal } from './root-refusal.ts'

const refusal = (root: string, isRepository = false) =>
  rootRefusal({ root, isRepository, home: '/home/ada', dataFolder: '/home/ada/.local/share/cairn' })

describe('A root is refused', () => {
  it('where it is the disk, the home folder, above it, or Cairn’s own', () => {
    expect(refusal('/')).toBe('it is the root of the disk')
    expect(refusal('C:\\')).toBe('it is the root of the disk')
    expect([refusal('/home/ada'), refusal('/home/ada', true)]).toEqual(Array(2).fill('it is your home folder'))
    expect(refusal('/home')).toBe('your home folder lies in it')
    expect(refusal('/home/ada/.local/share/cairn/checkpoints')).toBe('it is Cairn’s own folder')
  })

  it('not where it is a project, whatever its name begins with', () => {
    for (const root of ['/home/ada/app', '/home/adam', '/srv', '/home/ada/.local/share/cairn2'])
      expect(refusal(root)).toBeUndefined()
    expect(refusal('/home', true)).toBeUndefined()
  })
})

describe('Names of secrets', () => {
  it.each([
    '.env',
    '.env.local',
    '.ENV',
    'server.pem',
    'tls.KEY',
    'id_rsa',
    'id_ed25519_sk',
    '.netrc',
    'credentials.json',
    'service-account-prod.json',
  ])('%s is one', (name) => expect(isSecretName(name)).toBe(true))
  it.each([
    '.env.example',
    '.env.local.sample',
    '.environment',
    'env',
    'key.ts',
    'monkey',
    'id_rsa.pub',
    'credentials.ts',
    'pem',
  ])('%s is none', (name) => expect(isSecretName(name)).toBe(false))
})
