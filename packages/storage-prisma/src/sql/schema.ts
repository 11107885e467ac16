/**
 * Tables as the raw statements see them: column types in the order of the migrations. The Prisma models
 * are the source; a test compares the two.
 */
import { TOKEN_COUNTS } from '@cairn/core'
import type { TokenColumn } from '@cairn/core'

export type ColumnType = 'int' | 'bigint' | 'real' | 'text' | 'bytes'

export interface Table {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnType>>
}

/** Column of `block`: 1 when an entry holds the text, 0 when only source lines do. */
export const IN_ENTRY = 'said'

/** The token counts, each as a column. */
const tokenColumns = <Type extends ColumnType>(type: Type): Readonly<Record<TokenColumn, Type>> =>
  // Each column is a row of the list.
  Object.fromEntries(TOKEN_COUNTS.map(({ column }) => [column, type])) as Record<TokenColumn, Type>

const dimensionColumns = {
  workspace_id: 'int',
  model_id: 'int',
  mode_id: 'int',
  agent_id: 'int',
  branch_id: 'int',
} as const

const sumColumns = {
  requests: 'int',
  ...tokenColumns('bigint'),
  cost_nano: 'bigint',
  recorded_nano: 'bigint',
  cost_cache_read_nano: 'bigint',
  cost_cache_write_nano: 'bigint',
  cost_output_nano: 'bigint',
  saved_nano: 'bigint',
  unpriced: 'int',
  partial: 'int',
  missing_output: 'bigint',
  missing_output_nano: 'bigint',
  timed: 'int',
  first_token_ms: 'bigint',
  total_ms: 'bigint',
} as const

export const tables = {
  workspace: {
    name: 'workspace',
    columns: {
      id: 'int',
      path: 'text',
      name: 'text',
      finding: 'int',
      remote: 'text',
      chosen_project: 'text',
      sent_project: 'text',
    },
  },
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
      missing_output_nano: 'bigint',
      checksum: 'int',
      unsynced: 'int',
      unsynced_from: 'int',
      synced_entries: 'int',
      shared: 'int',
      machine_id: 'int',
    },
  },
  machine: {
    name: 'machine',
    columns: {
      id: 'int',
      key: 'text',
      name: 'text',
      person: 'text',
      synced_at: 'bigint',
      person_key: 'text',
      owner: 'text',
    },
  },
  cleanUp: {
    name: 'clean_up',
    columns: { id: 'int', at: 'bigint', removed_names: 'int', report: 'text' },
  },
  healthSample: { name: 'health_sample', columns: { bucket: 'int', data: 'text' } },
  deletedSession: { name: 'deleted_session', columns: { key: 'text', deleted_at: 'bigint', withdraw: 'int' } },
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
      checksum: 'int',
    },
  },
  pack: { name: 'pack', columns: { id: 'int', session_id: 'int', raw_size: 'int', refs: 'bytes', data: 'bytes' } },
  block: {
    name: 'block',
    columns: { id: 'int', hash: 'bytes', pack_id: 'int', offset: 'int', length: 'int', [IN_ENTRY]: 'int' },
  },
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
      ...tokenColumns('int'),
      cost_nano: 'bigint',
      cost_state: 'int',
      cost_cache_read: 'bigint',
      cost_cache_write: 'bigint',
      cost_output: 'bigint',
      saved_nano: 'bigint',
      visible_chars: 'int',
      output_rate: 'bigint',
      attempt: 'int',
      first_token_ms: 'int',
      total_ms: 'int',
      checksum: 'int',
    },
  },
  requestFailure: {
    name: 'request_failure',
    columns: {
      failure_hash: 'bytes',
      session_id: 'int',
      at: 'bigint',
      model_id: 'int',
      provider_id: 'int',
      mode_id: 'int',
      code: 'text',
      attempt: 'int',
      total_ms: 'int',
      checksum: 'int',
    },
  },
  usageQuarter: {
    name: 'usage_quarter',
    columns: { bucket: 'int', session_id: 'int', ...dimensionColumns, ...sumColumns },
  },
  usageDay: { name: 'usage_day', columns: { day: 'int', session_id: 'int', ...dimensionColumns, ...sumColumns } },
  usageMargin: {
    name: 'usage_margin',
    columns: { dimension: 'int', day: 'int', value_id: 'int', shard: 'int', ...sumColumns },
  },
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
      checksum: 'int',
    },
  },
  sourceRun: {
    name: 'source_run',
    columns: {
      id: 'int',
      file_id: 'int',
      session_id: 'int',
      first_line: 'int',
      line_count: 'int',
      pack_id: 'int',
      offset: 'int',
      length: 'int',
      bytes: 'int',
    },
  },
  noteVersion: {
    name: 'note_version',
    columns: {
      id: 'int',
      workspace: 'text',
      key: 'text',
      text: 'text',
      session_id: 'text',
      created_at: 'bigint',
      valid_from: 'bigint',
      valid_to: 'bigint',
      checksum: 'int',
    },
  },
  memoryVersion: {
    name: 'memory_version',
    columns: {
      id: 'int',
      entry_id: 'text',
      workspace: 'text',
      kind: 'text',
      text: 'text',
      confidence: 'real',
      examples: 'text',
      session_id: 'text',
      message_id: 'text',
      first_seen_at: 'bigint',
      last_confirmed_at: 'bigint',
      applications: 'int',
      valid_from: 'bigint',
      valid_to: 'bigint',
      confirmations: 'int',
      contradictions: 'int',
      commit: 'text',
      source: 'text',
      ended: 'text',
      replaced_by: 'text',
      words: 'text',
      checksum: 'int',
    },
  },
  searchTail: {
    name: 'search_tail',
    columns: { entry_id: 'int', session_id: 'int', seq: 'int', workspace_id: 'int', data: 'bytes' },
  },
  searchSegment: {
    name: 'search_segment',
    columns: { id: 'int', workspace_id: 'int', level: 'int', messages: 'int', bytes: 'int', head: 'bytes' },
  },
  searchPage: { name: 'search_page', columns: { id: 'int', data: 'bytes' } },
  searchPending: { name: 'search_pending', columns: { session_id: 'int', from_seq: 'int', until_seq: 'int' } },
  importSkip: {
    name: 'import_skip',
    columns: { id: 'int', path: 'text', line: 'int', reason: 'text', count: 'int', checksum: 'int' },
  },
  state: {
    name: 'state',
    columns: { scope: 'text', key: 'text', value: 'text', updated_at: 'bigint', revision: 'bigint', checksum: 'int' },
  },
  stateScope: { name: 'state_scope', columns: { scope: 'text', revision: 'bigint', origin: 'bigint' } },
  checkpoint: {
    name: 'checkpoint',
    columns: {
      id: 'text',
      workspace: 'text',
      session_id: 'text',
      at: 'bigint',
      commit: 'text',
      files: 'int',
      bytes: 'bigint',
      kind: 'text',
      label: 'text',
      left_out: 'text',
      checksum: 'int',
    },
  },
} as const satisfies Readonly<Record<string, Table>>

/** The names of columns, quoted and separated by commas: `offset` and `at` are keywords in one dialect or the other. */
export const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')
