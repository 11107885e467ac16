import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { looksLikeAddress, normalisedRemote, remoteOf } from './remotes.ts'

describe('normalisedRemote', () => {
  it.each([
    'git@github.com:Acme/Shop.git',
    'git@GitHub.com:Acme/Shop',
    'github.com:Acme/Shop.git',
    'ssh://git@github.com/Acme/Shop.git',
    'ssh://git@github.com:22/Acme/Shop/',
    'ssh://git@github.com:2222/Acme/Shop',
    'https://github.com/Acme/Shop.git',
    'https://GITHUB.com:443/Acme/Shop/',
    'https://ada:ghp_zqtokenzq@github.com/Acme/Shop.git',
    'https://x-access-token@github.com/Acme/Shop?token=zqtokenzq#main',
    'http://github.com:80/Acme/Shop.git/',
    'git://github.com:9418/Acme/Shop.git',
    'git+ssh://git@github.com/Acme/Shop.git',
    'git@github.com:Acme/Shop.git?access_token=zqtokenzq',
    'git@github.com:Acme/Shop.git#zqtokenzq',
    'https://GitHub.com/ACME/shop.GIT',
    'https://www.github.com/acme/shop',
    'ssh://git@ssh.github.com:443/acme/shop.git',
    'git@ssh.github.com:acme/shop.git',
    '  https://github.com//Acme/Shop.git\n',
  ])('makes one address of %j', (address) => {
    expect(normalisedRemote(address)).toBe('github.com/acme/shop')
  })

  it.each([
    ['https://git.example.com:8443/team/app.git', 'git.example.com:8443/team/app'],
    ['https://dev.azure.com/acme/Shop/_git/api', 'dev.azure.com/acme/Shop/_git/api'],
    ['git@gitlab.com:acme/group/sub/app.git', 'gitlab.com/acme/group/sub/app'],
    ['git@gitlab.com:Acme/Group/App.git', 'gitlab.com/acme/group/app'],
    ['ssh://git@altssh.gitlab.com:443/acme/app.git', 'gitlab.com/acme/app'],
    ['https://ada@bitbucket.org/Acme/App', 'bitbucket.org/acme/app'],
    // Of another host it is not known.
    ['https://www.Example.com/Acme/App.Git', 'www.example.com/Acme/App'],
    ['git@ssh.example.com:Acme/App', 'ssh.example.com/Acme/App'],
    ['git@[2001:db8::1]:app.git', '[2001:db8::1]/app'],
    ['/srv/git/app.git', '/srv/git/app.git'],
    ['/code/app/.git', '/code/app'],
    ['file:///code/app/', '/code/app'],
    ['C:\\code\\app\\.git', 'C:\\code\\app'],
    ['file:///C:/code/app', 'C:/code/app'],
    ['file:///code/@ada/app', '/code/@ada/app'],
    ['/code/@ada/app', '/code/@ada/app'],
  ])('makes of %j %j', (address, expected) => {
    expect(normalisedRemote(address)).toBe(expected)
  })

  it.each([
    '',
    '   ',
    '../app.git',
    'app',
    'https://',
    'https://github.com',
    'https://github.com/',
    'git@host:',
    'a b:c',
    `https://h/${'x'.repeat(1_000)}`,
    'https://h/../etc',
    'ada:zqsecretzq@github.com:acme/shop.git',
    'https://ada:12/zqsecretzq@github.com/acme/shop.git',
    'https://ada:12/zq?secretzq@github.com/acme/shop.git',
    'https://ada:zq#secretzq@github.com/acme/shop.git',
    'https://gitlab.com/oauth2:zqsecretzq@x/acme/shop.git',
    'https://gitlab.com/oauth2:zqsecretzq%40x/acme/shop.git',
    'git@gitlab.com:oauth2:zqsecretzq@x/acme/shop.git',
  ])('finds no address in %j', (address) => {
    expect(normalisedRemote(address)).toBeUndefined()
  })

  it('keeps no password, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9%!$&*()_+=.;~:-]{1,40}$/), (secret) => {
        expect(normalisedRemote(`https://ada:zq${secret}zq@git.example.com/a/b.git`)).toBe('git.example.com/a/b')
      }),
    )
  })

  it('changes nothing of what it made itself', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const once = normalisedRemote(url)
        if (once !== undefined && !once.includes(':')) expect(normalisedRemote(`https://${once}`)).toBe(once)
      }),
    )
  })
})

describe('looksLikeAddress', () => {
  it.each([
    ['git@github.com:acme/shop.git', true],
    ['ada:zqsecretzq@github.com:acme/shop.git', true],
    [' https://github.com/acme/shop ', true],
    ['github.com/acme/shop', false],
    ['shop @work: all', false],
    ['C:\\code\\shop', false],
    ['/code/@ada/shop', false],
  ])('says of %j %j', (text, expected) => {
    expect(looksLikeAddress(text)).toBe(expected)
  })
})

describe('remoteOf', () => {
  it("takes origin's address before all others", () => {
    const config = `[core]
\tbare = false
\turl = https://git.example.com/no/remote
[remote "upstream"]
\turl = https://github.com/other/shop.git
[remote "origin"]
\tfetch = +refs/heads/*:refs/remotes/origin/*
\tpushurl = git@github.com:acme/pushed.git
\tURL = "git@github.com:acme/shop.git" ; ours
\turl = git@github.com:acme/second.git
[branch "main"]
\tremote = origin
`
    expect(remoteOf(config)).toBe('github.com/acme/shop')
    expect(remoteOf(config.replaceAll('\n', '\r\n'))).toBe('github.com/acme/shop')
    expect(remoteOf(config.replace('[remote "origin"]', '[remote "mine"]'))).toBe('github.com/other/shop')
  })

  it('finds none where there is none', () => {
    expect(remoteOf('[core]\n\tbare = false\n')).toBeUndefined()
    expect(remoteOf('')).toBeUndefined()
    expect(remoteOf('[remote "origin"]\n\turl = ../other\n')).toBeUndefined()
  })
})
