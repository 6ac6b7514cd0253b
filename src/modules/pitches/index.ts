export {
  type AssignedPitch,
  countOverduePitches,
  filterActivePromptIds,
  findApprovedPitch,
  findLastPitchScore,
  listAssigneeIds,
  listPitches,
  lockPromptOfModule,
  readPitchFacts,
} from './facts/facts.queries.ts'
export { pitches } from './pitches.module.ts'
export { promptUsePoint } from './prompts/prompt-row.ts'
