import Big from 'big.js'

export type Decimal = Big

const Decimal = Big()
Decimal.DP = 20
Decimal.RM = 1

export const decimal = (value: Big.BigSource): Decimal => Decimal(value)

export const minOf = (one: Decimal, other: Decimal): Decimal => (one.lt(other) ? one : other)
export const maxOf = (one: Decimal, other: Decimal): Decimal => (one.gt(other) ? one : other)
export const sumOf = (values: readonly Decimal[]): Decimal => values.reduce((sum, value) => sum.plus(value), decimal(0))

const exactPlaces = 10

/** Rounds to ten places first, because a third has no exact decimal: 3 * 33.333… + 0.5 must round like 100.5. */
export const roundHalfUp = (value: Decimal, places = 0): number => value.round(exactPlaces).round(places).toNumber()

/** For storage and responses: exact enough to be rounded again without another result. */
export const toExactNumber = (value: Decimal): number => value.round(exactPlaces).toNumber()
