import { fileURLToPath } from 'node:url'

/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  // The store is native code, loaded from node_modules on the server only.
  serverExternalPackages: ['better-sqlite3', 'pg', '@prisma/client', '@prisma/adapter-better-sqlite3', '@prisma/adapter-pg', '@cairn/storage-prisma'],
  outputFileTracingRoot: fileURLToPath(new URL('../..', import.meta.url)),
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
  // Types are checked by the typecheck target, once.
  typescript: { ignoreBuildErrors: true },
}
