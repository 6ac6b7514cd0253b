import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { createLabelLimiter, type Labels } from './labels.ts'

type MetricSpec<L extends string> = { name: string; help: string; labels?: readonly L[] }
type Reading<L extends string> = { labels?: Labels<L>; value: number }

export type Metrics = {
  counter<L extends string = never>(spec: MetricSpec<L>): (labels?: Labels<L>, by?: number) => void
  histogram<L extends string = never>(
    spec: MetricSpec<L> & { buckets: number[] },
  ): (value: number, labels?: Labels<L>) => void
  /** Calls `read` at every scrape. A reading that fails or takes longer than a second is omitted. */
  gauge<L extends string = never>(spec: MetricSpec<L> & { read: Read<L> }): void
  text(): Promise<string>
  readonly contentType: string
}
type Read<L extends string> = () => number | Reading<L>[] | Promise<number | Reading<L>[]>

const readTimeoutMs = 1_000

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  return {
    counter({ name, help, labels = [] }) {
      const limitLabels = createLabelLimiter(labels)
      const counter = new Counter<string>({ name, help, labelNames: labels, registers })
      return (labelValues, by = 1) => counter.inc(limitLabels(labelValues), by)
    },
    histogram({ name, help, labels = [], buckets }) {
      const limitLabels = createLabelLimiter(labels)
      const histogram = new Histogram<string>({ name, help, labelNames: labels, registers, buckets })
      return (value, labelValues) => histogram.observe(limitLabels(labelValues), value)
    },
    gauge({ name, help, labels = [], read }) {
      const limitLabels = createLabelLimiter(labels)
      async function collect(this: Gauge<string>) {
        const readings = await readWithTimeout(read)
        this.reset()
        this.remove({})
        for (const { labels, value } of readings) this.set(limitLabels(labels), value)
      }
      new Gauge<string>({ name, help, labelNames: labels, registers, collect })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

async function readWithTimeout<L extends string>(read: Read<L>): Promise<Reading<L>[]> {
  const timeout = Promise.withResolvers<Reading<L>[]>()
  const timer = setTimeout(() => timeout.resolve([]), readTimeoutMs)
  try {
    const reading = await Promise.race([timeout.promise, read()])
    return typeof reading === 'number' ? [{ value: reading }] : reading
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}
