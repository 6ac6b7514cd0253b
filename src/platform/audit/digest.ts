import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json'

type ErasableValues = { resource_label: string | null; changes: unknown }

/** Hashes the erasable values for the chain. The salt, erased with them, prevents guessing them later. */
export const digestOf = (salt: Buffer, { resource_label, changes }: ErasableValues): Buffer =>
  createHash('sha256').update(salt).update(canonicalJson({ resource_label, changes })).digest()
