import type { DealSummary } from './board-moves.ts'

/** A deal that is about to be won or lost, before the user has confirmed it. */
export type Closing = { deal: DealSummary; stage: { key: string; kind: 'open' | 'won' | 'lost' } }
