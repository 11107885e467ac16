/** The dimensions that tables of usage have, what they are called, and what their rows are called. */
import type { UsageDimension } from '@cairn/core'
import type { FilterName } from '../selection/selection.ts'
import { lastPart } from './project-names.ts'
import type { ProjectNames } from './project-names.ts'

export const DIMENSIONS = ['model', 'project', 'branch', 'agent'] as const satisfies readonly FilterName[]
/** One of {@link DIMENSIONS}. */
export type Dimension = (typeof DIMENSIONS)[number]

/** How a dimension is called. */
export interface DimensionName {
  /** Of a table of the overview. */
  readonly title: string
  readonly one: string
  readonly many: string
  /** Path of the page that holds all of them. */
  readonly path: string
}

export const DIMENSION_NAMES: Readonly<Record<Dimension, DimensionName>> = {
  model: { title: 'By model', one: 'Model', many: 'Models', path: '/models' },
  project: { title: 'By project', one: 'Project', many: 'Projects', path: '/projects' },
  branch: { title: 'By branch', one: 'Branch', many: 'Branches', path: '/branches' },
  agent: { title: 'By agent', one: 'Agent', many: 'Agents', path: '/agents' },
}

/** The store's word for each. */
export const STORE_DIMENSION: Readonly<Record<Dimension, UsageDimension>> = {
  model: 'model',
  project: 'project',
  branch: 'branch',
  agent: 'agent',
}

/** How a row is called. */
export interface RowName {
  readonly label: string
  /** Distinguishes rows with the same label: a project's path. */
  readonly detail: string | null
}

const UNKNOWN: Readonly<Record<Dimension, string>> = {
  model: 'Unknown model',
  project: 'No project',
  branch: 'No branch',
  agent: 'Unknown agent',
}

/**
 * Returns how a value is shown: a project by its name among `names`, with its whole folder or remote as detail (null if
 * that is the same), and `unknown` in words.
 */
export const rowName = (dimension: Dimension, key: string, names: ProjectNames = lastPart): RowName => {
  if (key === 'unknown') return { label: UNKNOWN[dimension], detail: null }
  if (dimension !== 'project') return { label: key, detail: null }
  const name = names(key)
  return name === key ? { label: key, detail: null } : { label: name, detail: key }
}
