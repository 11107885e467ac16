import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  // The store is native code, loaded from node_modules on the server only. Packages that load it are taken from there as well.
  serverExternalPackages: [
    'better-sqlite3',
    'pg',
    '@prisma/client',
    '@prisma/adapter-better-sqlite3',
    '@prisma/adapter-pg',
    '@cairn/storage-prisma',
    '@cairn/core',
  ],
  outputFileTracingRoot: repository,
  turbopack: { root: repository },
  // Browsers ask for it while the icon's own link is replaced, on the way from page to page.
  rewrites: () => Promise.resolve([{ source: '/favicon.ico', destination: '/icon.svg' }]),
  // Types are checked by the typecheck target, once.
  typescript: { ignoreBuildErrors: true },
}
