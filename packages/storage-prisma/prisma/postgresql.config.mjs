import { prismaConfig } from '../../../tools/prisma/dialects.mjs'

export default prismaConfig('postgresql', {
  // Full-text indexes, made by hand-written SQL in a migration.
  externalTables: ['search_document'],
})
