// Reporter of node:test that saves the outcomes of one process as JSON in TEST_OUTCOMES_FILE.
import { writeFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { emptyOutcomes, recordEvent } from '../outcomes/outcomes.ts'

// biome-ignore lint/style/noDefaultExport: node:test requires a default export
export default async function* reportOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const outcomes = emptyOutcomes()
  // The stream of events does not end if a file left a handle open.
  process.on('exit', () => writeFileSync(process.env.TEST_OUTCOMES_FILE!, JSON.stringify(outcomes)))
  for await (const event of events) recordEvent(outcomes, event, process.cwd())
  yield ''
}
