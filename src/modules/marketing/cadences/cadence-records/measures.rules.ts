/**
 * Counts of a step and, summed, of its cadence, all of them of runs: `sent` are emails in the state `done`. Delivered emails are those
 * sent that did not bounce.
 */
export type StepMeasure = 'sent' | 'opened' | 'clicked' | 'replied' | 'bounced' | 'tasks_done' | 'tasks_skipped'

/** Counts of a whole cadence, which have its id as the step. There are also `exited_` with each reason. */
export type EnrollmentMeasure = 'enrolled' | 'completed' | 'exited' | 'persons_delivered' | 'persons_replied'

export type Counts = Partial<Record<string, number>>

/** Every enrollment is live, completed or exited. */
export const countLive = ({ enrolled = 0, completed = 0, exited = 0 }: Counts): number => enrolled - completed - exited
