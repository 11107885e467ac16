import { prismaConfig } from '../../../tools/prisma/dialects.mjs'

export default prismaConfig('sqlite', {
  // Full-text indexes, made by hand-written SQL in a migration.
  externalTables: [
    'search_text',
    'search_text_data',
    'search_text_idx',
    'search_text_content',
    'search_text_docsize',
    'search_text_config',
  ],
})
