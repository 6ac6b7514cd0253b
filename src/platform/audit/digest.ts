import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json'

type ErasableValues = { resource_label: string | null; changes: unknown }

/** Hashes the erasable values for the chain. The salt, erased with them, prevents guessing them later. */
export const digestOf = (salt: Buffer, { resource_label, changes }: ErasableValues): Buffer =>
  digestOfJson(salt, resource_label, canonicalJson(changes ?? null))

export const digestOfJson = (salt: Buffer, label: string | null, changes: string): Buffer =>
  createHash('sha256')
    .update(salt)
    .update(`{"changes":${changes},"resource_label":${JSON.stringify(label)}}`)
    .digest()
