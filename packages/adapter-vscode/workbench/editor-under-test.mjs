// The real workbench with the extension, in a browser, for the tests beside.
import { rmSync } from 'node:fs'
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

/**
 * Opens a folder with the side bar; `folder` holds all that is given, and is removed at the end.
 * @param {{ folder: string, home: string, profile: string, opened: string, variables: Record<string, string | undefined>, settings?: Record<string, unknown> }} places
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
