import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'

export type Labels<L extends string> = Record<L, string>

const forbiddenLabel = /tenant|user|email|address|session|(^|_)ip$|(^|_)id$/i
const looksLikeId = /[0-9a-f]{8}-[0-9a-f]{4}-/i
const maxValues = 500

export function createLabelLimiter<L extends string>(names: readonly L[]) {
  const invalidName = names.find((name) => forbiddenLabel.test(name))
  if (invalidName) throw new Error(`Metrics must not have the label ${invalidName}. Use a label with few values.`)
  const seen = new Map(names.map((name) => [name, new Set<string>()]))

  function limitValue(name: L, value: string): string {
    const values = seen.get(name)!
    if (values.has(value)) return value
    if (values.size >= maxValues || looksLikeId.test(value)) return 'other'
    values.add(value)
    return value
  }

  return (labels?: Labels<L>): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, limitValue(name, labels?.[name] ?? '')]))
}

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
