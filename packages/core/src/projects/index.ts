/** Which folders are one project. */
export { createProjects, type Project, type ProjectChange, type ProjectDeps, type Projects } from './create-projects.ts'
export { nameOfProject, projectsMeant, projectsOf, workspacesOfProject } from './group-projects.ts'
export type { FoundWorkspace, ProjectStorage, ProjectWorkspace, WorkspaceFinding } from '../ports/project-storage.ts'
