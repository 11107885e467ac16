import { expect, it } from '@jest/globals'
import { UNKNOWN_KEY } from '../usage/calendar.ts'
import { isMeant } from './project-filter.ts'

it('a request of a folder that is not known is meant where every part of the filter asks for such', () => {
  const project = { key: 'github.com/acme/shop', workspaces: new Set(['/w/shop', '/srv/clone']) }
  const unknown = { key: UNKNOWN_KEY, workspaces: new Set<string>() }
  expect(isMeant(null, {})).toBe(true)
  expect(isMeant(null, { workspace: UNKNOWN_KEY })).toBe(true)
  expect(isMeant(null, { project: unknown })).toBe(true)
  expect(isMeant(null, { workspace: UNKNOWN_KEY, project: unknown })).toBe(true)
  expect(isMeant(null, { workspace: UNKNOWN_KEY, project })).toBe(false)
  expect(isMeant(null, { workspace: 'shop', project: unknown })).toBe(false)
  expect(isMeant(null, { project })).toBe(false)
  expect(isMeant('/w/shop', { workspace: 'shop', project })).toBe(true)
  expect(isMeant('/other/shop', { workspace: 'shop', project })).toBe(false)
})
