// Reporter of node:test that saves the outcome of every test for later commands.
import type { TestEvent } from 'node:test/reporters'
import { calculateCodeHash } from './code-hash.ts'
import { deleteOutcomes, emptyOutcomes, recordEvent, saveOutcomes } from './outcomes.ts'

// biome-ignore lint/style/noDefaultExport: node:test requires a default export
export default async function* saveTestOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const root = process.cwd()
  deleteOutcomes(root)
  const codeHash = calculateCodeHash(root)
  const outcomes = emptyOutcomes()
  for await (const event of events) recordEvent(outcomes, event, root)
  saveOutcomes(root, codeHash, outcomes)
  yield ''
}
