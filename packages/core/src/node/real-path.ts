/** Where a path really leads, with every link followed, also for a file that is not there yet. */
import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Links that lead to links; more than this are a circle, which no file can be opened through. */
const LINKS_FOLLOWED = 40

/** What it gives; undefined where it throws. */
const attempt = (read: () => string): string | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * The path without links: of what exists of it, and of a link whose target does not exist. Never throws; a ring of
 * links is followed `linksLeft` times.
 */
export const realPathOf = (path: string, linksLeft: number = LINKS_FOLLOWED): string => {
  const real = attempt(() => realpathSync(path))
  if (real !== undefined) return real
  const link = linksLeft > 0 ? attempt(() => readlinkSync(path)) : undefined
  // A link is relative to the folder that it really lies in.
  if (link !== undefined) return realPathOf(resolve(realPathOf(dirname(path), linksLeft - 1), link), linksLeft - 1)
  const parent = dirname(path)
  return parent === path ? path : join(realPathOf(parent, linksLeft), basename(path))
}
