import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { redactText } from './log.ts'

/** Attributes that are exported; URLs, IP addresses and user agents are not. SQL statements contain no values. */
const exportedAttribute =
  /^(http\.(request\.method|response\.status_code|route)|fastify\.|hook\.|db\.|error\.type|exception\.)/

export const redactingExporter = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(redactSpan), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
})

const redactSpan = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: redactAttributes(span.attributes) },
    events: { value: span.events.map((event) => ({ ...event, attributes: redactAttributes(event.attributes ?? {}) })) },
    status: { value: { ...span.status, message: span.status.message && redactText(span.status.message) } },
  })

const redactAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => exportedAttribute.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? redactText(value) : value]),
  )
