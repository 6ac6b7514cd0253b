import type { StepValues } from './step-model.ts'

type Wait = Pick<StepValues, 'delay_days' | 'delay_hours'>

/** The day of each step, counted from the enrollment, if nothing holds a step up. */
export function daysOfSteps(steps: readonly Wait[]): number[] {
  let hours = 0
  return steps.map(({ delay_days, delay_hours }) => {
    hours += delay_days * 24 + delay_hours
    return Math.floor(hours / 24)
  })
}
