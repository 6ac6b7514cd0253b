export { experts } from './experts.module.ts'
export { readExpertFacts } from './facts/facts.queries.ts'
