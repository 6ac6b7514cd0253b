// Reporter of node:test that writes the outcomes of one process as JSON.
import type { TestEvent } from 'node:test/reporters'
import { emptyOutcomes, recordEvent } from '../outcomes/outcomes.ts'

// biome-ignore lint/style/noDefaultExport: node:test requires a default export
export default async function* reportOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const outcomes = emptyOutcomes()
  for await (const event of events) recordEvent(outcomes, event, process.cwd())
  yield JSON.stringify(outcomes)
}
