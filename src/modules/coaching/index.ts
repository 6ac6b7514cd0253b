export { coaching } from './coaching.module.ts'
export { completeCriteria, listCriteriaProblems } from './criteria/complete-criteria.rules.ts'
export {
  type Criterion,
  CriterionResult,
  CriterionSummary,
  monologueKinds,
  NewCriteria,
  type NewCriterion,
} from './criteria/criteria.schemas.ts'
export { calculateReviewScore, containsQuote, type Judgement, meanScore } from './criteria/evaluate-criteria.rules.ts'
export { type Language, languages } from './criteria/lexicons/lexicon.ts'
export {
  filterPublishedScenarioIds,
  findPassedRoleplay,
  hasPublishedScenarios,
  listRepIds,
  listScoredSessions,
  readCoachingFacts,
  type ScoredSession,
} from './facts/facts.queries.ts'
export { recordPracticeAudit } from './practice-audit/record-practice-audit.ts'
export { scenarioUsePoint } from './scenarios/scenario-row.ts'
export { lockScenarioShared } from './scenarios/scenarios.queries.ts'
export { readSpeechProvider } from './settings/speech-settings.ts'
