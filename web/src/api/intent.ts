import { useState } from 'react'
import { readDraft, writeDraft } from './drafts.ts'
import { isEqual } from './merge-fields.ts'

type Sent = { values: unknown; key: string }
type SentStore = { read: () => Sent | undefined; write: (sent: Sent | undefined) => void }

export type Intent = {
  /** Returns the idempotency key of the request: the same one as long as the values are the same. */
  keyOf: (values: unknown) => string
  end: () => void
}

export function createIntent({ read, write }: SentStore = keepInMemory()): Intent {
  return {
    keyOf(values) {
      const before = read()
      if (before && isEqual(before.values, values)) return before.key
      const key = crypto.randomUUID()
      write({ values, key })
      return key
    },
    end: () => write(undefined),
  }
}

function keepInMemory(): SentStore {
  let sent: Sent | undefined
  return {
    read: () => sent,
    write: (next) => {
      sent = next
    },
  }
}

function keepBesideDraft(draftKey: string): SentStore {
  const memory = keepInMemory()
  const name = `${draftKey}:sent`
  return {
    read: () => memory.read() ?? JSON.parse(readDraft(name) || 'null') ?? undefined,
    write(sent) {
      memory.write(sent)
      writeDraft(name, sent && readDraft(draftKey) ? JSON.stringify(sent) : '')
    },
  }
}

/** An intent that ends with the component or, if it has a draft, with the draft. */
export const useIntent = (draftKey?: string): Intent =>
  useState(() => createIntent(draftKey === undefined ? undefined : keepBesideDraft(draftKey)))[0]
