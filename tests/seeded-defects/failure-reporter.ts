// Reporter of node:test that prints one JSON object per failed test.
import type { TestEvent } from 'node:test/reporters'

export type Failure = { name: string; reason: string }

// biome-ignore lint/style/noDefaultExport: node:test requires a default export
export default async function* reportFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const errorOutput = new Map<string, string>()
  for await (const { type, data } of events) {
    if (type === 'test:stderr') errorOutput.set(data.file, `${errorOutput.get(data.file) ?? ''}${data.message}`)
    if (type !== 'test:fail') continue
    const { name, details } = data
    // The error of a file that could not be loaded is only in its output. The test is then named after the file.
    const output = errorOutput.get(name)?.match(/^\w*Error.*/m)?.[0]
    const failure: Failure = { name, reason: output ?? String(details.error.cause ?? details.error) }
    yield `${JSON.stringify(failure)}\n`
  }
}
