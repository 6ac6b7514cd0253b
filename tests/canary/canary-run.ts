import { runPendingJobs } from '../matrix/leaks.ts'
import type { CanaryWorkspace } from './canary-workspace.ts'
import { expandContent } from './expand-content.ts'
import { type Field, type FieldName, fields } from './fields.ts'
import type { ReaderName } from './readers.ts'
import type { Way, WayOptions } from './ways/way.ts'

export type CanaryResult = {
  leaks: string[]
  /** Fields that no reader has seen who may see them. */
  unseen: FieldName[]
  /** Ways that have shown neither a field to a reader nor their marker. */
  empty: string[]
  checks: number
}

const fieldNames = Object.keys(fields) as FieldName[]
const mayRead = (field: FieldName, reader: ReaderName) => (fields[field] as Field).readers.includes(reader)

/** Reads every way with every reader and compares the fields in its outputs with the table of readers. */
export async function runCanaries(
  canary: CanaryWorkspace,
  ways: readonly Way[],
  options: WayOptions,
): Promise<CanaryResult> {
  const leaks = new Set<string>()
  const seen = new Set<FieldName>()
  const empty: string[] = []
  let checks = 0
  for (const way of ways) await way.start?.(canary, options)
  await runPendingJobs(canary.app)
  for (const way of ways) {
    let isEmpty = true
    for (const { reader, from, content } of await way.read(canary, options)) {
      checks += fieldNames.length
      if (way.marker && content.includes(way.marker)) isEmpty = false
      for (const field of await findFields(canary, content)) {
        if (mayRead(field, way.readsAs?.[reader] ?? reader)) {
          isEmpty = false
          seen.add(field)
        } else leaks.add(`${way.name} shows "${field}" to ${reader}: ${from}`)
      }
    }
    if (isEmpty) empty.push(way.name)
  }
  const unseen = fieldNames.filter((field) => !seen.has(field) && !(fields[field] as Field).hiddenBecause)
  return { leaks: [...leaks], unseen, empty, checks }
}

async function findFields({ canaries }: CanaryWorkspace, content: Buffer): Promise<Set<FieldName>> {
  const found = new Set<FieldName>()
  for await (const part of expandContent(content)) for (const field of canaries.findIn(part)) found.add(field)
  return found
}
