const steps = 10_000n

/** What an amount is worth at a probability (in ten-thousandths), before it is rounded: sums are rounded once, at the end. */
export const roundSteps = (weighted: bigint): bigint => (2n * weighted + steps) / (2n * steps)

export const expectedMinor = (minor: number, probabilityBasis: number): bigint =>
  roundSteps(BigInt(minor) * BigInt(probabilityBasis))
