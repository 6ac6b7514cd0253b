const concurrency = 16

/** Calls `run` as often as it can for a while, 16 at a time, and tells how often that was per second. */
export async function perSecond(run: () => Promise<unknown>, milliseconds: number): Promise<number> {
  const start = performance.now()
  let count = 0
  const worker = async () => {
    for (; performance.now() - start < milliseconds; count++) await run()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return (count / (performance.now() - start)) * 1_000
}

export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!
}

type Way = { name: string; run: () => Promise<unknown> }

/**
 * Alternates the ways in every round, so that whatever else the machine does meets all of them. Prints each one's median
 * rate and the median of its ratios to the first one, and returns the ratios.
 */
export async function compare(ways: Way[], { rounds = 15, milliseconds = 400 } = {}): Promise<number[]> {
  const rates = ways.map((way) => ({ ...way, measured: [] as number[] }))
  for (const { run } of rates) await perSecond(run, milliseconds)
  for (let round = 0; round < rounds; round++) {
    for (const { run, measured } of rates) measured.push(await perSecond(run, milliseconds))
  }
  return rates.map(({ name, measured }) => {
    const ratio = median(measured.map((rate, round) => rate / rates[0]!.measured[round]!))
    console.log(`  ${ratio.toFixed(2)}  ${Math.round(median(measured)).toString().padStart(6)}/s  ${name}`)
    return ratio
  })
}
