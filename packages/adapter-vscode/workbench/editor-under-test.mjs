// The real workbench with the extension, in a browser, for the tests beside.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, launch, openWindow } from './browser.mjs'
import { codeServer, installExtension, serve, vsix, writeSettings } from './code-server.mjs'

/** Without what covers the side bar, and without the user's own transcripts. */
const SETTINGS = {
  'workbench.startupEditor': 'none',
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.enabled': false,
  'window.commandCenter': false,
  'cairn.watch': false,
}

/** Paths in a new temporary folder, which is all that is made. */
export const temporaryFolders = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-')))
  return {
    folder,
    home: join(folder, 'home'),
    shop: join(folder, 'shop'),
    profile: join(folder, 'profile'),
    variables: { CAIRN_HOME: join(folder, 'data'), PATH: process.env.PATH },
  }
}

/**
 * Opens a folder with the side bar; `folder` holds all that is given, and is removed at the end.
 * @param {{ folder: string, home: string, profile: string, opened: string, variables: Record<string, string | undefined>, settings?: Record<string, unknown> }} paths
 */
export const startEditor = async ({ folder, home, profile, opened, variables, settings = {} }) => {
  const { entry } = codeServer()
  installExtension(entry, { home, profile, file: vsix })
  writeSettings(profile, { ...SETTINGS, ...settings })
  const server = await serve(entry, { home, profile, variables, log: join(folder, 'server.log') })
  const browser = await launch(findChromium())
  const window = await openWindow(browser, server.url, opened)
  await window.openSideBar()
  return {
    window,
    close: async () => {
      await browser.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
