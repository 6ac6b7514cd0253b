const concurrency = 16

/** Returns how often `run` completes per second with a concurrency of 16. */
export async function measureRate(run: () => Promise<unknown>, milliseconds: number): Promise<number> {
  const start = performance.now()
  let count = 0
  const worker = async () => {
    for (; performance.now() - start < milliseconds; count++) await run()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return (count / (performance.now() - start)) * 1_000
}

/** Returns the CPU time of this thread per call of `run`, in microseconds, with a concurrency of 16. */
export async function measureCpu(run: () => Promise<unknown>, milliseconds: number): Promise<number> {
  const start = performance.now()
  return await cpuPerCall(async () => {
    const rate = await measureRate(run, milliseconds)
    return (rate * (performance.now() - start)) / 1_000
  })
}

/** `work` returns the number of its calls. */
export async function cpuPerCall(work: () => Promise<number>): Promise<number> {
  const before = process.threadCpuUsage()
  const calls = await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / calls
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

type Variant = { name: string; run: () => Promise<unknown> }

/**
 * Interleaves the variants so background load affects all of them equally. Prints each variant's median rate and its median ratio to
 * the first variant, and returns the ratios.
 */
export async function compareVariants(
  variants: Variant[],
  { rounds = 15, milliseconds = 400 } = {},
): Promise<number[]> {
  const measurements = variants.map((variant) => ({ ...variant, values: [] as number[] }))
  for (const { run } of measurements) await measureRate(run, milliseconds)
  for (let round = 0; round < rounds; round++) {
    for (const { run, values } of measurements) values.push(await measureRate(run, milliseconds))
  }
  return measurements.map(({ name, values }) => {
    const ratio = median(values.map((rate, round) => rate / measurements[0]!.values[round]!))
    console.log(`  ${ratio.toFixed(2)}  ${Math.round(median(values)).toString().padStart(6)}/s  ${name}`)
    return ratio
  })
}
