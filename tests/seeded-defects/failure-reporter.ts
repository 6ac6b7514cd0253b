// Reporter of node:test that prints one JSON object per failed test.
import type { TestEvent } from 'node:test/reporters'

export type Failure = { file: string; name: string; reason: string }

// biome-ignore lint/style/noDefaultExport: node:test requires a default export
export default async function* reportFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const errorOutput = new Map<string, string>()
  for await (const { type, data } of events) {
    if (type === 'test:stderr') errorOutput.set(data.file, `${errorOutput.get(data.file) ?? ''}${data.message}`)
    if (type !== 'test:fail') continue
    const { file = '', name, details } = data
    // The error of a file that could not be loaded is only in its output.
    const output = file.endsWith(name) ? errorOutput.get(file)?.match(/^\w*Error.*/m)?.[0] : undefined
    const failure: Failure = { file, name, reason: output ?? String(details.error.cause ?? details.error) }
    yield `${JSON.stringify(failure)}\n`
  }
}
