/**
 * Subscriptions and discounts by the settings: the user's own are for all projects, a project's for that project. A file
 * that can't be read names none, nor does a setting with anything wrong in it.
 */
import type { ProjectPlans } from '../insights/paid.ts'
import { parseDiscounts, parseSubscriptions } from '../usage/plans.ts'
import { settingsByProject } from './settings-by-project.ts'
import type { Surroundings } from './settings-paths.ts'

/**
 * The subscriptions and discounts that are set: first those of all projects, then each project's, in the order in which
 * these are given. A setting with anything wrong in it counts as empty; files without any have no element.
 * @param projects paths as the store has them; one that is no absolute path of this machine has none
 */
export const projectPlans = (surroundings: Surroundings, projects: readonly string[]): readonly ProjectPlans[] =>
  settingsByProject(surroundings, projects).flatMap(({ project, settings }) => {
    const [subscriptions, discounts] = [
      parseSubscriptions(settings['subscriptions']),
      parseDiscounts(settings['discounts']),
    ]
    const plans = {
      project,
      subscriptions: subscriptions.ok ? subscriptions.value : [],
      discounts: discounts.ok ? discounts.value : [],
    }
    return plans.subscriptions.length + plans.discounts.length === 0 ? [] : [plans]
  })
