import type { CanaryWorkspace } from '../canary-workspace.ts'
import type { Reader, ReaderName } from '../readers.ts'
import type { Receivers } from '../records/administration.ts'

/** What a reader got, and where. */
export type Output = { reader: ReaderName; from: string; content: Buffer }

export type WayOptions = { readers: readonly Reader[]; receivers: Receivers; isShort: boolean }

/** A way out of the system. */
export type Way = {
  name: string
  /** Starts tasks whose results are read later. */
  start?(canary: CanaryWorkspace, options: WayOptions): Promise<void>
  read(canary: CanaryWorkspace, options: WayOptions): Promise<Output[]>
  /** Occurs in the outputs of a way that shows no field to its readers. */
  marker?: string
  /** Readers for whom this way shows the fields of another one. */
  readsAs?: Partial<Record<ReaderName, ReaderName>>
}

export const toOutput = (reader: ReaderName, from: string, text: string | Buffer): Output => ({
  reader,
  from,
  content: Buffer.from(text),
})

/** Reads the bytes of a response, which clients of tests decode as text. */
export async function download(
  { app }: CanaryWorkspace,
  { name, host, authorization }: Reader,
  url: string,
): Promise<Output> {
  const headers = { host, ...(authorization && { authorization }) }
  const { rawPayload } = await app.app.inject({ method: 'GET', url, headers })
  return toOutput(name, `GET ${url}`, rawPayload)
}

export async function getAll(readers: readonly Reader[], urls: readonly string[]): Promise<Output[]> {
  const outputs: Output[] = []
  for (const { name, client } of readers)
    for (const url of urls) outputs.push(toOutput(name, `GET ${url}`, (await client.get(url)).text))
  return outputs
}
