import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { cleanText } from './clean-line.ts'

/** URLs, addresses and browsers of people stay here; statements carry no values. */
const kept = /^(http\.(request\.method|response\.status_code|route)|fastify\.|hook\.|db\.|error\.type|exception\.)/

/** What leaves the house in traces is as clean as what is logged. */
export const cleaned = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(cleanSpan), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
})

const cleanSpan = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: cleanAttributes(span.attributes) },
    events: { value: span.events.map((event) => ({ ...event, attributes: cleanAttributes(event.attributes ?? {}) })) },
    status: { value: { ...span.status, message: span.status.message && cleanText(span.status.message) } },
  })

const cleanAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => kept.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? cleanText(value) : value]),
  )
