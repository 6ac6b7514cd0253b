// A reporter of node:test beside the one people read: writes down what became of every test, for whoever asks for it later.
import type { TestEvent } from 'node:test/reporters'
import { forgetOutcomes, keepOutcomes, note, nothing } from './outcomes.ts'
import { stampOf } from './stamp.ts'

// biome-ignore lint/style/noDefaultExport: it is how node:test finds a reporter
export default async function* keepingOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const root = process.cwd()
  forgetOutcomes(root)
  const stamp = stampOf(root)
  const outcomes = nothing()
  for await (const event of events) note(outcomes, event, root)
  keepOutcomes(root, stamp, outcomes)
  yield ''
}
