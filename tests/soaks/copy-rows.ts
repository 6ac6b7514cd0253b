import type { TestApp } from './soak.ts'

type Connection = {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** Copies lines of a CSV file into a table without constraints, and returns the rows per second. */
export async function copyRows({ owner }: TestApp, lines: readonly string[]): Promise<number> {
  const client = await owner.connect()
  try {
    await client.query('create temporary table copied (email text, last_name text, company text, city text)')
    const content = Buffer.from(`${lines.join('\n')}\n`)
    const startedAt = performance.now()
    await new Promise<void>((resolve, reject) => {
      client.query({
        submit: (connection: Connection) => connection.query('copy copied from stdin (format csv)'),
        handleCopyInResponse(connection: Connection) {
          connection.sendCopyFromChunk(content)
          connection.endCopyFrom()
        },
        handleCommandComplete() {},
        handleReadyForQuery: () => resolve(),
        handleError: reject,
      } as never)
    })
    return lines.length / ((performance.now() - startedAt) / 1_000)
  } finally {
    await client.query('drop table if exists copied')
    client.release()
  }
}
