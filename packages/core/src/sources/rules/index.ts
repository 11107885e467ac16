/** `@cairn/core/sources/rules`: rules files of agents, and which of them count. */
export { readRules, type ReadRules, type RuleDisk } from './read-rules.ts'
export type { RuleSection } from './rule-section.ts'
export { ruleSet, type RuleQuestion, type Switches } from './rule-set.ts'
export { workflowPrompts, workflowText, type WorkflowPrompt } from './workflow-prompts.ts'
export type { Rule, RuleAgent, RuleFile, RuleScope, RuleSet, Workflow, WorkflowFile } from './rule.ts'
