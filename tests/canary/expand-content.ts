import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'

const isGzip = (content: Buffer) => content[0] === 0x1f && content[1] === 0x8b
const isTar = (content: Buffer) => content.subarray(257, 262).toString() === 'ustar'

/** Yields the content and, of compressed content and archives, the names and contents of its entries. */
export async function* expandContent(content: Buffer): AsyncGenerator<Buffer> {
  yield content
  if (isGzip(content)) yield* expandContent(gunzipSync(content))
  if (!isTar(content)) return
  for await (const entry of Readable.from([content]).pipe(extract())) {
    yield Buffer.from(entry.header.name)
    yield* expandContent(await buffer(entry))
  }
}
