// The tests in the browser: their own target, because they need the built dashboard and Chromium.
import { project } from '../../tools/jest/preset.mjs'

export default {
  ...project(import.meta.url),
  displayName: 'dashboard-e2e',
  testMatch: ['<rootDir>/e2e/**/*.e2e.ts'],
}
