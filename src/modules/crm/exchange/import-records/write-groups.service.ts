import { type TenantTx, withSavepoint } from '#platform/db'
import { findErasedSubjects } from '../import-mapping/match-rows.service.ts'
import type { RowResult } from './import-rows.queries.ts'
import { toResult } from './imports.rules.ts'
import { type Candidate, onlyFirstRow, type RowGroup, withRows } from './row-groups.rules.ts'
import type { Batch, GroupResults } from './write-records.service.ts'

/** Rolls back what was written, because other rows have to be written. */
class RepeatedWrite extends Error {
  override name = 'RepeatedWrite'
}

/**
 * Writes groups of rows. Of a group that cannot be written together, only the first row is written; the others are those of the next
 * batch. Fails the rows of persons who were erased since the file was uploaded: the second look, after the consent of new records was
 * locked, finds erasures that have started since; those that start later wait for this transaction and find its records.
 */
export async function writeGroups(
  tx: TenantTx,
  { row, services }: Batch,
  groups: readonly RowGroup[],
  write: (remaining: readonly RowGroup[]) => Promise<GroupResults>,
): Promise<RowResult[]> {
  const candidates = groups.flatMap(({ rows }) => rows)
  const subjects = candidates.flatMap((candidate) => candidate.subjects)
  const find = () => findErasedSubjects(tx, services, subjects, row.created_at)
  const isErased = (erased: ReadonlySet<string>) => (candidate: Candidate) =>
    candidate.subjects.some((subject) => erased.has(subject))
  let erased = await find()
  const separated = new Set<string>()
  for (;;) {
    const remaining = groups
      .flatMap((group) =>
        withRows(
          group,
          group.rows.filter((candidate) => !isErased(erased)(candidate)),
        ),
      )
      .map((group) => (group.key && separated.has(group.key.key) ? onlyFirstRow(group) : group))
    try {
      const results = await withSavepoint(tx, async () => {
        const written = remaining.length ? await write(remaining) : { results: [], rejected: [] }
        for (const { key } of written.rejected) separated.add(key!.key)
        const now = await find()
        const hasErased = remaining.flatMap(({ rows }) => rows).some(isErased(now))
        if (hasErased || written.rejected.length) throw new RepeatedWrite()
        return written.results
      })
      const failed = candidates.filter(isErased(erased))
      return [...results, ...failed.map(({ row_no }) => toResult(row_no, 'failed', { errors: [erasedPerson] }))]
    } catch (error) {
      if (!(error instanceof RepeatedWrite)) throw error
      erased = await find()
    }
  }
}

const erasedPerson = {
  column: null,
  field: null,
  code: 'erased',
  message: 'The data of the person was erased since the file was uploaded.',
}
