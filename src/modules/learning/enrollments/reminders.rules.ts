import { addDays } from '#platform/calendar'

/** Days after the due date on which learners are reminded. */
const steps = [-7, -1, 1, 7] as const

/**
 * Due days to remind of today, with their step. The day before is included, because a clock change may skip one; a learner is
 * reminded once per step.
 */
export const listReminders = (today: string): { due_on: string; step: number }[] =>
  steps.flatMap((step) => [
    { due_on: addDays(today, -step), step },
    { due_on: addDays(today, -step - 1), step },
  ])
