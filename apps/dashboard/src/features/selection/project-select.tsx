'use client'
/** Chooses one of the projects that a page of single folders knows. */
import type { ReactNode } from 'react'
import { useValueName } from './use-value-name.ts'

interface ProjectSelectProps {
  /** Undefined: all. */
  readonly project: string | undefined
  /** Whether the chosen project is among the options. */
  readonly isListed: boolean
  readonly choose: (project: string | undefined) => void
  /** An option for each project. */
  readonly children: ReactNode
}

/** A list of projects with all of them as the first choice; a chosen one that is not listed is in it by its name. */
export const ProjectSelect = ({ project, isListed, choose, children }: ProjectSelectProps) => {
  const nameOf = useValueName()
  return (
    <select
      aria-label="Project"
      value={project ?? ''}
      onChange={(event) => choose(event.target.value === '' ? undefined : event.target.value)}
      dir="auto"
      className={`w-full min-w-0 rounded-lg border bg-panel px-2.5 py-1.5 text-sm text-ink sm:w-64 ${project === undefined ? 'border-line' : 'border-accent'}`}
    >
      <option value="">All projects</option>
      {project !== undefined && !isListed && <option value={project}>{nameOf('project', project)}</option>}
      {children}
    </select>
  )
}
