/** Whether a process has this id, whoever's it is. */
import { codeOf } from './system-reason.ts'

/**
 * Whether a process with this id is running on this machine, whoever's it is. @throws what the system says for a number
 * that is no id
 */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
