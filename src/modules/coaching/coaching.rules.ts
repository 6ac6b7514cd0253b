// Rules that worker threads of other modules load. They must not load the whole module.
export { analyzeConversation, presentMetrics } from './criteria/conversation.rules.ts'
export { evaluateCriteria, type Judgement } from './criteria/evaluate-criteria.rules.ts'
export { pickImprovements, pickStrengths } from './criteria/summarize-results.rules.ts'
