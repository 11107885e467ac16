import { homedir } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { surroundingsOfProcess } from './locations.ts'

describe('the surroundings of a process', () => {
  const removed = (): string => {
    throw Object.assign(new Error('process.cwd failed'), { code: 'ENOENT', syscall: 'uv_cwd' })
  }
  const platform = 'linux'

  it('have the working folder, whatever the environment says', () => {
    expect(surroundingsOfProcess({ cwd: () => '/code/app', env: { PWD: '/link' }, platform }).folder).toBe('/code/app')
  })

  it.each([
    ['where it was, by the shell', { PWD: '/code/gone' }, '/code/gone'],
    ['the home folder, where nothing else is known', {}, homedir()],
    ['the home folder, where PWD is no absolute path', { PWD: 'gone' }, homedir()],
  ])('have in the place of a folder that was removed: %s', (_what, env, folder) => {
    expect(surroundingsOfProcess({ cwd: removed, env, platform }).folder).toBe(folder)
  })
})
