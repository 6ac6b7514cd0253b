import type { CanaryWorkspace } from '../canary-workspace.ts'
import type { Reader, ReaderName } from '../readers.ts'

/** What a reader got, and where. */
export type Output = { reader: ReaderName; from: string; content: Buffer }

export type WayOptions = { readers: readonly Reader[]; isShort: boolean }

/** A way out of the system. */
export type Way = {
  name: string
  read(canary: CanaryWorkspace, options: WayOptions): Promise<Output[]>
}

export const toOutput = (reader: ReaderName, from: string, text: string | Buffer): Output => ({
  reader,
  from,
  content: Buffer.from(text),
})
