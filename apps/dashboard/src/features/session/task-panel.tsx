'use client'
/** What the session is in the middle of: counters of its task, and its todo list. */
import { useQuery } from '@tanstack/react-query'
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { counted } from '../usage/figure.ts'
import type { TaskView } from './task-view.ts'

const MARKS = {
  completed: { sign: '✓', name: 'Done', style: 'text-muted line-through' },
  in_progress: { sign: '▸', name: 'In progress', style: 'font-medium text-ink' },
  pending: { sign: '○', name: 'To do', style: 'text-ink' },
} as const

/** Returns what a task has come to, in a line; all but the answers is left out if it is nothing. */
const factsOf = ({ answers, failedInARow, answersSinceTodo, hasUncheckedEdits, todo }: TaskView): string =>
  [
    counted(answers, 'answer'),
    ...(failedInARow > 0 ? [`the tools of the last ${counted(failedInARow, 'request')} failed`] : []),
    ...(hasUncheckedEdits ? ['files edited since the last checkpoint'] : []),
    ...(todo === null ? [] : [`${counted(answersSinceTodo, 'answer')} since the list changed`]),
  ].join(' · ')

interface TodoListProps {
  readonly todo: NonNullable<TaskView['todo']>
  /** How many items are not listed. */
  readonly more: number
}

/**
 * What the agent set itself to do. A long list scrolls, by keyboard as well. `more` counts those that are not shown.
 */
const TodoList = ({ todo, more }: TodoListProps) => (
  <div className="max-h-60 overflow-y-auto" tabIndex={0} role="region" aria-label="Todo list">
    <ul className="grid gap-1 px-4 pb-4 text-sm sm:px-5">
      {todo.map(({ text, status }, index) => (
        // Items have no id of their own, and the list is shown as it is.
        <li key={index} className="flex gap-2">
          <span aria-hidden="true">{MARKS[status].sign}</span>
          <span className="sr-only">{MARKS[status].name}:</span>
          <span className={`min-w-0 [overflow-wrap:anywhere] ${MARKS[status].style}`}>
            <StoreText text={text} />
          </span>
        </li>
      ))}
      {more > 0 && <li className="text-xs text-muted">{counted(more, 'other')} in the log</li>}
    </ul>
  </div>
)

/** A line of counters and the todo list of a session; nothing before the first reply. */
export const TaskPanel = ({ id }: { readonly id: string }) => {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.session.outline.queryOptions({ id }, { staleTime: 10_000 }))
  const task = data?.task
  if (task === undefined || task.answers === 0) return null
  const done = task.todo?.filter(({ status }) => status === 'completed').length ?? 0
  return (
    <Panel
      title="Task"
      aside={task.todo === null ? 'No todo list' : `${done} of ${task.todo.length + task.moreTodo} done`}
    >
      <p className="px-4 pt-1 pb-2 text-xs text-muted sm:px-5">{factsOf(task)}</p>
      {task.todo !== null && <TodoList todo={task.todo} more={task.moreTodo} />}
    </Panel>
  )
}
