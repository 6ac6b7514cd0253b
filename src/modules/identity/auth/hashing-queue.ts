import { availableParallelism } from 'node:os'
import { takingTurns } from './turns.ts'

/** A flood of sign-ins is a flood of work for the processor. */
export const inTurn = takingTurns({ atOnce: 2 * availableParallelism(), inLine: 200 })
