import type { GrowthCounts } from './usage-store.ts'

/** Number of actors with the same activity; bit n of the mask stands for window n. */
export type MaskCount = { mask: number; actors: number }

/** Bits are tested by division, because masks have more than 32 bits. */
const hasBit = (mask: number, bit: number): boolean => Math.floor(mask / 2 ** bit) % 2 === 1

const countWith = (masks: readonly MaskCount[], ...bits: number[]): number =>
  masks.reduce((total, { mask, actors }) => total + (bits.every((bit) => hasBit(mask, bit)) ? actors : 0), 0)

export const countPerWindow = (masks: readonly MaskCount[], windows: number): number[] =>
  Array.from({ length: windows }, (_, window) => countWith(masks, window))

/** Bucket 0 is only compared with. `newActors` has an entry per further bucket. */
export const countGrowthOf = (masks: readonly MaskCount[], newActors: readonly number[]): GrowthCounts[] =>
  newActors.map((added, index) => {
    const retained = countWith(masks, index, index + 1)
    return {
      active: countWith(masks, index + 1),
      new: added,
      retained,
      churned: countWith(masks, index) - retained,
    }
  })
