import type { PublicStep } from '../visits/visits.schemas.ts'

const isLeft = ({ status }: PublicStep) => status !== 'done' && status !== 'cancelled'

export const findNextStep = (steps: readonly PublicStep[]): PublicStep | undefined =>
  steps.find((step) => step.side === 'buyer' && isLeft(step))

export function countSteps(steps: readonly PublicStep[]): { done: number; total: number } {
  const counted = steps.filter(({ status }) => status !== 'cancelled')
  return { done: counted.filter(({ status }) => status === 'done').length, total: counted.length }
}
