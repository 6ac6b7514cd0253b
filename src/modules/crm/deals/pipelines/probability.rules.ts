import { invalid } from '#platform/errors'

const basisPoints = 10_000

export const toProbabilityRate = (basis: number): number => basis / basisPoints

/** Rejects a rate with more than 4 decimals instead of rounding it. */
export function toBasisPoints(rate: number, path: string): number {
  if (!isWholeBasisPoints(rate)) throw invalid('body', path, 'digits', 'The rate must not have more than 4 decimals.')
  return Math.round(rate * basisPoints)
}

/** 1e-6 allows for floating-point error. */
export const isWholeBasisPoints = (rate: number): boolean =>
  Math.abs(rate * basisPoints - Math.round(rate * basisPoints)) <= 1e-6

/** Rounds a sum of amounts that were multiplied by basis points. Add up first: each sum is rounded only once. */
export function roundBasisPoints(weighted: bigint): bigint {
  const divisor = BigInt(basisPoints)
  return (2n * weighted + divisor) / (2n * divisor)
}

export const calculateExpectedMinor = (minor: number, probabilityBasis: number): bigint =>
  roundBasisPoints(BigInt(minor) * BigInt(probabilityBasis))
