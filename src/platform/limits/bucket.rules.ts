import type { Allowance } from './buckets.ts'

/**
 * A bucket is remembered as a debt: how long it takes until it is full again. Each request adds one interval;
 * the debt may never exceed what a full bucket holds.
 */
export type Measure = { intervalUs: number; capacity: number }

/** What somebody wants to take out of a bucket. */
export type Draw = Measure & { key: string; cost: number }

/** The debts as found, before anything was taken; something was taken only if every bucket had room. */
export type Outcome = { isTaken: boolean; debtsUs: number[] }

/** `factor` scales the limit; of several processes that cannot see one another each has its share. */
export function measure({ limit, windowSeconds, burst }: Allowance, factor: number, shares: number): Measure {
  const perWindow = (limit * factor) / shares
  const atOnce = ((burst ?? limit) * factor) / shares
  return {
    intervalUs: Math.max(1, Math.round((windowSeconds * 1_000_000) / perWindow)),
    capacity: Math.max(1, Math.floor(atOnce)),
  }
}

/** What costs more than a full bucket holds is let through by a full one, rather than never. */
export const costIn = ({ capacity }: Measure, cost: number): number => Math.min(cost, capacity)

export const canTake = ({ intervalUs, capacity, cost }: Draw, debtUs: number): boolean =>
  debtUs + cost * intervalUs <= capacity * intervalUs

export const debtAfter = ({ intervalUs, cost }: Draw, debtUs: number, isTaken: boolean): number =>
  isTaken ? debtUs + cost * intervalUs : debtUs

/** What the caller is told about one bucket. */
export function tell(draw: Draw, debtUs: number, isTaken: boolean) {
  const full = draw.capacity * draw.intervalUs
  const debt = debtAfter(draw, debtUs, isTaken)
  const allowed = canTake(draw, debtUs)
  const waitUs = allowed ? debt : debtUs + draw.cost * draw.intervalUs - full
  return {
    allowed,
    remaining: Math.floor((full - debt) / draw.intervalUs),
    resetSeconds: Math.ceil(waitUs / 1_000_000),
  }
}
