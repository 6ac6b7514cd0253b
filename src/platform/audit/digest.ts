import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json'

type Values = { resource_label: string | null; changes: unknown }

/** Stands for the values in the chain, so that they can be erased. The salt keeps anyone from guessing them afterwards. */
export const digestOf = (salt: Buffer, { resource_label, changes }: Values): Buffer =>
  createHash('sha256').update(salt).update(canonicalJson({ resource_label, changes })).digest()
