import { listFieldsOf } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { enrollTargetPoint } from './enroll-target.ts'
import { listSegmentUseRows } from './segment-references.queries.ts'
import { findSegmentNames } from './segments.queries.ts'
import type { NamedReference, SegmentReference, SegmentType, SegmentUse } from './segments.schemas.ts'

type NameServices = Pick<Services, 'registry'>
type Names = ReadonlyMap<string, string>
const noNames: Names = new Map()

/** One statement per kind of target. */
async function findTargetNames(
  tx: TenantTx,
  { registry }: NameServices,
  targets: readonly { type: string; id: string }[],
): Promise<(type: string, id: string) => string | null> {
  const found = new Map<string, Names>()
  for (const { type, findNames } of registry.extensionsOf(enrollTargetPoint)) {
    const ids = targets.filter((target) => target.type === type).map(({ id }) => id)
    if (ids.length) found.set(type, await findNames(tx, [...new Set(ids)]))
  }
  return (type, id) => found.get(type)?.get(id) ?? null
}

type Targeted = { target_type: string; target_id: string }

/** Adds names to records with a target; it is null if it was deleted. */
export async function withTargets<T extends Targeted>(
  tx: TenantTx,
  services: NameServices,
  rows: readonly T[],
): Promise<(T & { target: { id: string; name: string } | null })[]> {
  const nameOf = await findTargetNames(
    tx,
    services,
    rows.map(({ target_type: type, target_id: id }) => ({ type, id })),
  )
  return rows.map((row) => {
    const name = nameOf(row.target_type, row.target_id)
    return { ...row, target: name === null ? null : { id: row.target_id, name } }
  })
}

export async function listSegmentUses(tx: TenantTx, segmentId: string, services: NameServices): Promise<SegmentUse[]> {
  const rows = await listSegmentUseRows(tx, segmentId)
  const segments = rows.flatMap((row) => (row.type === 'segment' ? [row] : []))
  const flows = await withTargets(
    tx,
    services,
    rows.flatMap((row) => (row.type === 'flow' ? [row] : [])),
  )
  return [
    ...segments.map((segment) => ({ ...segment, target_type: null, target: null })),
    ...flows.map(({ type, id, target_type, target }) => ({
      type,
      id,
      name: target?.name ?? target_type,
      target_type,
      target,
    })),
  ]
}

/** Adds the names of records and the labels of custom fields, such as `lead.custom.region`. */
export async function nameReferences(
  tx: TenantTx,
  references: readonly SegmentReference[],
  services: NameServices,
): Promise<NamedReference[]> {
  if (!references.length) return []
  const refsOf = (kind: string) => references.filter((reference) => reference.kind === kind).map(({ ref }) => ref)
  const targets = references.filter(({ kind }) => kind !== 'field').map(({ kind, ref }) => ({ type: kind, id: ref }))
  const segments = await findSegmentNames(tx, refsOf('segment'))
  const labels = await readFieldLabels(tx, refsOf('field'))
  const targetNameOf = await findTargetNames(tx, services, targets)
  return references.map(({ kind, ref }) => {
    const names = { field: labels, segment: segments }[kind]
    return { kind, ref, name: names ? (names.get(ref) ?? null) : targetNameOf(kind, ref) }
  })
}

async function readFieldLabels(tx: TenantTx, refs: readonly string[]): Promise<Names> {
  if (!refs.length) return noNames
  const types = [...new Set(refs.map((ref) => ref.slice(0, ref.indexOf('.')) as SegmentType))]
  const labels = new Map<string, string>()
  for (const type of types)
    for (const { key, label, deleted_at } of await listFieldsOf(tx, type))
      if (deleted_at === null) labels.set(`${type}.custom.${key}`, label)
  return labels
}
