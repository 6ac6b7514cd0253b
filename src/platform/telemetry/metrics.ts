import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { boundedLabels, type Labels } from './labels.ts'

type Named<L extends string> = { name: string; help: string; labels?: readonly L[] }
type Reading<L extends string> = { labels?: Labels<L>; value: number }

/** The metrics of this process. Labels are few and closed sets: never a tenant, a person or an id. */
export type Metrics = {
  /** Gives the function that counts. */
  counter<L extends string = never>(spec: Named<L>): (labels?: Labels<L>, by?: number) => void
  /** Gives the function that observes. */
  histogram<L extends string = never>(
    spec: Named<L> & { buckets: number[] },
  ): (value: number, labels?: Labels<L>) => void
  /** Read anew at every scrape. A reading that fails or takes longer than a second is left out. */
  gauge<L extends string = never>(spec: Named<L> & { read: Read<L> }): void
  text(): Promise<string>
  readonly contentType: string
}
type Read<L extends string> = () => number | Reading<L>[] | Promise<number | Reading<L>[]>

const readWithinMs = 1_000

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  return {
    counter({ name, help, labels = [] }) {
      const bounded = boundedLabels(labels)
      const counter = new Counter<string>({ name, help, labelNames: labels, registers })
      return (given, by = 1) => counter.inc(bounded(given), by)
    },
    histogram({ name, help, labels = [], buckets }) {
      const bounded = boundedLabels(labels)
      const histogram = new Histogram<string>({ name, help, labelNames: labels, registers, buckets })
      return (value, given) => histogram.observe(bounded(given), value)
    },
    gauge({ name, help, labels = [], read }) {
      const bounded = boundedLabels(labels)
      async function collect(this: Gauge<string>) {
        const readings = await readInTime(read)
        this.reset()
        this.remove({})
        for (const { labels, value } of readings) this.set(bounded(labels), value)
      }
      new Gauge<string>({ name, help, labelNames: labels, registers, collect })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

async function readInTime<L extends string>(read: Read<L>): Promise<Reading<L>[]> {
  const late = Promise.withResolvers<Reading<L>[]>()
  const timer = setTimeout(() => late.resolve([]), readWithinMs)
  try {
    const found = await Promise.race([late.promise, read()])
    return typeof found === 'number' ? [{ value: found }] : found
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}
