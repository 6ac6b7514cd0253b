import type { RateLimit } from './buckets.ts'

/**
 * GCRA (token bucket): the stored state of a bucket is its debt, the time until it is full again. Each request adds
 * `intervalUs`; the debt never exceeds `capacity` intervals.
 */
export type BucketSize = { intervalUs: number; capacity: number }

export type BucketDraw = BucketSize & { key: string; cost: number }

/** `debtsUs` are the debts before the draw; tokens are taken only if every bucket has enough. */
export type DrawOutcome = { isTaken: boolean; debtsUs: number[] }

export function scaleBucket({ limit, windowSeconds, burst }: RateLimit, factor: number, shares: number): BucketSize {
  const perWindow = (limit * factor) / shares
  const burstSize = ((burst ?? limit) * factor) / shares
  return {
    intervalUs: Math.max(1, Math.round((windowSeconds * 1_000_000) / perWindow)),
    capacity: Math.max(1, Math.floor(burstSize)),
  }
}

/** A cost above the capacity would never pass, so it is capped: a full bucket lets it through. */
export const cappedCost = ({ capacity }: BucketSize, cost: number): number => Math.min(cost, capacity)

export const canTake = ({ intervalUs, capacity, cost }: BucketDraw, debtUs: number): boolean =>
  debtUs + cost * intervalUs <= capacity * intervalUs

export const debtAfter = ({ intervalUs, cost }: BucketDraw, debtUs: number, isTaken: boolean): number =>
  isTaken ? Math.max(0, debtUs + cost * intervalUs) : debtUs

export function bucketStatus(draw: BucketDraw, debtUs: number, isTaken: boolean) {
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
