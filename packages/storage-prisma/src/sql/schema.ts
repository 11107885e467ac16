/**
 * Tables as the raw statements see them: column types in the order of the migrations. The Prisma models
 * are the source; a test compares the two.
 */
export type ColumnType = 'int' | 'bigint' | 'text' | 'bytes'

export interface Table {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnType>>
}

const dimensionColumns = { workspace_id: 'int', model_id: 'int', mode_id: 'int', agent_id: 'int', branch_id: 'int' } as const

const sumColumns = {
  requests: 'int',
  input_tokens: 'bigint',
  cache_read: 'bigint',
  cache_write_5m: 'bigint',
  cache_write_1h: 'bigint',
  output_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  cost_nano: 'bigint',
  recorded_nano: 'bigint',
  cost_cache_read_nano: 'bigint',
  cost_cache_write_nano: 'bigint',
  cost_output_nano: 'bigint',
  saved_nano: 'bigint',
  unpriced: 'int',
  partial: 'int',
  missing_output: 'bigint',
} as const

export const tables = {
  workspace: { name: 'workspace', columns: { id: 'int', path: 'text', name: 'text' } },
  label: { name: 'label', columns: { id: 'int', kind: 'int', value: 'text' } },
  session: {
    name: 'session',
    columns: {
      id: 'int',
      key: 'text',
      agent_id: 'int',
      external_id: 'text',
      workspace_id: 'int',
      branch_id: 'int',
      title: 'text',
      titled: 'int',
      forked_from: 'text',
      started_at: 'bigint',
      updated_at: 'bigint',
      next_seq: 'int',
      message_count: 'int',
      favourite: 'int',
      redactions: 'int',
      requests: 'int',
      cost_nano: 'bigint',
      unpriced: 'int',
    },
  },
  deletedSession: { name: 'deleted_session', columns: { key: 'text', deleted_at: 'bigint' } },
  entry: {
    name: 'entry',
    columns: {
      id: 'int',
      session_id: 'int',
      seq: 'int',
      at: 'bigint',
      kind: 'int',
      role: 'int',
      external_id: 'text',
      pack_id: 'int',
      offset: 'int',
      length: 'int',
      body: 'bytes',
    },
  },
  pack: { name: 'pack', columns: { id: 'int', session_id: 'int', raw_size: 'int', refs: 'bytes', data: 'bytes' } },
  block: { name: 'block', columns: { id: 'int', hash: 'bytes', pack_id: 'int', offset: 'int', length: 'int', said: 'int' } },
  blockUse: { name: 'block_use', columns: { block_id: 'int', session_id: 'int' } },
  usage: {
    name: 'usage_fact',
    columns: {
      id: 'int',
      call_hash: 'bytes',
      session_id: 'int',
      at: 'bigint',
      workspace_id: 'int',
      model_id: 'int',
      provider_id: 'int',
      mode_id: 'int',
      agent_id: 'int',
      branch_id: 'int',
      subagent_id: 'int',
      input_tokens: 'int',
      cache_read: 'int',
      cache_write_5m: 'int',
      cache_write_1h: 'int',
      output_tokens: 'int',
      reasoning_tokens: 'int',
      cost_nano: 'bigint',
      cost_state: 'int',
      cost_cache_read: 'bigint',
      cost_cache_write: 'bigint',
      cost_output: 'bigint',
      saved_nano: 'bigint',
      visible_chars: 'int',
    },
  },
  usageQuarter: { name: 'usage_quarter', columns: { bucket: 'int', session_id: 'int', ...dimensionColumns, ...sumColumns } },
  usageDay: { name: 'usage_day', columns: { day: 'int', session_id: 'int', ...dimensionColumns, ...sumColumns } },
  usageMargin: { name: 'usage_margin', columns: { dimension: 'int', day: 'int', value_id: 'int', shard: 'int', ...sumColumns } },
  usageTotal: { name: 'usage_total', columns: { bucket: 'int', shard: 'int', ...sumColumns } },
  importedFile: {
    name: 'imported_file',
    columns: {
      id: 'int',
      path: 'text',
      agent: 'text',
      version: 'int',
      identity: 'text',
      size: 'bigint',
      modified_at: 'bigint',
      offset: 'bigint',
      line: 'int',
      fingerprint: 'text',
      parser_state: 'bytes',
    },
  },
  sourceRun: {
    name: 'source_run',
    columns: { id: 'int', file_id: 'int', session_id: 'int', first_line: 'int', line_count: 'int', pack_id: 'int', offset: 'int', length: 'int', bytes: 'int' },
  },
  importSkip: { name: 'import_skip', columns: { id: 'int', path: 'text', line: 'int', reason: 'text', count: 'int' } },
} as const satisfies Readonly<Record<string, Table>>

/** Names quoted for SQL: `offset` and `at` are words of the language in one dialect or the other. */
export const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')
