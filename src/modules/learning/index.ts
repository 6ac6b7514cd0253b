export {
  countEnrollments,
  type LearningFacts,
  listEnrollments,
  listLearningFacts,
  listQuizScores,
  type MandatoryEnrollment,
} from './facts/facts.queries.ts'
export { learning } from './learning.module.ts'
